#include "render_gl/compute_strands.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "render_gl/control_ranges.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

constexpr std::size_t kSegmentsPerGroup = shader::kGroupSize * shader::kSegmentsPerThread;
// Two keys and two values, because the sort is double-buffered.
constexpr std::size_t kPairBytes = 4 * sizeof(GLuint);
constexpr std::size_t kMaxPairs = kMaxGroups * shader::kIndexGroupSize;
// Most pairs per segment for which the rounds suffice. Segments of one pixel have a little more
// than one, those of 14 pixels about 2.5.
constexpr std::size_t kPairsPerSegment = 4;
// The first round draws one in so many of all segments, and each round twice as many as the one
// before, up to the widest: the nearest segments make most tiles opaque, and the rest is listed
// only in the others.
constexpr std::size_t kFirstShare = 8, kWidestShare = 2;
// Fewer segments are drawn in one round, because every round costs a dozen dispatches. A software
// renderer gains more by hiding segments than it loses by dispatches.
constexpr std::size_t kSoftwareWindow = 1 << 19, kGpuWindow = 1 << 21;
constexpr std::size_t kMaxWindow = kMaxGroups * kSegmentsPerGroup;
constexpr std::size_t kMaxExtraRounds = 32;
constexpr float kCurveMargin = 0.02f;  // of the diagonal of the strands' box
// llvmpipe ends all loops of an invocation after 65535 iterations in total, so the lists of tiles
// are drawn in slices of so many segments there.
constexpr std::size_t kSoftwareSlice = 1 << 15, kWholeList = std::size_t{1} << 31;
// The memory of the lists unless the scene says otherwise.
constexpr std::size_t kSoftwareList = 32'000'000, kGpuList = 128'000'000;

std::size_t window_of(std::size_t slots, std::size_t share, std::size_t least) {
    return std::clamp(slots / share, std::min(slots, least), kMaxWindow);
}

// Rounds until every segment was in a window, and more in case the list ends windows early.
int count_rounds(std::size_t slots, std::size_t pairs, std::size_t first, std::size_t widest) {
    int rounds = 0;
    std::size_t window = first;
    for (std::size_t drawn = 0; drawn < slots; drawn += window, ++rounds)
        if (rounds > 0) window = std::min(2 * window, widest);
    const std::size_t lists = (kPairsPerSegment * slots + pairs - 1) / pairs;
    return rounds + static_cast<int>(std::clamp<std::size_t>(lists, 1, kMaxExtraRounds)) - 1;
}

// Round of shaders/round.glsl.
struct Round {
    GLuint visible, first, next, pair_count;
    GLuint count_groups[3], list_groups[3], range_groups[3], tile_groups[3], unbinned_groups[3];
    GLuint is_unfinished;
};

void dispatch_indirect(std::size_t offset) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    glDispatchComputeIndirect(static_cast<GLintptr>(offset));
}

}  // namespace

Result<ComputeStrands> ComputeStrands::create(TileShader shader) {
    auto pairs = RadixSort::create();
    if (!pairs) return pairs.error();
    ComputeStrands made(std::move(*pairs));
    const bool in_strips =
        shader == TileShader::strips || (shader == TileShader::by_driver && is_software_renderer());
    if (auto done = load_compute_programs(
            {{&made.round_program_, "strands_round.comp"},
             {&made.count_program_, "strands_count.comp"},
             {&made.scan_program_, "strands_scan.comp"},
             {&made.list_program_, "strands_list.comp"},
             {&made.ranges_program_, "strands_ranges.comp"},
             {&made.layer_program_, "layer.comp"},
             {&made.tile_program_, in_strips ? "strands_strips.comp" : "strands_pixels.comp"}});
        !done)
        return done.error();
    made.slice_ = is_software_renderer() ? kSoftwareSlice : kWholeList;
    made.least_window_ = is_software_renderer() ? kSoftwareWindow : kGpuWindow;
    made.usual_list_ = is_software_renderer() ? kSoftwareList : kGpuList;
    return made;
}

void ComputeStrands::choose_layer(const StrandStream& strands, const View& view, glm::ivec2 size,
                                  float lod) {
    const Vec3f extent = strands.bounds().high - strands.bounds().low;
    // Curves may leave the box of their vertices.
    const float around = kCurveMargin * norm(extent);
    const Vec3f margin{around, around, around};
    const PixelBox box = pixels_of({strands.bounds().low - margin, strands.bounds().high + margin},
                                   view.projection * view.matrix, view, size);
    scale_ = layer_scale(strands.crossings(), static_cast<double>(lod), box.high.x - box.low.x,
                         box.high.y - box.low.y);
    // Wide strands may reach beyond the box, but none of them are drawn into a finer layer.
    box_ = scale_ > 1 ? box : PixelBox{{0, 0}, size};
}

void ComputeStrands::set_layer(GLuint program) const {
    const glm::ivec2 size = (box_.high - box_.low) * scale_;
    glProgramUniform4i(program, shader::kLayerBoxUniform, box_.low.x, box_.low.y, size.x, size.y);
    glProgramUniform1i(program, shader::kLayerScaleUniform, scale_);
}

ComputeStrands::Plan ComputeStrands::first_plan(const StrandStream& strands,
                                                std::size_t list_bytes) const {
    Plan plan;
    const glm::ivec2 size = (box_.high - box_.low) * scale_;
    plan.across = whole_tiles(size.x) / shader::kTilePixels;
    plan.down = whole_tiles(size.y) / shader::kTilePixels;
    plan.tiles = static_cast<std::size_t>(plan.across) * static_cast<std::size_t>(plan.down);
    // One past the last tile marks pairs that are not drawn.
    plan.tile_bits = static_cast<std::uint32_t>(std::bit_width(plan.tiles));
    plan.slots = strands.segment_slots();
    // A list that holds every pair of one segment makes progress in each round.
    const std::size_t bytes = list_bytes > 0 ? list_bytes : usual_list_;
    const std::size_t wanted = std::min(bytes / kPairBytes, kPairsPerSegment * plan.slots);
    plan.pairs = std::clamp(wanted, plan.tiles, std::max(kMaxPairs, plan.tiles));
    plan.window = window_of(plan.slots, kFirstShare, least_window_);
    plan.widest = window_of(plan.slots, kWidestShare, least_window_);
    plan.rounds = count_rounds(plan.slots, plan.pairs, plan.window, plan.widest);
    return plan;
}

void ComputeStrands::reserve(const Plan& plan, const Targets& targets) {
    pairs_.reserve(plan.pairs);
    round_.reserve(sizeof(Round), GL_DYNAMIC_COPY);
    counts_.reserve(plan.widest * 2 * sizeof(GLuint), GL_DYNAMIC_COPY);
    sums_.reserve((plan.widest / kSegmentsPerGroup + 1) * sizeof(GLuint), GL_DYNAMIC_COPY);
    states_.reserve(plan.tiles * sizeof(GLuint), GL_DYNAMIC_COPY);
    ranges_.reserve(plan.tiles * 2 * sizeof(GLuint), GL_DYNAMIC_COPY);
    const int width = std::max(whole_tiles(targets.width()), kLayerSide);
    const int height = std::max(whole_tiles(targets.height()), kLayerSide);
    if (width != layer_width_ || height != layer_height_) {
        layer_width_ = width;
        layer_height_ = height;
        layer_ = make_texture_2d(GL_RGBA32F, width, height);
        mesh_left_ = make_texture_2d(GL_R32F, width, height);
    }
    // The previous frame may still write what is cleared here.
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    static_assert(shader::kEmptyTile == 0);
    glClearNamedBufferData(states_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void ComputeStrands::use(GLuint program, const Plan& plan) const {
    glUseProgram(program);
    glUniform1ui(shader::kWindowUniform, static_cast<GLuint>(plan.window));
    glUniform1ui(shader::kPairLimitUniform, static_cast<GLuint>(plan.pairs));
    glUniform2i(shader::kTileCountsUniform, plan.across, plan.down);
    bind_storage(shader::kRoundBinding, round_);
}

void ComputeStrands::advance(const Plan& plan, std::uint32_t stage) const {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    use(round_program_, plan);
    glUniform1ui(shader::kItemCountUniform, static_cast<GLuint>(plan.slots));
    glUniform1ui(shader::kStageUniform, stage);
    bind_storage(shader::kPairSizeBinding, pairs_.size());
    glDispatchCompute(1, 1, 1);
}

// Lists the pairs of a round and sorts them by tile. The sort is stable, so the segments of a tile
// stay in the order of their depth.
void ComputeStrands::bin(const StrandStream& strands, const Plan& plan, PassTimer& timer) {
    use(count_program_, plan);
    bind_storage(shader::kSortSegmentBinding, strands.order().segments());
    bind_storage(shader::kStrandVertexBinding, strands.drawn_buffer());
    bind_storage(shader::kPairCountBinding, counts_);
    bind_storage(shader::kPairSumBinding, sums_);
    bind_storage(shader::kTileStateBinding, states_);
    dispatch_indirect(offsetof(Round, count_groups));
    timer.end_part("strands: count");
    use(scan_program_, plan);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glDispatchCompute(1, 1, 1);
    timer.end_part("strands: scan");
    use(list_program_, plan);
    bind_storage(shader::kPairKeyBinding, pairs_.keys());
    bind_storage(shader::kPairValueBinding, pairs_.values());
    dispatch_indirect(offsetof(Round, list_groups));
    advance(plan, shader::kSizePasses);
    timer.end_part("strands: list");
    pairs_.sort(plan.tile_bits);
    timer.end_part("strands: sort");

    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glClearNamedBufferData(ranges_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    use(ranges_program_, plan);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, round_.name());
    bind_storage(shader::kPairKeyBinding, pairs_.keys());
    bind_storage(shader::kTileRangeBinding, ranges_);
    dispatch_indirect(offsetof(Round, range_groups));
}

void ComputeStrands::blend(const StrandStream& strands, const Plan& plan, bool is_unbinned) const {
    const std::size_t longest = is_unbinned ? plan.slots : plan.window;
    for (std::size_t first = 0; first < longest; first += slice_) {
        if (first > 0) advance(plan, shader::kNextSlice);
        blend_slice(strands, plan, is_unbinned, first);
    }
}

void ComputeStrands::blend_slice(const StrandStream& strands, const Plan& plan, bool is_unbinned,
                                 std::size_t first) const {
    use(tile_program_, plan);
    glUniform2ui(shader::kSliceUniform, static_cast<GLuint>(first), static_cast<GLuint>(slice_));
    glUniform1i(shader::kIsUnbinnedUniform, is_unbinned ? 1 : 0);
    bind_storage(shader::kSortSegmentBinding,
                 is_unbinned ? strands.order().segments() : pairs_.values());
    bind_storage(shader::kStrandVertexBinding, strands.drawn_buffer());
    bind_storage(shader::kTileRangeBinding, ranges_);
    bind_storage(shader::kTileStateBinding, states_);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    dispatch_indirect(is_unbinned ? offsetof(Round, unbinned_groups)
                                  : offsetof(Round, tile_groups));
}

void ComputeStrands::draw(const StrandStream& strands, const Targets& targets,
                          std::size_t list_bytes, PassTimer& timer) {
    Plan plan = first_plan(strands, list_bytes);
    reserve(plan, targets);
    set_layer(tile_program_);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, round_.name());
    glBindTextureUnit(shader::kInputUnit, targets.farthest());
    glBindTextureUnit(shader::kEdgeUnit, targets.edges());
    glBindImageTexture(shader::kLayerImage, layer_, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
    glBindImageTexture(shader::kMeshLeftImage, mesh_left_, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32F);
    bind_storage(shader::kSortKeyBinding, strands.order().keys());
    for (int round = 0; round < plan.rounds; ++round) {
        advance(plan, round == 0 ? shader::kFirstRound : shader::kNextRound);
        bin(strands, plan, timer);
        timer.end_part("strands: ranges");
        if (round == 0) timer.end_pass("bin");
        blend(strands, plan, false);
        timer.end_part("strands: tile");
        plan.window = std::min(2 * plan.window, plan.widest);
    }
    advance(plan, shader::kNextRound);
    blend(strands, plan, true);
    timer.end_part("strands: unbinned");
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
    glBindTextureUnit(shader::kInputUnit, 0);
    glBindTextureUnit(shader::kEdgeUnit, 0);
    blend_layer(plan, targets);
}

void ComputeStrands::blend_layer(const Plan& plan, const Targets& targets) const {
    glUseProgram(layer_program_);
    set_layer(layer_program_);
    glUniform2i(shader::kTileCountsUniform, plan.across, plan.down);
    bind_storage(shader::kTileStateBinding, states_);
    glBindTextureUnit(shader::kInputUnit, layer_);
    glBindTextureUnit(shader::kEdgeUnit, mesh_left_);
    glBindImageTexture(shader::kResolvedImage, targets.resolved(), 0, GL_FALSE, 0, GL_READ_WRITE,
                       GL_RGBA16F);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    constexpr int kSide = shader::kImageGroupSide;
    const glm::ivec2 groups = (box_.high - box_.low + kSide - 1) / kSide;
    glDispatchCompute(static_cast<GLuint>(groups.x), static_cast<GLuint>(groups.y), 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
    glBindTextureUnit(shader::kInputUnit, 0);
    glBindTextureUnit(shader::kEdgeUnit, 0);
}

}  // namespace ringlet
