// Segments in the order they must be blended, found on the GPU: nothing of it is read back.
#pragma once

#include <cstdint>

#include "picture/render_settings.h"
#include "render_gl/gl_objects.h"

namespace ringlet {

// What is to be sorted.
struct SortedStrands {
    GLuint controls = 0;  // buffer of ControlVertex
    std::size_t control_count = 0;
    int subdivision = 1;              // segments (and slots for them) per control vertex
    float nearest = 0, farthest = 1;  // depths of the strands, m
    StrandMode mode = StrandMode::ribbons;
    // Drawn vertices are left out where segments are no longer than this and stray no more from
    // their curve, pixels; 0: none is.
    float longest = 0, most_bow = 0;
    // Depth texture of what may hide strands, as large as the picture; 0: none.
    GLuint depths = 0;
    int width = 0, height = 0;
};

// By depth of the segments' middles, the farthest first, in 32767 steps; segments of one step keep
// their order, so the outcome is the same every time.
class StrandSort {
public:
    static Result<StrandSort> create();

    // Fills indices() and draw_command(). The frame block must be bound. Segments that reach in
    // front of the near distance or are hidden are left out, and those beyond what fits a storage
    // buffer of the driver (33 million on llvmpipe, the least known).
    void sort(const SortedStrands& strands);

    GLuint indices() const { return indices_.name(); }
    // For each control vertex whether the piece from there on is left out: 1 or 0.
    GLuint hidden() const { return hidden_.name(); }
    // For glDrawElementsIndirect.
    GLuint draw_command() const { return command_.name(); }

private:
    StrandSort() = default;
    void find_tiles(const SortedStrands& strands);
    void write_keys(const SortedStrands& strands, std::size_t controls);
    void pass(std::uint32_t shift, std::size_t slots);
    void write_indices(StrandMode mode, std::size_t slots);

    Program tiles_program_, keys_program_, count_program_, scan_program_, place_program_,
        indices_program_;
    // Sorting goes from the first of each pair to the second, and the pairs change places.
    StreamBuffer keys_, segments_, sorted_keys_, sorted_segments_;
    StreamBuffer counts_, tiles_, hidden_, command_, indices_;
    std::size_t max_storage_bytes_ = 0;
};

}  // namespace ringlet
