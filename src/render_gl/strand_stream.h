// Strands on their way to the GPU: their positions are copied there once a frame, from the host or
// from where they were simulated on the same GPU, and made there into control vertices, which are
// shaded, sorted and drawn without coming back.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "base/parallel.h"
#include "geom/mesh.h"
#include "render_gl/gl_objects.h"
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
    std::uint32_t colour_b_random;  // halves: blue, and a number in [0, 1) of the strand's own
    std::int16_t tangent[3];        // unit, root to tip, in 1/32767
    std::uint16_t along;            // 0 at the root, 65535 at the tip; a lone root is a tip
};
static_assert(sizeof(ControlVertex) == 32);

// How finely curves are divided: pieces no longer than this, so that light can change along them,
// and no farther from the curve than that, so that a curl of a few vertices looks round; pixels.
inline constexpr float kPixelsPerSegment = 14;
inline constexpr float kCurveTolerance = 0.35f;
inline constexpr int kMaxSubdivision = 8;

class StrandStream {
public:
    static Result<StrandStream> create();

    // Copies the strands to the GPU and has their control vertices made; `height` of the picture
    // in pixels decides how finely curves are divided. Vertices that are not finite take their
    // predecessor's place; a strand with a broken root becomes a point without width.
    void gather(const StrandView& strands, const View& view, const RenderSettings& settings,
                int height, const TaskPool& pool);
    // Has what is drawn put in order from back to front. The frame block must be bound. With the
    // depths of a picture of that size, what they hide is left out.
    void sort(const View& view, GLuint depths = 0, int width = 0, int height = 0);

    bool empty() const { return control_count_ == 0 || !has_segments_; }
    std::size_t control_count() const { return control_count_; }
    // Drawn vertices (and slots for segments) per control vertex: the curve from control c to c + 1
    // has drawn vertices c * subdivision + j.
    int subdivision() const { return subdivision_; }
    std::size_t segment_slots() const {
        return control_count_ * static_cast<std::size_t>(subdivision_);
    }
    const Bounds& bounds() const { return bounds_; }
    // Whether the strands last gathered came from a device, not through the host.
    bool came_from_device() const { return came_from_device_; }

    GLuint control_buffer() const { return control_buffer_.name(); }
    GLuint ribbon_buffer() const { return ribbon_buffer_.name(); }
    const StrandSort& order() const { return sort_; }
    // The shaded vertices in the mode last gathered for: ribbons or lines, or one patch per
    // simulated segment; from back to front. The program must fit.
    void draw() const;
    StrandMode mode() const { return mode_; }

private:
    // Where a control vertex comes from (shaders/strand_gather.comp).
    struct ControlSource {
        std::uint32_t root;          // place of the strand's root in a channel of one component
        std::uint32_t vertex, last;  // number along the strand, and that of its tip
        float random;                // in [0, 1), of the strand's own
    };
    // Blocks whose vertices one dispatch gathers.
    struct Batch {
        std::size_t first_row, last_row;
        std::size_t first_control, last_control;
    };

    StrandStream(StrandSort sort);
    void learn_layout(const StrandView& strands);
    void place_strands(const StrandLayout& layout, std::vector<ControlSource>& sources);
    void build_batches(const StrandLayout& layout);
    bool upload_positions(const StrandView& strands, const TaskPool& pool);
    void upload_appearance(const StrandView& strands);
    bool take_from_device(const StrandView& strands);
    void gather_on_gpu(float width);
    void choose_subdivision(const View& view, const RenderSettings& settings, int height);
    // Every so manieth strand is looked at for how finely all are to be divided.
    int sample_stride() const { return static_cast<int>(control_count_ / 5000 + 1); }

    LayoutRef layout_;  // what the members up to has_segments_ were made for
    std::vector<std::uint32_t> first_controls_;  // [block][lane]
    std::vector<Batch> batches_;
    std::size_t control_count_ = 0, row_count_ = 0;
    bool has_segments_ = false;

    std::vector<Bounds> block_bounds_;
    StrandSurvey survey_;
    Bounds bounds_{};
    bool came_from_device_ = false;
    // What is in their buffers, if it may stay there.
    const Channel<3>* colour_ = nullptr;
    const Channel<1>* radius_ = nullptr;
    int subdivision_ = 1;
    bool fixed_subdivision_ = false;
    StrandMode mode_ = StrandMode::ribbons;

    Program gather_program_;
    StrandSort sort_;
    UploadRing ring_;
    StreamBuffer position_buffer_, colour_buffer_, radius_buffer_;
    StreamBuffer source_buffer_, control_buffer_, ribbon_buffer_;
    std::unique_ptr<DeviceTarget> position_target_;  // position_buffer_; null: not, or not yet
    bool target_refused_ = false;
    VertexArray ribbon_layout_;
    std::size_t max_storage_bytes_ = 0;
};

}  // namespace ringlet
