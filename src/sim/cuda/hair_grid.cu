#include "sim/cuda/hair_grid.h"

#include <algorithm>
#include <bit>

namespace ringlet {

namespace {

constexpr unsigned long long kNoKey = ~0ull;
constexpr int kThreads = 256;
constexpr unsigned kWholeWarp = 0xffffffffu;

// What is summed up at a node.
enum { kMass, kMomentumX, kMomentumY, kMomentumZ, kVolume, kAmounts };

__host__ __device__ int parts_of(int count, int together) {
    return (count + together - 1) / together;
}

__device__ std::uint64_t mixed_bits(unsigned long long key) { return key * 0x9e3779b97f4a7c15ull; }

// A node of a patch: where it is in it, and as seen from its tile.
struct PatchNode {
    int x, y, z;

    __device__ explicit PatchNode(int node)
        : x(node % kPatchSide),
          y(node / kPatchSide % kPatchSide),
          z(node / (kPatchSide * kPatchSide)) {}
    // The tile it is in: bits as corners.
    __device__ int up() const {
        return x >> kTileBits | (y >> kTileBits) << 1 | (z >> kTileBits) << 2;
    }
    __device__ int in_tile() const { return node_in_tile(x, y, z); }
};

__device__ unsigned long long key_above(unsigned long long key, int up) {
    return moved_key(key, up & 1, up >> 1 & 1, up >> 2);
}

__device__ int patch_node(const GridPlace& place) {
    constexpr int last = kTileSide - 1;
    return (place.x & last) + kPatchSide * ((place.y & last) + kPatchSide * (place.z & last));
}

}  // namespace

struct CudaHairGrid::Table {
    unsigned long long* keys;
    std::int32_t *tile_of_slot, *slots;
    std::int64_t* sums;
    float4* pushes;
    float* densities;
    Counts* counts;
    std::uint32_t mask;
    int limit;
    float largest_volume;

    __device__ GridUnits units() const { return {from_bits(counts->fastest), largest_volume}; }
    __device__ int tile_count() const { return counts->tiles_with_hair + counts->other_tiles; }
    __device__ bool fits() const { return tile_count() <= limit; }

    __device__ std::uint32_t slot_of(unsigned long long key) const {
        return static_cast<std::uint32_t>(mixed_bits(key) >> 32) & mask;
    }
    // A new tile gets a number: `first` and as many more as were counted before. Nothing depends on
    // the number.
    __device__ void insert(unsigned long long key, int first, std::int32_t& count) const {
        for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask) {
            const unsigned long long found = atomicCAS(keys + slot, kNoKey, key);
            if (found == key) return;
            if (found != kNoKey) continue;
            const int tile = first + atomicAdd(&count, 1);
            tile_of_slot[slot] = tile;
            if (tile < limit) slots[tile] = static_cast<std::int32_t>(slot);
            return;
        }
    }
    // -1 where there is none.
    __device__ int find(unsigned long long key) const {
        for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask) {
            const unsigned long long found = keys[slot];
            const int tile = tile_of_slot[slot];
            if (found == key) return tile;
            if (found == kNoKey) return -1;
        }
    }
    __device__ unsigned long long key_of(int tile) const { return keys[slots[tile]]; }
    // Of the first amount; the others are kTileNodes apart.
    __device__ std::int64_t* sums_at(int tile, int node) const {
        return sums + static_cast<std::size_t>(tile) * (kAmounts * kTileNodes) + node;
    }
    __device__ float density(const GridUnits& units, int tile, int node) const {
        return units.density(sums_at(tile, node)[kVolume * kTileNodes]);
    }
};

namespace {

using Table = CudaHairGrid::Table;

__device__ void add(std::int64_t* to, std::int64_t a) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(a));
}

// The largest of positive floats by their bits, of which the larger has the larger.
__device__ void raise(std::int32_t& to, std::int32_t bits) {
    for (int step = kWarp / 2; step > 0; step /= 2)
        bits = max(bits, __shfl_xor_sync(kWholeWarp, bits, step));
    if (threadIdx.x % kWarp == 0) atomicMax(&to, bits);
}

// Rows that a warp looks at together: it waits once for all of them.
constexpr int kFindRows = 8;

__global__ void find_tiles(Table table, DeviceStrands strands, const float* x, const float* v,
                           float cells_per_metre) {
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int warps = static_cast<int>(gridDim.x * blockDim.x / kWarp);
    const int parts = parts_of(strands.max_rows, kFindRows);
    float fastest = 0;
    for (int k = thread_number() / kWarp; k < strands.group_count * parts; k += warps) {
        Vec3f cells[kFindRows];
#pragma unroll
        for (int r = 0; r < kFindRows; ++r) {
            const DeviceVertex vertex =
                vertex_of(strands, k / parts, k % parts * kFindRows + r, lane);
            cells[r] = {kGridReach, 0, 0};  // which is out of reach
            if (!vertex.exists) continue;
            cells[r] = vertex.vec3(x) * cells_per_metre;
            const Vec3f velocity = vertex.vec3(v);
            if (is_slow_enough(velocity)) fastest = max(fastest, largest_part(velocity));
        }
        unsigned long long keys[kFindRows], found[kFindRows];
#pragma unroll
        for (int r = 0; r < kFindRows; ++r) {
            keys[r] = is_in_reach(cells[r]) ? tile_key(place_of(cells[r])) : kNoKey;
            found[r] = __ldcg(table.keys + table.slot_of(keys[r]));  // as others see it
        }
#pragma unroll
        for (int r = 0; r < kFindRows; ++r)
            if (keys[r] != kNoKey && found[r] != keys[r])
                table.insert(keys[r], 0, table.counts->tiles_with_hair);
    }
    raise(table.counts->fastest, bits_of(fastest));
}

// Every tile with vertices needs those above it, which its vertices reach.
__global__ void find_tiles_above(Table table) {
    const int with_hair = table.counts->tiles_with_hair;
    for (int k = thread_number(); k < min(with_hair, table.limit) * 8;
         k += static_cast<int>(gridDim.x * blockDim.x))
        table.insert(key_above(table.key_of(k / 8), k % 8), with_hair, table.counts->other_tiles);
}

// A block of threads takes that many rows of vertices of that many groups of strands.
constexpr int kGiveGroups = 4, kGiveRows = 4;
constexpr int kGiveThreads = kGiveGroups * kGiveRows * kWarp;
// On a multiprocessor, at best.
constexpr int kGiveBlocks = 4;

// What the vertices of a block of threads give to the tiles they are in, one patch a tile or, where
// they are many, several.
struct Patches {
    static constexpr int kCount = 18;  // as many as a block has shared memory for
    static constexpr int kRoom = 128;  // for kPatchNodes: a thread has the same node of several
    static_assert(kRoom >= kPatchNodes && kGiveThreads % kRoom == 0);

    alignas(int4) int sums[kCount * kRoom][kAmounts];
    unsigned long long keys[kCount];
    int gifts[kCount];      // vertices that were let in, or tried to be
    int tiles[kCount * 8];  // that a patch reaches into

    __device__ void clear() {
        const int thread = static_cast<int>(threadIdx.x);
        int4* const all = reinterpret_cast<int4*>(sums);
        for (int k = thread; k < kCount * kRoom * kAmounts / 4; k += kGiveThreads) all[k] = {};
        if (thread >= kCount) return;
        keys[thread] = kNoKey;
        gifts[thread] = 0;
    }
    // A patch with room for that many more vertices of a tile; -1 where there is none.
    __device__ int claim(unsigned long long key, int vertices) {
        int patch = static_cast<int>(static_cast<std::uint32_t>(mixed_bits(key) >> 32) % kCount);
#pragma unroll 1
        for (int tries = 0; tries < kCount; ++tries, patch = patch + 1 < kCount ? patch + 1 : 0) {
            const unsigned long long found = atomicCAS(&keys[patch], kNoKey, key);
            if (found != kNoKey && found != key) continue;
            if (atomicAdd(&gifts[patch], vertices) + vertices <= kMostGifts) return patch;
        }
        return -1;
    }
    __device__ void find_tiles(const Table& table) {
        for (int k = static_cast<int>(threadIdx.x); k < kCount * 8; k += kGiveThreads)
            if (keys[k / 8] != kNoKey) tiles[k] = table.find(key_above(keys[k / 8], k % 8));
    }
    __device__ void add_to(const Table& table) const {
        const int own = static_cast<int>(threadIdx.x) % kRoom;
        const PatchNode node(own);
        const int up = node.up(), in_tile = node.in_tile();
        for (int patch = static_cast<int>(threadIdx.x) / kRoom; patch < kCount;
             patch += kGiveThreads / kRoom) {
            const int* const given = sums[patch * kRoom + own];
            if (given[kMass] == 0) continue;  // no vertex gives more units of anything else
            std::int64_t* const to = table.sums_at(tiles[patch * 8 + up], in_tile);
            for (int n = 0; n < kAmounts; ++n) add(to + n * kTileNodes, given[n]);
        }
    }
};

// What a vertex has to give, in units.
struct Gift {
    Vec3f t;  // its place in its cell
    float amounts[kAmounts];

    // To the nodes around it; `lowest` is that at the lower corner of its cell. Neighbours are
    // often in the same cell: threads begin at different corners, so that fewer meet at a node.
    __device__ void give(int (*lowest)[kAmounts]) const {
        const int first = static_cast<int>(threadIdx.x % 8);
        const auto is_up = [&](int axis) { return (first >> axis & 1) != 0; };
        const Vec3f low = {1 - t.x, 1 - t.y, 1 - t.z};
        const float x[2] = {is_up(0) ? t.x : low.x, is_up(0) ? low.x : t.x};
        const float y[2] = {is_up(1) ? t.y : low.y, is_up(1) ? low.y : t.y};
        const float z[2] = {is_up(2) ? t.z : low.z, is_up(2) ? low.z : t.z};
        int(*const begin)[kAmounts] = lowest + patch_corner(first);
        const auto step = [&](int axis) {
            return patch_corner(1 << axis) * (is_up(axis) ? -1 : 1);
        };
        const int steps[3] = {step(0), step(1), step(2)};
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            int* const to =
                begin[(k & 1) * steps[0] + (k >> 1 & 1) * steps[1] + (k >> 2) * steps[2]];
            const float weight = x[k & 1] * y[k >> 1 & 1] * z[k >> 2];
            for (int n = 0; n < kAmounts; ++n)
                atomicAdd(&to[n], __float2int_rn(amounts[n] * weight));
        }
    }
};

__global__ void __launch_bounds__(kGiveThreads, kGiveBlocks)
    give_all(Table table, DeviceStrands strands, const float* x, const float* v,
             const float* volume, float cells_per_metre, CudaHairGrid::Counts* counts_on_host) {
    __shared__ Patches patches;
    if (thread_number() == 0) *counts_on_host = *table.counts;
    if (!table.fits()) return;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int block = static_cast<int>(blockIdx.x);
    const int parts = parts_of(strands.max_rows, kGiveRows);
    const DeviceVertex vertex = vertex_of(strands, block / parts * kGiveGroups + warp / kGiveRows,
                                          block % parts * kGiveRows + warp % kGiveRows, lane);
    const GridUnits units = table.units();
    unsigned long long key = kNoKey;  // of a tile that it has still to give to
    int lowest = 0;
    Gift gift{};
    if (vertex.exists) {
        const Vec3f cells = vertex.vec3(x) * cells_per_metre, speed = vertex.vec3(v);
        if (is_in_reach(cells) && is_slow_enough(speed)) {
            const GridPlace place = place_of(cells);
            const Vec3f momentum = speed * units.momentum;
            key = tile_key(place);
            lowest = patch_node(place);
            gift = {place.t,
                    {GridUnits::kMass, momentum.x, momentum.y, momentum.z,
                     *vertex.in(volume, 1) * units.volume}};
        }
    }
    // Once, but where hair is in more tiles than there are patches.
    do {
        patches.clear();
        __syncthreads();
        // One thread asks for those of its warp that are in a tile.
        const unsigned same = __match_any_sync(kWholeWarp, key);
        const int first = __ffs(static_cast<int>(same)) - 1;
        int patch = -1;
        if (lane == first && key != kNoKey) patch = patches.claim(key, __popc(same));
        patch = __shfl_sync(kWholeWarp, patch, first);
        __syncthreads();
        patches.find_tiles(table);
        if (patch >= 0) {
            // Found anew each time round: the compiler would do it before the loop, and has no
            // registers to keep it.
            asm volatile("" : "+f"(gift.t.x), "+f"(gift.t.y), "+f"(gift.t.z));
            gift.give(patches.sums + patch * Patches::kRoom + lowest);
            key = kNoKey;
        }
        __syncthreads();
        patches.add_to(table);
    } while (__syncthreads_or(key != kNoKey));
}

// The density at a node's neighbour, in its tile or the next.
__device__ float density_beside(const Table& table, const GridUnits& units, int tile,
                                unsigned long long key, int node, int axis, int step) {
    constexpr int last = kTileSide - 1;
    const int shift = kTileBits * axis, there = (node >> shift & last) + step;
    if (there < 0 || there > last) {
        tile = table.find(
            moved_key(key, axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0));
        if (tile < 0) return 0;
    }
    return table.density(units, tile, (node & ~(last << shift)) | (there & last) << shift);
}

// At every node that hair in a tile reaches, for that tile: what its vertices take lies together.
__global__ void answer(Table table, CoupleUniforms uniforms) {
    if (!table.fits()) return;
    const int count = table.counts->tiles_with_hair * kPatchNodes;
    const GridUnits units = table.units();
    for (int k = thread_number(); k < count; k += static_cast<int>(gridDim.x * blockDim.x)) {
        const PatchNode at(k % kPatchNodes);
        const unsigned long long key = key_above(table.key_of(k / kPatchNodes), at.up());
        const int tile = at.up() == 0 ? k / kPatchNodes : table.find(key);
        const int node = at.in_tile();
        const std::int64_t* const sums = table.sums_at(tile, node);
        const std::int64_t mass = sums[kMass * kTileNodes];
        float4 push{};
        float density = 0;
        if (mass > 0) {
            const auto slope = [&](int axis) {
                return 0.5f * (density_beside(table, units, tile, key, node, axis, 1) -
                               density_beside(table, units, tile, key, node, axis, -1));
            };
            const Vec3f momentum = {static_cast<float>(sums[kMomentumX * kTileNodes]),
                                    static_cast<float>(sums[kMomentumY * kTileNodes]),
                                    static_cast<float>(sums[kMomentumZ * kTileNodes])};
            density = table.density(units, tile, node);
            const Answer<float> a =
                answer_of(uniforms, static_cast<float>(mass), momentum * units.speed(), density,
                          Vec3f{slope(0), slope(1), slope(2)});
            push = {a.push.x, a.push.y, a.push.z, a.share};
        }
        table.pushes[k] = push;
        table.densities[k] = density;
    }
}

// On a multiprocessor, if registers are few enough.
constexpr int kTakeBlocks = 6;

__global__ void __launch_bounds__(kVertexThreads, kTakeBlocks)
    take_answers(Table table, DeviceStrands strands, CoupleUniforms uniforms, const float* x,
                 float* v, float* density, float cells_per_metre) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists || !table.fits()) return;
    const Vec3f cells = vertex.vec3(x) * cells_per_metre, before = vertex.vec3(v);
    if (!is_in_reach(cells)) {
        *vertex.in(density, 1) = 0;
        return;
    }
    const GridPlace place = place_of(cells);
    const int lowest = table.find(tile_key(place)) * kPatchNodes + patch_node(place);
    const float4* const pushes = table.pushes + lowest;
    const float* const densities = table.densities + lowest;
    float weights[8], pressure[8];
    corner_weights(place.t, weights);
    Answer<float> at[8];
    for (int k = 0; k < 8; ++k) {
        const float4 push = pushes[patch_corner(k)];
        const float here = densities[patch_corner(k)];
        pressure[k] = pressure_of(here);
        at[k] = {Vec3f{push.x, push.y, push.z} * weights[k], push.w * weights[k], here * weights[k],
                 pressure[k] * weights[k]};
    }
    const Answer<float> taken = sum_of_corners(at);
    *vertex.in(density, 1) = taken.density;
    if (vertex.vertex < uniforms.first_free || vertex.vertex >= vertex.end - uniforms.held_tips)
        return;
    if (!is_slow_enough(before)) return;
    Vec3f after = mixed(before, taken);
    if (uniforms.has_pressure() && taken.pressure > 0)
        after += squeezed_out(uniforms, pressure, place.t);
    vertex.set_vec3(v, after);
}

// Only what was used; all of the hash where tiles came without a number to keep.
__global__ void forget_tiles(Table table) {
    const int tiles = table.tile_count(), stride = static_cast<int>(gridDim.x * blockDim.x);
    if (!table.fits()) {
        for (std::uint32_t slot = static_cast<std::uint32_t>(thread_number()); slot <= table.mask;
             slot += static_cast<std::uint32_t>(stride))
            table.keys[slot] = kNoKey;
        return;
    }
    for (int k = thread_number(); k < tiles; k += stride) table.keys[table.slots[k]] = kNoKey;
    for (int k = thread_number(); k < tiles * kAmounts * kTileNodes; k += stride) table.sums[k] = 0;
}

}  // namespace

CudaHairGrid::CudaHairGrid(int tile_limit, std::int64_t vertex_total)
    : tile_limit_(tile_limit),
      keys_(std::bit_ceil(static_cast<std::size_t>((vertex_total + tile_limit * 8) * 3 / 2))),
      tile_of_slot_(keys_.size()),
      slots_(static_cast<std::size_t>(tile_limit)),
      sums_(static_cast<std::size_t>(tile_limit) * kAmounts * kTileNodes),
      pushes_(static_cast<std::size_t>(tile_limit) * kPatchNodes),
      densities_(static_cast<std::size_t>(tile_limit) * kPatchNodes),
      counts_(1) {
    check_cuda(cudaMemset(keys_.data(), 0xff, keys_.byte_count()));
    check_cuda(cudaMemset(sums_.data(), 0, sums_.byte_count()));
    check_cuda(cudaMallocHost(reinterpret_cast<void**>(&counts_on_host_), sizeof(Counts)));
    check_cuda(cudaEventCreateWithFlags(&counted_, cudaEventDisableTiming));
}

CudaHairGrid::~CudaHairGrid() {
    cudaEventDestroy(counted_);
    cudaFreeHost(counts_on_host_);
}

CudaHairGrid::Table CudaHairGrid::table(float largest_volume) const {
    return {keys_.data(),   tile_of_slot_.data(),
            slots_.data(),  sums_.data(),
            pushes_.data(), densities_.data(),
            counts_.data(), static_cast<std::uint32_t>(keys_.size() - 1),
            tile_limit_,    largest_volume};
}

bool CudaHairGrid::couple(const DeviceStrands& strands, const DeviceCoupling& coupling,
                          cudaStream_t stream) {
    const int grid = vertex_grid(strands);
    // Blocks that go on until all is done: as many as the largest GPUs have at a time, or half.
    constexpr int kFindGrid = 1056, kTileGrid = 528;
    const int give_grid =
        parts_of(strands.group_count, kGiveGroups) * parts_of(strands.max_rows, kGiveRows);
    const Table here = table(coupling.largest_volume);
    const float cells = coupling.cells_per_metre;
    check_cuda(cudaMemsetAsync(counts_.data(), 0, counts_.byte_count(), stream));
    find_tiles<<<std::min(grid, kFindGrid), kVertexThreads, 0, stream>>>(here, strands, coupling.x,
                                                                         coupling.v, cells);
    find_tiles_above<<<kTileGrid, kThreads, 0, stream>>>(here);
    // From here on nothing is done where tiles do not fit: the device goes on while the host waits
    // to know.
    give_all<<<give_grid, kGiveThreads, 0, stream>>>(here, strands, coupling.x, coupling.v,
                                                     coupling.volume, cells, counts_on_host_);
    check_cuda(cudaEventRecord(counted_, stream));
    answer<<<kTileGrid, kThreads, 0, stream>>>(here, coupling.uniforms);
    take_answers<<<grid, kVertexThreads, 0, stream>>>(here, strands, coupling.uniforms, coupling.x,
                                                      coupling.v, coupling.density, cells);
    forget_tiles<<<kTileGrid, kThreads, 0, stream>>>(here);
    check_cuda(cudaGetLastError());
    check_cuda(cudaEventSynchronize(counted_));
    return counts_on_host_->tiles_with_hair + counts_on_host_->other_tiles <= tile_limit_;
}

}  // namespace ringlet
