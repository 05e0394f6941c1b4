#include "render_gl/strand_sort.h"

#include <algorithm>

#include "render_gl/control_ranges.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

constexpr std::size_t kIndexGroup = shader::kIndexGroupSize;

// DrawElementsIndirectCommand of OpenGL.
struct DrawCommand {
    GLuint index_count = 0, instances = 1, first_index = 0;
    GLint base_vertex = 0;
    GLuint first_instance = 0;
};

std::size_t indices_per_segment(StrandMode mode) {
    return mode == StrandMode::tessellation ? 1 : mode == StrandMode::lines ? 2 : 6;
}

}  // namespace

Result<StrandSort> StrandSort::create() {
    auto order = RadixSort::create();
    if (!order) return order.error();
    StrandSort sort(std::move(*order));
    if (auto done = load_compute_programs({{&sort.tiles_program_, "depth_tiles.comp"},
                                           {&sort.keys_program_, "sort_keys.comp"},
                                           {&sort.indices_program_, "sort_indices.comp"}});
        !done)
        return done.error();
    sort.max_storage_bytes_ = max_storage_bytes();
    return sort;
}

void StrandSort::reduce_depth_tiles(const SortInput& strands) {
    constexpr int kSide = shader::kDepthTilePixels;
    const int across = (strands.width + kSide - 1) / kSide;
    const int down = (strands.height + kSide - 1) / kSide;
    const std::size_t count = static_cast<std::size_t>(across) * static_cast<std::size_t>(down);
    tiles_.reserve(count * sizeof(float), GL_DYNAMIC_COPY);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
    glUseProgram(tiles_program_);
    glUniform2i(shader::kTileCountsUniform, across, down);
    glBindTextureUnit(shader::kInputUnit, strands.depths);
    bind_storage(shader::kDepthTileBinding, tiles_);
    dispatch(count, shader::kGroupSize);
    glBindTextureUnit(shader::kInputUnit, 0);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(keys_program_);
    glUniform2i(shader::kTileCountsUniform, across, down);
}

void StrandSort::write_keys(const SortInput& strands, std::size_t controls) {
    const float keys_per_metre = static_cast<float>(shader::kNearestKey) /
                                 std::max(strands.farthest - strands.nearest, 1e-6f);
    glUseProgram(keys_program_);
    glUniform2i(shader::kTileCountsUniform, 0, 0);
    if (strands.depths) reduce_depth_tiles(strands);
    glUniform1ui(shader::kSubdivisionUniform, static_cast<GLuint>(strands.subdivision));
    glUniform2f(shader::kDepthKeysUniform, strands.farthest, keys_per_metre);
    glUniform2f(shader::kSegmentLimitsUniform, strands.max_length, strands.max_deviation);
    bind_storage(shader::kNewKeyBinding, order_.keys());
    bind_storage(shader::kNewSegmentBinding, order_.values());
    bind_storage(shader::kSpanBinding, spans_);
    dispatch_over_controls(strands.controls, controls, shader::kGroupSize, max_storage_bytes_);
}

void StrandSort::write_indices(StrandMode mode, std::size_t slots) {
    const std::size_t each = indices_per_segment(mode);
    indices_.reserve(slots * each * sizeof(GLuint), GL_DYNAMIC_COPY);
    const std::size_t fitting =
        std::min(max_storage_bytes_ / (each * sizeof(GLuint)), kMaxGroups * kIndexGroup);
    const std::size_t chunk = std::max(fitting / kIndexGroup, std::size_t{1}) * kIndexGroup;
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(indices_program_);
    glUniform1ui(shader::kIndicesPerSegmentUniform, static_cast<GLuint>(each));
    glUniform1ui(shader::kItemCountUniform, static_cast<GLuint>(slots));
    bind_storage(shader::kSortKeyBinding, order_.keys());
    bind_storage(shader::kSortSegmentBinding, order_.values());
    bind_storage(shader::kCommandBinding, command_);
    for (std::size_t first = 0; first < slots; first += chunk) {
        const std::size_t last = std::min(first + chunk, slots);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, shader::kIndexBinding, indices_.name(),
                          static_cast<GLintptr>(first * each * sizeof(GLuint)),
                          static_cast<GLsizeiptr>((last - first) * each * sizeof(GLuint)));
        glUniform1ui(shader::kFirstItemUniform, static_cast<GLuint>(first));
        glUniform1ui(shader::kLastItemUniform, static_cast<GLuint>(last));
        dispatch(last - first, kIndexGroup);
    }
    glMemoryBarrier(GL_ELEMENT_ARRAY_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

void StrandSort::sort(const SortInput& strands, PassTimer& timer) {
    const auto steps = static_cast<std::size_t>(strands.subdivision);
    const std::size_t fitting =
        std::min(strands.control_count, max_storage_bytes_ / sizeof(GLuint) / steps);
    const std::size_t slots = fitting * steps;
    order_.reserve(slots);
    order_.set_size(slots);
    spans_.reserve(strands.control_count * sizeof(GLuint), GL_DYNAMIC_COPY);
    const DrawCommand nothing;
    command_.upload(&nothing, sizeof nothing);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    write_keys(strands, fitting);
    timer.end_part("sort: keys");
    order_.sort(shader::kSortKeyBits);
    timer.end_part("sort: radix");
    if (strands.mode != StrandMode::compute) write_indices(strands.mode, slots);
}

}  // namespace ringlet
