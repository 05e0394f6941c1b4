// A stable radix sort of pairs of 32-bit numbers on the GPU. Nothing is read back to the CPU.
#pragma once

#include <cstdint>

#include "render_gl/gl_objects.h"

namespace ringlet {

// How invocations divide the work: by_driver chooses what is faster.
enum class SortShader { by_driver, serial, parallel };

class RadixSort {
public:
    static Result<RadixSort> create(SortShader shader = SortShader::by_driver);

    // Makes room for `items`. The contents of the buffers are undefined if that reallocates.
    void reserve(std::size_t items);
    // The buffers to fill before sort(). sort() exchanges them, so these names are invalid
    // after it.
    GLuint keys() const { return keys_.name(); }
    GLuint values() const { return values_.name(); }
    // The number of items and the workgroups that sort them: struct SortSize of shaders/sort.glsl.
    // A shader may write it instead of set_size().
    GLuint size() const { return size_.name(); }
    void set_size(std::size_t items);
    // Sorts by the lowest `bits` bits of the keys. Items with equal keys keep their order. Inserts
    // the barriers between its own passes and before the first.
    void sort(std::uint32_t bits);

private:
    void pass(std::uint32_t shift);

    Program count_program_, scan_program_, scatter_program_;
    std::uint32_t digit_bits_ = 0;
    // Double-buffered: each pass reads the first two and writes the others, then exchanges them.
    StreamBuffer keys_, values_, sorted_keys_, sorted_values_;
    StreamBuffer counts_, size_;
};

}  // namespace ringlet
