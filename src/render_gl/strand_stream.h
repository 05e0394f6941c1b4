// Uploads strands to the GPU. Each frame copies their positions, from the host or from the memory
// of a simulation on the same GPU, or computes those of children. Compute shaders turn them into
// control vertices, and shade, sort and draw these without reading anything back.
#pragma once

#include <algorithm>
#include <array>
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
    // predecessor; a strand whose root is not finite becomes a point of zero width. `first_strands`
    // is Picture::first_strands.
    void upload(const StrandView& strands, const View& view, const RenderSettings& settings,
                int height, const TaskPool& pool, PassTimer& timer,
                std::span<const int> first_strands = {});
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
    // Replaces kCrowdControls, for tests.
    void limit_crowd(double controls) { most_crowd_controls_ = controls; }

    // The simulated vertices among which the strand nearest to the light is searched.
    std::size_t searched_count() const { return searched_count_; }
    // Dispatches the current program, which reads shaders/strand_source.glsl, with one workgroup
    // per block of strands and layer.
    void dispatch_over_blocks(GLuint layers = 1) const;

    GLuint control_buffer() const { return control_buffer_.name(); }
    // The drawn vertices: two corners of a ribbon each, or one point in StrandMode::compute.
    GLuint drawn_buffer() const { return drawn_buffer_.name(); }
    const StrandSort& order() const { return sort_; }
    // Whether some of the strands are those of a coat of fur.
    bool has_fur() const { return has_fur_; }
    // The mean factor by which the level of detail widens strands.
    float widening() const { return widening_; }
    // The number of strands of a head, drawn or not, that cross a mean pixel of it.
    double crossings() const { return crossings_; }
    // Draws ribbons, lines, or one tessellation patch per simulated segment, from back to front, in
    // the mode of the last upload. The current program must match that mode.
    void draw() const;
    // The usable_mode() of the last upload.
    StrandMode mode() const { return mode_; }

private:
    // A strand by its place in the layout (shaders/strand_slots.glsl).
    struct StrandSlot {
        std::uint32_t count = 0;  // of vertices; 0: padding
        std::uint32_t head = 0;
        std::uint32_t root = 0;  // index of the root in a channel of one component
        // StrandOrder::first_control(), by the vertices that are skipped.
        std::array<std::uint32_t, shader::kVertexSteps> first_controls{};
        // Hair has a random number in [0, 1) as the bits of a 16-bit float, and shader::kHair. Fur
        // has the bits of its tones at the root and at the tip.
        std::array<std::uint32_t, 2> tones{};
    };
    // The part of a head that is drawn (shaders/strand_slots.glsl).
    struct DrawnHead {
        std::uint32_t first_control, control_count;
        std::uint32_t skip;               // only every 2^skip-th vertex has a control vertex
        std::uint32_t searched_controls;  // the nearest strand is searched in so many, none skipped
        float width;                      // factor of the radius
        float fading_controls;            // so many of the last control vertices get thinner
    };
    // How positions reach the GPU.
    enum class Way { none, from_host, from_device, by_shader };
    // The blocks processed by one dispatch.
    struct Batch {
        int first_block, last_block;
        std::size_t first_row, last_row;
    };
    // Sums over a sample of the strands of a head, in metres.
    struct Sample {
        // The sum over all segments, by the vertices that are skipped.
        std::array<float, shader::kVertexSteps> length{};
        float deviation = 0;  // of all curves from their segments
        float width = 0;
        std::size_t segments = 0, strands = 0;
        Bounds bounds;     // of the sample, or of all strands if there is one head
        float pixels = 0;  // per metre

        float each() const {
            return pixels / static_cast<float>(std::max<std::size_t>(segments, 1));
        }
    };

    StrandStream(StrandSort sort, ChildPass children);
    void set_layout(const StrandView& strands, std::span<const int> first_strands,
                    const TaskPool& pool);
    StrandSlot slot_of(const StrandView& strands, int slot) const;
    void build_batches(const StrandLayout& layout);
    Way upload_positions(const StrandView& strands, const TaskPool& pool, PassTimer& timer);
    bool copy_from_host(const StrandView& strands, const TaskPool& pool, PassTimer& timer);
    void upload_appearance(const StrandView& strands);
    bool copy_from_device(const StrandView& strands);
    bool survey_guides(const StrandView& strands, const TaskPool& pool, PassTimer& timer);
    void compute_children();
    void bind_slots(const Batch& batch) const;
    void bind_blocks(const Batch& batch) const;
    void bind_appearance(const Batch& batch) const;
    void bind_rows(const Batch& batch, int binding, const StreamBuffer& channel,
                   std::size_t components) const;
    void build_controls();
    void measure_heads(const StrandView& strands, const View& view, int height);
    void add_to_sample(int strand, const Vec3f* vertices, Sample& sum) const;
    StrandCrowd crowd_of(int head, const View& view, float width) const;
    static int skip_of(const Sample& sample);
    void choose_detail(const View& view, const RenderSettings& settings);
    void fit_crowd(bool may_skip);
    void choose_subdivision(const RenderSettings& settings);
    void place_heads(float width);
    // Samples every n-th strand.
    int sample_stride() const;

    LayoutRef layout_;  // of the members up to has_fur_
    StrandOrder order_;
    std::vector<Batch> batches_;
    std::size_t row_count_ = 0;
    bool has_segments_ = false;
    bool has_fur_ = false;

    std::vector<Bounds> block_bounds_;
    StrandSurvey survey_;
    Bounds bounds_{};
    Way way_ = Way::none;
    // The channels in the buffers, or null if they must be uploaded again. Not owned.
    const Channel<3>* colour_ = nullptr;
    const Channel<1>* radius_ = nullptr;
    // Per head.
    std::vector<Sample> samples_;
    std::vector<HeadDetail> details_;
    std::vector<DrawnHead> drawn_heads_;
    double most_crowd_controls_ = kCrowdControls;
    float widening_ = 1;
    double crossings_ = 0;
    std::size_t searched_count_ = 0;
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
    StreamBuffer slot_buffer_, head_buffer_, control_buffer_, drawn_buffer_;
    std::unique_ptr<DeviceTarget> position_target_;  // refers to position_buffer_; may be null
    bool target_refused_ = false;
    VertexArray ribbon_layout_;
    std::size_t max_storage_bytes_ = 0;
};

}  // namespace ringlet
