#include "render_gl/strand_sort.h"

#include <algorithm>

#include "render_gl/control_ranges.h"

namespace ringlet {

namespace {

// As in shaders/sort.glsl.
constexpr std::uint32_t kDigitBits = 5, kKeyBits = 15;
constexpr std::size_t kDigits = 1 << kDigitBits, kTile = 128 * 32;
constexpr float kNearestKey = 32766;

// Local sizes of shaders/depth_tiles.comp, shaders/sort_keys.comp and shaders/sort_indices.comp.
constexpr std::size_t kTileGroup = 64, kKeyGroup = 64, kIndexGroup = 256;
constexpr int kTilePixels = 8;    // as in the first two
constexpr GLuint kDepthUnit = 8;  // as in the first

// DrawElementsIndirectCommand of OpenGL.
struct DrawCommand {
    GLuint index_count = 0, instances = 1, first_index = 0;
    GLint base_vertex = 0;
    GLuint first_instance = 0;
};

std::size_t indices_per_segment(StrandMode mode) {
    return mode == StrandMode::tessellation ? 1 : mode == StrandMode::lines ? 2 : 6;
}

void bind_storage(GLuint binding, const StreamBuffer& buffer) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer.name());
}

}  // namespace

Result<StrandSort> StrandSort::create() {
    StrandSort sort;
    if (auto done = load_compute_programs({{&sort.tiles_program_, "depth_tiles.comp"},
                                           {&sort.keys_program_, "sort_keys.comp"},
                                           {&sort.count_program_, "sort_count.comp"},
                                           {&sort.scan_program_, "sort_scan.comp"},
                                           {&sort.place_program_, "sort_place.comp"},
                                           {&sort.indices_program_, "sort_indices.comp"}});
        !done)
        return done.error();
    sort.max_storage_bytes_ = max_storage_bytes();
    return sort;
}

void StrandSort::find_tiles(const SortedStrands& strands) {
    const int across = (strands.width + kTilePixels - 1) / kTilePixels;
    const int down = (strands.height + kTilePixels - 1) / kTilePixels;
    const std::size_t count = static_cast<std::size_t>(across) * static_cast<std::size_t>(down);
    tiles_.reserve(count * sizeof(float), GL_DYNAMIC_COPY);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
    glUseProgram(tiles_program_);
    glUniform2i(0, across, down);
    glBindTextureUnit(kDepthUnit, strands.depths);
    bind_storage(4, tiles_);
    dispatch(count, kTileGroup);
    glBindTextureUnit(kDepthUnit, 0);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(keys_program_);
    glUniform2i(5, across, down);
}

void StrandSort::write_keys(const SortedStrands& strands, std::size_t controls) {
    const float keys_per_metre = kNearestKey / std::max(strands.farthest - strands.nearest, 1e-6f);
    glUseProgram(keys_program_);
    glUniform2i(5, 0, 0);
    if (strands.depths) find_tiles(strands);
    glUniform1ui(2, static_cast<GLuint>(strands.subdivision));
    glUniform2f(3, strands.farthest, keys_per_metre);
    glUniform2f(4, strands.longest, strands.most_bow);
    bind_storage(2, keys_);
    bind_storage(3, segments_);
    bind_storage(5, hidden_);
    dispatch_over_controls(strands.controls, controls, kKeyGroup, max_storage_bytes_);
}

void StrandSort::pass(std::uint32_t shift, std::size_t slots) {
    const std::size_t tiles = (slots + kTile - 1) / kTile;
    const auto use = [&](GLuint program) {
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        glUseProgram(program);
        glUniform1ui(0, shift);
        glUniform1ui(1, static_cast<GLuint>(slots));
        glUniform1ui(2, static_cast<GLuint>(tiles));
    };
    bind_storage(0, keys_);
    bind_storage(1, segments_);
    bind_storage(2, counts_);
    bind_storage(3, sorted_keys_);
    bind_storage(4, sorted_segments_);
    use(count_program_);
    dispatch(tiles, 1);
    use(scan_program_);
    dispatch(kDigits, 1);
    use(place_program_);
    dispatch(tiles, 1);
    std::swap(keys_, sorted_keys_);
    std::swap(segments_, sorted_segments_);
}

void StrandSort::write_indices(StrandMode mode, std::size_t slots) {
    const std::size_t each = indices_per_segment(mode);
    indices_.reserve(slots * each * sizeof(GLuint), GL_DYNAMIC_COPY);
    const std::size_t most =
        std::min(max_storage_bytes_ / (each * sizeof(GLuint)), kMaxGroups * kIndexGroup);
    const std::size_t chunk = std::max(most / kIndexGroup, std::size_t{1}) * kIndexGroup;
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(indices_program_);
    glUniform1ui(2, static_cast<GLuint>(each));
    glUniform1ui(3, static_cast<GLuint>(slots));
    bind_storage(0, keys_);
    bind_storage(1, segments_);
    bind_storage(4, command_);
    for (std::size_t first = 0; first < slots; first += chunk) {
        const std::size_t last = std::min(first + chunk, slots);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 3, indices_.name(),
                          static_cast<GLintptr>(first * each * sizeof(GLuint)),
                          static_cast<GLsizeiptr>((last - first) * each * sizeof(GLuint)));
        glUniform1ui(0, static_cast<GLuint>(first));
        glUniform1ui(1, static_cast<GLuint>(last));
        dispatch(last - first, kIndexGroup);
    }
    glMemoryBarrier(GL_ELEMENT_ARRAY_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

void StrandSort::sort(const SortedStrands& strands) {
    const auto steps = static_cast<std::size_t>(strands.subdivision);
    const std::size_t fitting =
        std::min(strands.control_count, max_storage_bytes_ / sizeof(GLuint) / steps);
    const std::size_t slots = fitting * steps;
    for (StreamBuffer* buffer : {&keys_, &segments_, &sorted_keys_, &sorted_segments_})
        buffer->reserve(slots * sizeof(GLuint), GL_DYNAMIC_COPY);
    hidden_.reserve(strands.control_count * sizeof(GLuint), GL_DYNAMIC_COPY);
    counts_.reserve(((slots + kTile - 1) / kTile + 1) * kDigits * sizeof(GLuint), GL_DYNAMIC_COPY);
    const DrawCommand nothing;
    command_.upload(&nothing, sizeof nothing);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    write_keys(strands, fitting);
    for (std::uint32_t shift = 0; shift < kKeyBits; shift += kDigitBits) pass(shift, slots);
    write_indices(strands.mode, slots);
}

}  // namespace ringlet
