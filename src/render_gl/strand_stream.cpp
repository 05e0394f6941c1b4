#include "render_gl/strand_stream.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/gtc/packing.hpp>

#include "math/noise.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kRestart = 0xffffffffu;
constexpr std::uint32_t kHidden = 0xffffffffu;
constexpr std::uint32_t kStrandSeed = 0x5717a;
constexpr std::size_t kRibbonVertexBytes = 32;
// Beyond this a coordinate is a mistake upstream; it would blow up the light's box.
constexpr float kFarthest = 1e4f;
// Above this many drawn segments finer curves are not worth their memory.
constexpr std::size_t kMaxSegments = 4'000'000;
// A quarter of a full head of strands is enough for the shadow.
constexpr int kFullLineStrands = 6000;

bool is_usable(Vec3f p) {
    return std::abs(p.x) < kFarthest && std::abs(p.y) < kFarthest && std::abs(p.z) < kFarthest;
}

std::int16_t to_snorm(float a) { return static_cast<std::int16_t>(std::lround(a * 32767)); }

float usable_colour(float c) { return c >= 0 && c < 1000 ? c : 0.0f; }

// visit(i) for each i below count, a few thousand per task.
template <class Visit>
void for_each_chunk(const TaskPool& pool, std::size_t count, const Visit& visit) {
    constexpr std::size_t kChunk = 4096;
    pool.for_each(static_cast<int>((count + kChunk - 1) / kChunk), [&](int chunk) {
        const std::size_t first = static_cast<std::size_t>(chunk) * kChunk;
        for (std::size_t i = first; i < std::min(first + kChunk, count); ++i) visit(i);
    });
}

// Weights of four control points at t between the middle two (Catmull and Rom 1974).
struct SplineWeights {
    float w[4];
};
SplineWeights spline_weights(float t) {
    const float t2 = t * t, t3 = t2 * t;
    return {{(-t3 + 2 * t2 - t) / 2, (3 * t3 - 5 * t2 + 2) / 2, (-3 * t3 + 4 * t2 + t) / 2,
             (t3 - t2) / 2}};
}

std::size_t indices_per_segment(StrandMode mode) {
    return mode == StrandMode::tessellation ? 1 : mode == StrandMode::lines ? 2 : 6;
}

void read_shape(const StrandView& strands, int strand, float width, std::span<ControlVertex> out) {
    const bool rooted = is_usable(strands.position->vec3(strand, 0));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Vec3f p = strands.position->vec3(strand, static_cast<int>(i));
        const float radius = strands.radius->at(strand, static_cast<int>(i)) * width;
        out[i].position = !rooted ? Vec3f{0, 0, 0} : is_usable(p) ? p : out[i - 1].position;
        out[i].radius = rooted && radius >= 0 && radius < kFarthest ? radius : 0;
    }
    Vec3f direction{0, 1, 0};
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Vec3f from = out[i > 0 ? i - 1 : 0].position;
        const Vec3f to = out[std::min(i + 1, out.size() - 1)].position;
        direction = unit_or(to - from, direction);
        out[i].tangent[0] = to_snorm(direction.x);
        out[i].tangent[1] = to_snorm(direction.y);
        out[i].tangent[2] = to_snorm(direction.z);
    }
}

void read_looks(const StrandView& strands, int strand, std::span<ControlVertex> out) {
    const float random = counter_uniform(kStrandSeed, static_cast<std::uint32_t>(strand), 0);
    const std::size_t last = out.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
        const Vec3f colour = strands.colour->vec3(strand, static_cast<int>(i));
        out[i].colour_rg = glm::packHalf2x16({usable_colour(colour.x), usable_colour(colour.y)});
        out[i].colour_b_random = glm::packHalf2x16({usable_colour(colour.z), random});
        const std::size_t along = i * kTip / std::max<std::size_t>(last, 1);
        out[i].along =
            static_cast<std::uint16_t>(i == last ? kTip
                                       : i == 0  ? kRoot
                                                 : std::clamp<std::size_t>(along, 1, kTip - 1));
    }
}

}  // namespace

StrandStream::StrandStream()
    : line_layout_(make_vertex_array()), ribbon_layout_(make_vertex_array()) {
    glEnableVertexArrayAttrib(line_layout_, 0);
    glVertexArrayAttribFormat(line_layout_, 0, 4, GL_FLOAT, GL_FALSE, 0);
    glEnableVertexArrayAttrib(line_layout_, 1);
    glVertexArrayAttribFormat(line_layout_, 1, 3, GL_SHORT, GL_TRUE,
                              offsetof(ControlVertex, tangent));
    for (GLuint attribute : {0u, 1u}) glVertexArrayAttribBinding(line_layout_, attribute, 0);
    for (GLuint attribute : {0u, 1u, 2u}) {
        glEnableVertexArrayAttrib(ribbon_layout_, attribute);
        glVertexArrayAttribBinding(ribbon_layout_, attribute, 0);
    }
    glVertexArrayAttribFormat(ribbon_layout_, 0, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribFormat(ribbon_layout_, 1, 4, GL_HALF_FLOAT, GL_FALSE, 16);
    glVertexArrayAttribFormat(ribbon_layout_, 2, 4, GL_HALF_FLOAT, GL_FALSE, 24);
}

void StrandStream::place_strands(const StrandLayout& layout) {
    first_controls_.resize(static_cast<std::size_t>(layout.block_count()) * kLanes);
    std::uint32_t next = 0;
    has_segments_ = false;
    for (int block = 0; block < layout.block_count(); ++block)
        for (int lane = 0; lane < kLanes; ++lane) {
            first_controls_[static_cast<std::size_t>(block * kLanes + lane)] = next;
            const int strand = layout.strand_at(block, lane);
            if (strand < 0) continue;
            next += static_cast<std::uint32_t>(layout.vertex_count(strand));
            has_segments_ = has_segments_ || layout.vertex_count(strand) > 1;
        }
    controls_.resize(next);
}

void StrandStream::gather_block(const StrandView& strands, int block, float width) {
    for (int lane = 0; lane < kLanes; ++lane) {
        const int strand = strands.layout->strand_at(block, lane);
        if (strand < 0) continue;
        const std::size_t first = first_controls_[static_cast<std::size_t>(block * kLanes + lane)];
        const auto count = static_cast<std::size_t>(strands.layout->vertex_count(strand));
        const std::span<ControlVertex> out = std::span(controls_).subspan(first, count);
        read_shape(strands, strand, width, out);
        read_looks(strands, strand, out);
    }
}

void StrandStream::measure_bounds(const TaskPool& pool) {
    constexpr int kParts = 16;
    std::array<Bounds, kParts> parts;
    const std::size_t size = (controls_.size() + kParts - 1) / kParts;
    pool.for_each(kParts, [&](int part) {
        Vec3f low{kFarthest, kFarthest, kFarthest}, high = -low;
        const std::size_t first = static_cast<std::size_t>(part) * size;
        for (std::size_t c = first; c < std::min(first + size, controls_.size()); ++c) {
            const Vec3f p = controls_[c].position;
            low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
            high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
        }
        parts[static_cast<std::size_t>(part)] = {low, high};
    });
    bounds_ = parts[0];
    for (const Bounds& part : parts) {
        const Vec3f low = part.low, high = part.high;
        bounds_.low = {min(bounds_.low.x, low.x), min(bounds_.low.y, low.y),
                       min(bounds_.low.z, low.z)};
        bounds_.high = {max(bounds_.high.x, high.x), max(bounds_.high.y, high.y),
                        max(bounds_.high.z, high.z)};
    }
}

// A full head is tens of megabytes: one core would need longer for the copy than the GPU for the
// picture.
void StrandStream::upload_controls(const TaskPool& pool) {
    const std::size_t bytes = controls_.size() * sizeof(ControlVertex);
    control_buffer_.reserve(bytes);
    auto* out = static_cast<ControlVertex*>(
        glMapNamedBufferRange(control_buffer_.name(), 0, static_cast<GLsizeiptr>(bytes),
                              GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
    if (!out) return;
    for_each_chunk(pool, controls_.size(), [&](std::size_t c) { out[c] = controls_[c]; });
    glUnmapNamedBuffer(control_buffer_.name());
}

// From a sample of segments as seen from the camera: as many pieces as keep the curve within
// kCurveTolerance of its chords, and light even along it.
void StrandStream::choose_subdivision(const View& view, const Look& look, int height) {
    float length = 0, bow = 0;
    std::size_t count = 0;
    const std::size_t stride = controls_.size() / 5000 + 1;
    for (std::size_t c = 0; c < controls_.size(); c += stride) {
        if (controls_[c].along == kTip) continue;
        const Vec3f onward = controls_[c + 1].position - controls_[c].position;
        length += norm(onward);
        if (controls_[c].along != kRoot)
            bow += norm(onward - (controls_[c].position - controls_[c - 1].position)) / 8;
        ++count;
    }
    const Vec3f middle = (bounds_.low + bounds_.high) * 0.5f;
    const float radius = norm(bounds_.high - bounds_.low) / 2;
    const float distance =
        std::max(glm::length(to_glm(middle) - view.eye) - radius / 2, view.near_distance);
    const float pixels = static_cast<float>(height) / 2 / view.half_height / distance /
                         static_cast<float>(std::max<std::size_t>(count, 1));
    // A curve of n pieces strays n^2 times less from its chords than one of a single piece.
    const float wanted = mode_ == StrandMode::tessellation ? 1.0f  // the shaders divide
                         : look.subdivision > 0
                             ? static_cast<float>(look.subdivision)
                             : std::ceil(std::max(length * pixels / kPixelsPerSegment,
                                                  std::sqrt(bow * pixels / kCurveTolerance)));
    subdivision_ = static_cast<int>(std::clamp(wanted, 1.0f, static_cast<float>(kMaxSubdivision)));
    while (subdivision_ > 1 && segment_slots() > kMaxSegments) --subdivision_;
}

void StrandStream::build_lines(const StrandLayout& layout) {
    line_stride_ = layout.strand_count() > kFullLineStrands ? 4 : 1;
    line_indices_.clear();
    for (std::size_t slot = 0; slot < first_controls_.size();
         slot += static_cast<std::size_t>(line_stride_)) {
        const int strand =
            layout.strand_at(static_cast<int>(slot / kLanes), static_cast<int>(slot % kLanes));
        if (strand < 0) continue;
        for (int i = 0; i < layout.vertex_count(strand); ++i)
            line_indices_.push_back(first_controls_[slot] + static_cast<std::uint32_t>(i));
        line_indices_.push_back(kRestart);
    }
}

void StrandStream::gather(const StrandView& strands, const View& view, const Look& look, int height,
                          const TaskPool& pool) {
    visible_segments_ = 0;
    mode_ = look.mode;
    if (!strands.layout || !strands.position || !strands.colour || !strands.radius ||
        strands.layout->strand_count() == 0) {
        controls_.clear();
        has_segments_ = false;
        return;
    }
    place_strands(*strands.layout);
    const float width = std::max(look.width, 0.0f);
    pool.for_each(strands.layout->block_count(),
                  [&](int block) { gather_block(strands, block, width); });
    measure_bounds(pool);
    choose_subdivision(view, look, height);
    build_lines(*strands.layout);
    upload_controls(pool);
    line_buffer_.upload(line_indices_.data(), line_indices_.size() * sizeof(std::uint32_t));
    ribbon_buffer_.reserve(segment_slots() * 2 * kRibbonVertexBytes, GL_DYNAMIC_COPY);
    glVertexArrayVertexBuffer(line_layout_, 0, control_buffer_.name(), 0, sizeof(ControlVertex));
    glVertexArrayElementBuffer(line_layout_, line_buffer_.name());
    glVertexArrayVertexBuffer(ribbon_layout_, 0, ribbon_buffer_.name(), 0, kRibbonVertexBytes);
}

void StrandStream::write_keys(const View& view, const TaskPool& pool) {
    const std::size_t count = controls_.size();
    const auto steps = static_cast<std::size_t>(subdivision_);
    depths_.resize(count);
    items_.resize(segment_slots());
    for_each_chunk(pool, count, [&](std::size_t c) {
        depths_[c] = glm::dot(to_glm(controls_[c].position) - view.eye, view.forward);
    });
    SplineWeights weights[kMaxSubdivision];
    for (std::size_t j = 0; j < steps; ++j)
        weights[j] = spline_weights((static_cast<float>(j) + 0.5f) / static_cast<float>(steps));
    // Depth is linear in position, so the curve's depth is the same spline of the vertices' depths.
    for_each_chunk(pool, count, [&](std::size_t c) {
        const auto slot = static_cast<std::uint32_t>(c * steps);
        const bool hidden = controls_[c].along == kTip || depths_[c] < view.near_distance ||
                            depths_[c + 1] < view.near_distance;
        const float z1 = depths_[c], z2 = hidden ? z1 : depths_[c + 1];
        const float z0 = hidden || controls_[c].along == kRoot ? 2 * z1 - z2 : depths_[c - 1];
        const float z3 = hidden || controls_[c + 1].along == kTip ? 2 * z2 - z1 : depths_[c + 2];
        for (std::uint32_t j = 0; j < steps; ++j) {
            const float* w = weights[j].w;
            const float z = w[0] * z0 + w[1] * z1 + w[2] * z2 + w[3] * z3;
            // Bits of positive floats are ordered like the floats; inverted, the farthest is first.
            const std::uint32_t key = ~std::bit_cast<std::uint32_t>(std::max(z, 0.0f));
            items_[slot + j] = {hidden ? kHidden : key, slot + j};
        }
    });
}

void StrandStream::write_indices(const TaskPool& pool) {
    const std::size_t each = indices_per_segment(mode_);
    index_buffer_.reserve(segment_slots() * each * sizeof(std::uint32_t));
    auto* indices = static_cast<std::uint32_t*>(glMapNamedBufferRange(
        index_buffer_.name(), 0,
        static_cast<GLsizeiptr>(visible_segments_ * each * sizeof(std::uint32_t)),
        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT));
    if (!indices) {
        visible_segments_ = 0;
        return;
    }
    for_each_chunk(pool, visible_segments_, [&](std::size_t i) {
        std::uint32_t* out = indices + i * each;
        const std::uint32_t segment = items_[i].segment;
        const std::uint32_t a = segment * 2;  // left and right of its first vertex
        if (mode_ == StrandMode::tessellation) {
            *out = segment;
        } else if (mode_ == StrandMode::lines) {
            out[0] = a;
            out[1] = a + 2;
        } else {
            const std::uint32_t corners[6] = {a, a + 1, a + 2, a + 2, a + 1, a + 3};
            std::copy(corners, corners + 6, out);
        }
    });
    glUnmapNamedBuffer(index_buffer_.name());
    glVertexArrayElementBuffer(ribbon_layout_, index_buffer_.name());
}

void StrandStream::sort(const View& view, const TaskPool& pool) {
    write_keys(view, pool);
    radix_sort_.sort(items_, pool);
    visible_segments_ = static_cast<std::size_t>(
        std::lower_bound(items_.begin(), items_.end(), kHidden,
                         [](SortItem item, std::uint32_t key) { return item.key < key; }) -
        items_.begin());
    if (visible_segments_ > 0) write_indices(pool);
}

void StrandStream::draw() const {
    if (visible_segments_ == 0) return;
    const GLenum shape = mode_ == StrandMode::tessellation ? GL_PATCHES
                         : mode_ == StrandMode::lines      ? GL_LINES
                                                           : GL_TRIANGLES;
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    glBindVertexArray(ribbon_layout_);
    glDrawElements(shape, static_cast<GLsizei>(visible_segments_ * indices_per_segment(mode_)),
                   GL_UNSIGNED_INT, nullptr);
}

void StrandStream::draw_lines() const {
    if (empty()) return;
    glBindVertexArray(line_layout_);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElements(GL_LINE_STRIP, static_cast<GLsizei>(line_indices_.size()), GL_UNSIGNED_INT,
                   nullptr);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
}

}  // namespace ringlet
