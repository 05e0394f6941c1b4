#include "render_gl/strand_sort.h"

#include <algorithm>

#include "render_gl/control_ranges.h"

namespace ringlet {

namespace {

// As in shaders/sort.glsl.
constexpr std::uint32_t kDigitBits = 4, kKeyBits = 16;
constexpr std::size_t kDigits = 1 << kDigitBits, kTile = 256 * 16;
constexpr float kNearestKey = 65534;

constexpr std::size_t kGroup = 256;  // local size of every shader here

// DrawElementsIndirectCommand, and the number of segments it draws.
struct DrawnBlock {
    GLuint index_count, instances, first_index;
    GLint base_vertex;
    GLuint first_instance, visible;
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
    if (auto done = load_compute_programs({{&sort.keys_program_, "sort_keys.comp"},
                                           {&sort.count_program_, "sort_count.comp"},
                                           {&sort.scan_program_, "sort_scan.comp"},
                                           {&sort.place_program_, "sort_place.comp"},
                                           {&sort.indices_program_, "sort_indices.comp"}});
        !done)
        return done.error();
    sort.max_storage_bytes_ = max_storage_bytes();
    sort.drawn_.reserve(sizeof(DrawnBlock), GL_DYNAMIC_COPY);
    return sort;
}

void StrandSort::write_keys(const SortedStrands& strands, std::size_t slots) {
    const float keys_per_metre =
        kNearestKey / std::max(strands.farthest - strands.nearest, 1e-6f);
    glUseProgram(keys_program_);
    glUniform1ui(3, static_cast<GLuint>(strands.subdivision));
    glUniform2f(4, strands.farthest, keys_per_metre);
    bind_storage(2, keys_);
    bind_storage(3, segments_);
    bind_storage(4, drawn_);
    const auto steps = static_cast<std::size_t>(strands.subdivision);
    for_each_control_range(
        slots / steps, steps, 1, kGroup, max_storage_bytes_,
        [&](const ControlRange& range) {
            bind_controls(strands.controls, range);
            glUniform1ui(0, static_cast<GLuint>(range.from));
            glUniform1ui(1, static_cast<GLuint>(range.first * steps));
            glUniform1ui(2, static_cast<GLuint>((range.last - range.first) * steps));
            dispatch((range.last - range.first) * steps, kGroup);
        });
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
    const std::size_t most = std::min(max_storage_bytes_ / (each * sizeof(GLuint)),
                                      kMaxGroups * kGroup);
    const std::size_t chunk = std::max(most / kGroup, std::size_t{1}) * kGroup;
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(indices_program_);
    glUniform1ui(2, static_cast<GLuint>(each));
    bind_storage(0, segments_);
    bind_storage(4, drawn_);
    for (std::size_t first = 0; first < slots; first += chunk) {
        const std::size_t count = std::min(chunk, slots - first);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 3, indices_.name(),
                          static_cast<GLintptr>(first * each * sizeof(GLuint)),
                          static_cast<GLsizeiptr>(count * each * sizeof(GLuint)));
        glUniform1ui(0, static_cast<GLuint>(first));
        glUniform1ui(1, static_cast<GLuint>(count));
        dispatch(count, kGroup);
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
    counts_.reserve(((slots + kTile - 1) / kTile + 1) * kDigits * sizeof(GLuint), GL_DYNAMIC_COPY);
    const GLuint nothing = 0;
    glClearNamedBufferData(drawn_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    write_keys(strands, slots);
    for (std::uint32_t shift = 0; shift < kKeyBits; shift += kDigitBits) pass(shift, slots);
    write_indices(strands.mode, slots);
}

}  // namespace ringlet
