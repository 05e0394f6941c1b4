#include "render_gl/radix_sort.h"

#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

constexpr std::size_t kTile = shader::kSortTile;

// struct SortSize of shaders/sort.glsl.
struct SortSize {
    GLuint items = 0, groups[3] = {0, 1, 1};
};
constexpr GLintptr kGroupsOffset = sizeof(GLuint);

}  // namespace

Result<RadixSort> RadixSort::create(SortShader shader) {
    RadixSort sort;
    const bool is_serial =
        shader == SortShader::serial || (shader == SortShader::by_driver && is_software_renderer());
    sort.digit_bits_ = is_serial ? shader::kSerialDigitBits : shader::kParallelDigitBits;
    const auto choose = [&](const char* serial, const char* parallel) {
        return is_serial ? serial : parallel;
    };
    if (auto done = load_compute_programs(
            {{&sort.count_program_, choose("sort_count_serial.comp", "sort_count_parallel.comp")},
             {&sort.scan_program_, choose("sort_scan_serial.comp", "sort_scan_parallel.comp")},
             {&sort.scatter_program_,
              choose("sort_scatter_serial.comp", "sort_scatter_parallel.comp")}});
        !done)
        return done.error();
    return sort;
}

void RadixSort::reserve(std::size_t items) {
    for (StreamBuffer* buffer : {&keys_, &values_, &sorted_keys_, &sorted_values_})
        buffer->reserve(items * sizeof(GLuint), GL_DYNAMIC_COPY);
    const std::size_t digits = std::size_t{1} << digit_bits_;
    counts_.reserve(((items + kTile - 1) / kTile + 1) * digits * sizeof(GLuint), GL_DYNAMIC_COPY);
    size_.reserve(sizeof(SortSize), GL_DYNAMIC_COPY);
}

void RadixSort::set_size(std::size_t items) {
    const SortSize size{static_cast<GLuint>(items),
                        {static_cast<GLuint>((items + kTile - 1) / kTile), 1, 1}};
    size_.upload(&size, sizeof size);
}

void RadixSort::pass(std::uint32_t shift) {
    const auto use = [&](GLuint program) {
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        glUseProgram(program);
        glUniform1ui(shader::kSortShiftUniform, shift);
    };
    bind_storage(shader::kSortKeyBinding, keys_);
    bind_storage(shader::kSortSegmentBinding, values_);
    bind_storage(shader::kSortCountBinding, counts_);
    bind_storage(shader::kSortedKeyBinding, sorted_keys_);
    bind_storage(shader::kSortedSegmentBinding, sorted_values_);
    bind_storage(shader::kSortSizeBinding, size_);
    use(count_program_);
    glDispatchComputeIndirect(kGroupsOffset);
    use(scan_program_);
    glDispatchCompute(1u << digit_bits_, 1, 1);
    use(scatter_program_);
    glDispatchComputeIndirect(kGroupsOffset);
    std::swap(keys_, sorted_keys_);
    std::swap(values_, sorted_values_);
}

void RadixSort::sort(std::uint32_t bits) {
    glMemoryBarrier(GL_COMMAND_BARRIER_BIT);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, size_.name());
    for (std::uint32_t shift = 0; shift < bits; shift += digit_bits_) pass(shift);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, 0);
}

}  // namespace ringlet
