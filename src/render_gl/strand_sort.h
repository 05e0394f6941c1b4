// Sorts the drawn segments by depth on the GPU. Nothing is read back to the CPU.
#pragma once

#include <cstdint>

#include "picture/render_settings.h"
#include "render_gl/gl_objects.h"
#include "render_gl/pass_timer.h"
#include "render_gl/radix_sort.h"

namespace ringlet {

struct SortInput {
    GLuint controls = 0;  // buffer of ControlVertex
    std::size_t control_count = 0;
    int subdivision = 1;              // segments (and slots for them) per control vertex
    float nearest = 0, farthest = 1;  // depths of the strands, m
    StrandMode mode = StrandMode::ribbons;
    // Drawn segments are merged while they stay below this length and this deviation from their
    // curve, in pixels; 0: never.
    float max_length = 0, max_deviation = 0;
    // Depth texture of the image; segments behind it are omitted. 0: none.
    GLuint depths = 0;
    int width = 0, height = 0;
};

// Sorts by the depth of the segments' middles in 32767 steps, the farthest first. The sort is
// stable, so the result is deterministic.
class StrandSort {
public:
    static Result<StrandSort> create();

    // Fills keys() and segments(), and in all modes but `compute` also indices() and
    // draw_command(). The frame block must be bound. Omits segments that cross
    // the near plane, hidden segments, and those beyond the driver's limit of a storage buffer
    // (33 million segments on llvmpipe, the smallest known).
    void sort(const SortInput& strands, PassTimer& timer);

    // The sorted keys, kHiddenKey for omitted segments, and the segments: the number of the first
    // drawn vertex, and in the upper bits the span (shaders/segment.glsl).
    GLuint keys() const { return order_.keys(); }
    GLuint segments() const { return order_.values(); }
    GLuint indices() const { return indices_.name(); }
    // For each control vertex the span of the drawn segments of the simulated segment that begins
    // there; 0 if that is omitted.
    GLuint spans() const { return spans_.name(); }
    // For glDrawElementsIndirect.
    GLuint draw_command() const { return command_.name(); }

private:
    explicit StrandSort(RadixSort order) : order_(std::move(order)) {}
    void reduce_depth_tiles(const SortInput& strands);
    void write_keys(const SortInput& strands, std::size_t controls);
    void write_indices(StrandMode mode, std::size_t slots);

    Program tiles_program_, keys_program_, indices_program_;
    RadixSort order_;
    StreamBuffer tiles_, spans_, command_, indices_;
    std::size_t max_storage_bytes_ = 0;
};

}  // namespace ringlet
