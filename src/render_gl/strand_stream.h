// Strands on their way to the GPU: gathered from the strand layout once a frame, sorted by depth.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "geom/mesh.h"
#include "render_gl/gl_objects.h"
#include "render_gl/strand_sort.h"
#include "render_gl/view.h"
#include "strand/strand_set.h"

namespace ringlet {

// A simulated vertex as the shaders read it (struct Control of shaders/strand_shade.comp).
struct ControlVertex {
    Vec3f position;
    float radius;                   // m, as drawn
    std::uint32_t colour_rg;        // halves
    std::uint32_t colour_b_random;  // halves: blue, and a number in [0, 1) of the strand's own
    std::int16_t tangent[3];        // unit, root to tip, in 1/32767
    std::uint16_t along;            // kRoot, kTip, or the place between them; a lone root is kTip
};
static_assert(sizeof(ControlVertex) == 32);

inline constexpr std::uint16_t kRoot = 0, kTip = 65535;

// How finely curves are divided: pieces no longer than this, so that light can change along them,
// and no farther from the curve than that, so that a curl of a few vertices looks round; pixels.
inline constexpr float kPixelsPerSegment = 14;
inline constexpr float kCurveTolerance = 0.35f;
inline constexpr int kMaxSubdivision = 8;

class StrandStream {
public:
    StrandStream();

    // Reads the strands and uploads them; `height` of the picture in pixels decides how finely
    // curves are divided. Vertices that are not finite take their predecessor's place; a strand
    // with a broken root becomes a point without width.
    void gather(const StrandView& strands, const View& view, const Look& look, int height,
                const TaskPool& pool);
    // Fills the index buffer of what is drawn from back to front. Segments that reach in front of
    // the near distance are left out.
    void sort(const View& view, const TaskPool& pool);

    bool empty() const { return segment_slots() == 0 || !has_segments_; }
    std::span<const ControlVertex> controls() const { return controls_; }
    // Drawn vertices (and slots for segments) per control vertex: the curve from control c to c + 1
    // has drawn vertices c * subdivision + j.
    int subdivision() const { return subdivision_; }
    std::size_t segment_slots() const {
        return controls_.size() * static_cast<std::size_t>(subdivision_);
    }
    const Bounds& bounds() const { return bounds_; }

    GLuint control_buffer() const { return control_buffer_.name(); }
    GLuint ribbon_buffer() const { return ribbon_buffer_.name(); }
    // The shaded vertices in the mode last gathered for: ribbons or lines, or one patch per
    // simulated segment; from back to front. The program must fit.
    void draw() const;
    StrandMode mode() const { return mode_; }
    // Control polygons of every line_stride()-th strand, as lines.
    void draw_lines() const;
    int line_stride() const { return line_stride_; }

private:
    void place_strands(const StrandLayout& layout);
    void gather_block(const StrandView& strands, int block, float width);
    void measure_bounds(const TaskPool& pool);
    void upload_controls(const TaskPool& pool);
    void choose_subdivision(const View& view, const Look& look, int height);
    void build_lines(const StrandLayout& layout);
    void write_keys(const View& view, const TaskPool& pool);
    void write_indices(const TaskPool& pool);

    std::vector<ControlVertex> controls_;
    std::vector<std::uint32_t> first_controls_;  // [block][lane]
    std::vector<float> depths_;
    std::vector<SortItem> items_;
    std::vector<std::uint32_t> line_indices_;
    RadixSort radix_sort_;
    Bounds bounds_{};
    int subdivision_ = 1;
    int line_stride_ = 1;
    StrandMode mode_ = StrandMode::ribbons;
    bool has_segments_ = false;
    std::size_t visible_segments_ = 0;

    StreamBuffer control_buffer_, line_buffer_, ribbon_buffer_, index_buffer_;
    VertexArray line_layout_, ribbon_layout_;
};

}  // namespace ringlet
