// Uploads strands to the GPU. Each frame copies their positions, from the host or from the memory
// of a simulation on the same GPU, or computes those of children. Compute shaders turn them into
// control vertices, and shade, sort and draw these without reading anything back.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "base/parallel.h"
#include "geom/mesh.h"
#include "render_gl/child_pass.h"
#include "render_gl/gl_objects.h"
#include "render_gl/pass_timer.h"
#include "render_gl/strand_detail.h"
#include "render_gl/strand_sort.h"
#include "render_gl/upload_ring.h"
#include "render_gl/view.h"
#include "strand/device_positions.h"
#include "strand/strand_set.h"

namespace ringlet {

// A simulated vertex as the shaders read it (struct Control of shaders/curve.glsl).
struct ControlVertex {
    Vec3f position;
    float radius;                   // m, as drawn
    std::uint32_t colour_rg;        // halves
    std::uint32_t colour_b_random;  // halves: blue, and random_of() of shaders/curve.glsl
    std::int16_t tangent[3];        // unit, root to tip, in 1/32767
    std::uint16_t along;            // 0 at the root, 65535 at the tip; a single vertex is a tip
};
static_assert(sizeof(ControlVertex) == 32);

// Limits of the subdivision in pixels: the length of drawn segments, so that shading can vary along
// them, and their deviation from the curve, so that a curl of a few vertices looks round.
inline constexpr float kPixelsPerSegment = 14;
inline constexpr float kCurveTolerance = 0.35f;
inline constexpr int kMaxSubdivision = 8;

// The size of a drawn vertex: two ribbon corners (shaders/strand_shade.comp), or a StrandVertex of
// shaders/segment.glsl.
inline constexpr std::size_t kCornerPairBytes = 64, kStrandVertexBytes = 24;

// The compute rasteriser needs all drawn vertices in one storage buffer. Returns ribbons instead of
// compute where they do not fit (5.5 million vertices on llvmpipe, the smallest limit known).
constexpr StrandMode usable_mode(StrandMode wanted, std::size_t vertices,
                                 std::size_t max_storage_bytes) {
    const bool fits = vertices * kStrandVertexBytes <= max_storage_bytes;
    return wanted == StrandMode::compute && !fits ? StrandMode::ribbons : wanted;
}

// Shadows and the density grid sample every n-th part of the strands when there are more vertices
// than `enough`. 1 to 4.
GLuint light_stride(std::size_t vertices, std::size_t enough, std::size_t widest);

class StrandStream {
public:
    static Result<StrandStream> create();

    // Copies the strands to the GPU and builds their control vertices. The subdivision depends on
    // the image's `height` in pixels. A vertex that is not finite takes the position of its
    // predecessor; a strand whose root is not finite becomes a point of zero width.
    void upload(const StrandView& strands, const View& view, const RenderSettings& settings,
                int height, const TaskPool& pool, PassTimer& timer);
    // Sorts the drawn segments from back to front. The frame block must be bound. Omits segments
    // hidden by `depths`, a depth texture of the given size.
    void sort(const View& view, PassTimer& timer, GLuint depths = 0, int width = 0, int height = 0);

    bool empty() const { return control_count_ == 0 || !has_segments_; }
    std::size_t control_count() const { return control_count_; }
    // Drawn vertices (and slots for segments) per control vertex: the curve from control c to c + 1
    // has drawn vertices c * subdivision + j.
    int subdivision() const { return subdivision_; }
    std::size_t segment_slots() const {
        return control_count_ * static_cast<std::size_t>(subdivision_);
    }
    const Bounds& bounds() const { return bounds_; }
    // Whether the last upload copied the positions from a device rather than from the host.
    bool is_from_device() const { return way_ == Way::from_device; }
    // Whether the last upload computed children on the GPU.
    bool has_computed_children() const { return way_ == Way::by_shader; }
    void compute_children(bool wanted) { computes_children_ = wanted; }

    // The simulated vertices of all strands, drawn or not.
    std::size_t source_count() const { return order_.control_count(); }
    // Dispatches the current program, which reads shaders/strand_source.glsl, with one invocation
    // of shader::kGroupSize per simulated vertex.
    void dispatch_over_sources() const;

    GLuint control_buffer() const { return control_buffer_.name(); }
    // The drawn vertices: two corners of a ribbon each, or one point in StrandMode::compute.
    GLuint drawn_buffer() const { return drawn_buffer_.name(); }
    const StrandSort& order() const { return sort_; }
    const StrandDetail& detail() const { return detail_; }
    // The number of strands, drawn or not, that cross a mean pixel.
    double crossings() const { return crossings_; }
    // Draws ribbons, lines, or one tessellation patch per simulated segment, from back to front, in
    // the mode of the last upload. The current program must match that mode.
    void draw() const;
    // The usable_mode() of the last upload.
    StrandMode mode() const { return mode_; }

private:
    // The vertex that a control vertex is built from (shaders/strand_gather.comp).
    struct ControlSource {
        std::uint32_t root;  // index of the strand's root in a channel of one component
        // The numbers of the vertex along the strand and of the tip. The upper 8 bits are the lower
        // and the upper half of a 16-bit float: the strand's random number in [0, 1), or the tone
        // of its fur.
        std::uint32_t vertex, last;
        std::uint32_t control;  // number of the control vertex
    };
    // How positions reach the GPU.
    enum class Way { none, from_host, from_device, by_shader };
    // The blocks processed by one dispatch.
    struct Batch {
        int first_block, last_block;
        std::size_t first_row, last_row;
        std::size_t first_source, last_source;
    };
    // Sums over a sample of the strands, in metres.
    struct Sample {
        float length = 0, deviation = 0;  // of all segments; deviation from their chord
        float width = 0;
        std::size_t segments = 0, strands = 0;
    };

    StrandStream(StrandSort sort, ChildPass children);
    void set_layout(const StrandView& strands);
    void list_sources(const StrandView& strands, std::vector<ControlSource>& sources);
    void add_source(const StrandView& strands, int strand, int i,
                    std::vector<ControlSource>& sources) const;
    void build_batches(const StrandLayout& layout);
    Way upload_positions(const StrandView& strands, const TaskPool& pool, PassTimer& timer);
    bool copy_from_host(const StrandView& strands, const TaskPool& pool, PassTimer& timer);
    void upload_appearance(const StrandView& strands);
    bool copy_from_device(const StrandView& strands);
    bool compute_from_guides(const StrandView& strands, const TaskPool& pool, PassTimer& timer);
    void bind_sources(const Batch& batch) const;
    void bind_appearance(const Batch& batch) const;
    void bind_rows(const Batch& batch, int binding, const StreamBuffer& channel,
                   std::size_t components) const;
    void build_controls(float width);
    Sample measure_sample(const StrandView& strands) const;
    void choose_detail(const StrandView& strands, const View& view, const RenderSettings& settings,
                       int height);
    // Samples every n-th strand.
    int sample_stride() const { return static_cast<int>(order_.control_count() / 5000 + 1); }

    LayoutRef layout_;  // of the members up to has_segments_
    StrandOrder order_;
    std::vector<std::size_t> first_sources_;  // per block, and the number of all
    std::vector<Batch> batches_;
    std::size_t row_count_ = 0;
    bool has_segments_ = false;

    std::vector<Bounds> block_bounds_;
    StrandSurvey survey_;
    Bounds bounds_{};
    Way way_ = Way::none;
    // The channels in the buffers, or null if they must be uploaded again. Not owned.
    const Channel<3>* colour_ = nullptr;
    const Channel<1>* radius_ = nullptr;
    StrandDetail detail_;
    double crossings_ = 0;
    std::size_t control_count_ = 0;  // of the drawn strands
    int subdivision_ = 1;
    bool fixed_subdivision_ = false;
    StrandMode mode_ = StrandMode::ribbons;

    Program gather_program_;
    StrandSort sort_;
    ChildPass children_;
    bool computes_children_;
    bool has_children_ = false;      // whether `children_` holds the current layout
    bool children_refused_ = false;  // whether the driver cannot hold them
    UploadRing ring_;
    StreamBuffer position_buffer_, colour_buffer_, radius_buffer_;
    StreamBuffer source_buffer_, control_buffer_, drawn_buffer_;
    std::unique_ptr<DeviceTarget> position_target_;  // refers to position_buffer_; may be null
    bool target_refused_ = false;
    VertexArray ribbon_layout_;
    std::size_t max_storage_bytes_ = 0;
};

}  // namespace ringlet
