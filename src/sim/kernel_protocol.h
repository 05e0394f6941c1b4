// The protocol of kernels over blocks of strands. docs/writing_a_model.md has a complete example.
//
// A kernel advances strands by one substep. It is a struct that derives from KernelDefaults and has
//
//     using Uniforms = ...;  // constants of a substep; trivially copyable
//     using Block = ...;     // `int rows`, pointers to the block's channels, and visit()
//     template <class F>
//     RINGLET_KERNEL static void substep(const Uniforms& uniforms, const Block& block);
//
// F is the lane type (math/lanes.h). substep<F> advances the LaneTraits<F>::width strands whose
// first lane the block's pointers point at; rows.h gives access to their vertices. It may read and
// write only these strands. Block::visit() lists the pointers (strand/block_channels.h).
//
// A kernel overrides members of KernelDefaults where it needs more. Nothing is detected by name: a
// flag that is true requires the functions that its comment lists.
//
// ringlet_kernel() in src/sim/CMakeLists.txt compiles a kernel for every lane kind and for CUDA.
#pragma once

#include "strand/block_channels.h"

namespace ringlet {

// GPU: an attempt to advance a strand. only: substep() completes the strand. first: it may give up.
// second: it gave up in the first attempt and completes the strand now.
enum class Attempt { only, first, second };

struct KernelDefaults {
    // Scratch memory in floats per vertex, valid during one substep of one block. If it is not 0,
    // Block has `float* scratch`, which points at rows * kScratch rows of one float per lane.
    static constexpr int kScratch = 0;
    // A CPU may have more: floats per vertex if more than kScratch, and floats per block.
    static constexpr int kCpuScratch = 0;
    static constexpr int kCpuScratchPerBlock = 0;

    // CPU: advances two neighbouring blocks with equal row counts at a time, with the sixteen lanes
    // of AVX-512. `Wide` has the lanes of both blocks. `a.scratch` has kPairScratch floats per
    // vertex for both. Requires
    //     template <class F, class Wide>
    //     static void substep_pair(const Uniforms& uniforms, const Block& a, Block b);
    static constexpr bool kHasPairs = false;
    static constexpr int kPairScratch = 0;

    // GPU: shared memory for RowStream (strand/row_stream.h) in floats per strand. If it is not 0,
    // Block has `float* prefetch_buffer`.
    static constexpr int kPrefetchFloats = 0;

    // GPU: substep advances each row independently of the others. Block has `int from, to`, and
    // substep processes only the rows in [from, to). Several threads then share a strand where
    // strands are few.
    static constexpr bool kHasIndependentRows = false;

    // GPU: a pass over rows, with one thread per row, that runs before substep. Requires
    //     static bool needs_row_pass(const Uniforms& uniforms);
    //     template <class F>
    //     static void row_pass(const Uniforms& uniforms, const Block& block, int first, int end);
    static constexpr bool kHasRowPass = false;

    // GPU: a first attempt may give up a strand that needs far more work than most, so that the
    // other strands of its warp need not wait. Such strands are repeated in warps of their own. If
    // true, Block has `Attempt attempt`, and substep returns whether the strand is complete. An
    // attempt that gives up must leave all that the second one reads as it was.
    static constexpr bool kCanGiveUp = false;

    // GPU: variants of substep, each compiled separately with fewer registers. variant_of selects
    // one; fix_variant sets the members of the uniforms that are constant in it.
    static constexpr int kVariants = 1;
    template <class Uniforms>
    static int variant_of(const Uniforms& /*uniforms*/) {
        return 0;
    }
    template <class Uniforms>
    RINGLET_KERNEL static void fix_variant(Uniforms& /*uniforms*/, int /*variant*/) {}
};

// The functions that advance a block with one lane type.
template <class Kernel>
struct BlockFunctions {
    using Uniforms = typename Kernel::Uniforms;
    using Block = typename Kernel::Block;

    void (*run_block)(const Uniforms& uniforms, const Block& block);
    // Two blocks at a time; null if the kernel or the lane type has no pairs.
    void (*run_pair)(const Uniforms& uniforms, const Block& a, const Block& b);
};

// Defined in sim/cpu/run_block.h. Instantiated in one file per kernel and lane kind, which is
// compiled for the instruction set of the lane type F.
template <class Kernel, class F>
BlockFunctions<Kernel> block_functions();

}  // namespace ringlet
