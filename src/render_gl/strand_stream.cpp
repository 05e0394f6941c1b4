#include "render_gl/strand_stream.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/noise.h"
#include "render_gl/control_ranges.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kStrandSeed = 0x5717a;
// Larger coordinates are errors of the simulation and would make the light's box too large.
const float kFarthest = shader::kMaxCoordinate;
// Bounds the memory of drawn segments: the subdivision is reduced to stay below.
constexpr std::size_t kMaxSegments = 4'000'000;

static_assert(shader::kLanes == kLanes);

// Every driver can bind buffer ranges at multiples of this, in bytes.
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kGatherGroup = shader::kGroupSize;
constexpr std::size_t kRowFloats = kLanes;
// Rows of a channel of one component: kAlignment bytes.
constexpr std::size_t kRowsAligned = kAlignment / (kRowFloats * sizeof(float));

bool is_usable(Vec3f p) {
    return std::abs(p.x) < kFarthest && std::abs(p.y) < kFarthest && std::abs(p.z) < kFarthest;
}

const Bounds kNothing{{kFarthest, kFarthest, kFarthest}, {-kFarthest, -kFarthest, -kFarthest}};

Bounds united(const Bounds& a, const Bounds& b) {
    return {{min(a.low.x, b.low.x), min(a.low.y, b.low.y), min(a.low.z, b.low.z)},
            {max(a.high.x, b.high.x), max(a.high.y, b.high.y), max(a.high.z, b.high.z)}};
}

Bounds bounds_of_block(const StrandView& strands, int block) {
    Bounds all = kNothing;
    for (int lane = 0; lane < kLanes; ++lane) {
        const int strand = strands.layout->strand_at(block, lane);
        if (strand < 0 || !is_usable(strands.position->vec3(strand, 0))) continue;
        const int count = strands.layout->vertex_count(strand);
        for (int i = 0; i < count; ++i) {
            const Vec3f p = strands.position->vec3(strand, i);
            if (is_usable(p)) all = united(all, {p, p});
        }
    }
    return all;
}

std::size_t channel_bytes(std::size_t rows, std::size_t components) {
    return rows * kRowFloats * components * sizeof(float);
}

// The random number of a strand of hair; the tone of a vertex of fur (shaders/curve.glsl).
float random_or_tone(const StrandView& strands, int strand, std::uint32_t vertex,
                     std::uint32_t count, float random) {
    const auto own = static_cast<std::size_t>(strand);
    if (own >= strands.fur_tone.size() || !(strands.fur_tone[own].x >= 0)) return random;
    const float along = count > 1 ? static_cast<float>(vertex) / static_cast<float>(count - 1) : 0;
    const Vec2f tone = strands.fur_tone[own];
    return shader::kFurTone + tone.x * (1 - along) + tone.y * along;
}

template <int Components>
void copy_block(const Channel<Components>& channel, int block, std::byte* out) {
    const StrandLayout& layout = channel.layout();
    const std::size_t row = kRowFloats * Components * sizeof(float);
    std::memcpy(out + static_cast<std::size_t>(layout.first_row(block)) * row, channel.block(block),
                static_cast<std::size_t>(layout.rows(block)) * row);
}

}  // namespace

Result<StrandStream> StrandStream::create() {
    auto sort = StrandSort::create();
    if (!sort) return sort.error();
    StrandStream stream(std::move(*sort));
    if (auto done = load_compute_programs({{&stream.gather_program_, "strand_gather.comp"}}); !done)
        return done.error();
    return stream;
}

StrandStream::StrandStream(StrandSort sort)
    : sort_(std::move(sort)),
      ribbon_layout_(make_vertex_array()),
      max_storage_bytes_(max_storage_bytes()) {
    const auto add_attribute = [this](GLuint attribute, GLenum type, GLuint offset) {
        glEnableVertexArrayAttrib(ribbon_layout_, attribute);
        glVertexArrayAttribBinding(ribbon_layout_, attribute, 0);
        glVertexArrayAttribFormat(ribbon_layout_, attribute, 4, type, GL_FALSE, offset);
    };
    add_attribute(shader::kClipAttribute, GL_FLOAT, 0);
    add_attribute(shader::kColourAttribute, GL_HALF_FLOAT, 16);
    add_attribute(shader::kRibbonAttribute, GL_HALF_FLOAT, 24);
}

void StrandStream::list_controls(const StrandView& strands, std::vector<ControlSource>& sources) {
    const StrandLayout& layout = *strands.layout;
    first_controls_.clear();
    has_segments_ = false;
    for (int block = 0; block < layout.block_count(); ++block) {
        first_controls_.push_back(sources.size());
        for (int lane = 0; lane < kLanes; ++lane) {
            const int strand = layout.strand_at(block, lane);
            if (strand < 0) continue;
            const auto count = static_cast<std::uint32_t>(layout.vertex_count(strand));
            const float random =
                counter_uniform(kStrandSeed, static_cast<std::uint32_t>(strand), 0);
            const auto root = static_cast<std::uint32_t>(layout.index(strand, 0, 0, 1));
            for (std::uint32_t i = 0; i < count; ++i)
                sources.push_back(
                    {root, i, count - 1, random_or_tone(strands, strand, i, count, random)});
            has_segments_ = has_segments_ || count > 1;
        }
    }
    control_count_ = sources.size();
    row_count_ = static_cast<std::size_t>(layout.row_count());
}

void StrandStream::build_batches(const StrandLayout& layout) {
    const std::size_t max_controls = std::min(
        max_storage_bytes_ / kControlBytes - 2 * kControlsAligned, kMaxGroups * kGatherGroup);
    const std::size_t max_rows =
        max_storage_bytes_ / (3 * kRowFloats * sizeof(float)) - 2 * kRowsAligned;
    batches_.clear();
    for (int block = 0; block < layout.block_count(); ++block) {
        const auto row = static_cast<std::size_t>(layout.first_row(block));
        const std::size_t end = row + static_cast<std::size_t>(layout.rows(block));
        const auto own = static_cast<std::size_t>(block);
        const std::size_t last =
            own + 1 < first_controls_.size() ? first_controls_[own + 1] : control_count_;
        if (batches_.empty() || end - batches_.back().first_row > max_rows ||
            last - batches_.back().first_control > max_controls)
            batches_.push_back({row, end, first_controls_[own], last});
        batches_.back().last_row = end;
        batches_.back().last_control = last;
    }
}

// Layouts are immutable, and holding this one prevents another from having its address.
void StrandStream::set_layout(const StrandView& strands) {
    if (layout_ && layout_.get() == strands.layout) return;
    layout_ = strands.position->layout_ref();
    colour_ = nullptr;
    position_target_.reset();  // before its buffer is reallocated
    target_refused_ = false;
    std::vector<ControlSource> sources;
    sources.reserve(static_cast<std::size_t>(layout_->vertex_total()));
    list_controls(strands, sources);
    build_batches(*layout_);
    source_buffer_.upload(sources.data(), sources.size() * sizeof(ControlSource));
    control_buffer_.reserve(control_count_ * sizeof(ControlVertex), GL_DYNAMIC_COPY);
    position_buffer_.reserve(channel_bytes(row_count_, 3), GL_DYNAMIC_COPY);
}

// The CPU only copies vertices and computes their bounds.
bool StrandStream::upload_positions(const StrandView& strands, const TaskPool& pool) {
    const std::size_t bytes = channel_bytes(row_count_, 3);
    std::byte* const out = ring_.begin(bytes);
    if (!out) return false;
    if (strands.on_device) strands.on_device->fetch();
    const int blocks = layout_->block_count();
    block_bounds_.resize(static_cast<std::size_t>(blocks));
    pool.for_each(blocks, [&](int block) {
        copy_block(*strands.position, block, out);
        block_bounds_[static_cast<std::size_t>(block)] = bounds_of_block(strands, block);
    });
    glCopyNamedBufferSubData(ring_.name(), position_buffer_.name(), ring_.offset(), 0,
                             static_cast<GLsizeiptr>(bytes));
    ring_.end();
    bounds_ = kNothing;
    for (const Bounds& block : block_bounds_) bounds_ = united(bounds_, block);
    survey_.sample.clear();
    for (int strand = 0; strand < layout_->strand_count(); strand += sample_stride())
        for (int i = 0; i < layout_->vertex_count(strand); ++i)
            survey_.sample.push_back(strands.position->vec3(strand, i));
    return true;
}

// Uploads colours and radii only if they changed; debug views change colours in every frame.
void StrandStream::upload_appearance(const StrandView& strands) {
    if (strands.has_same_appearance && colour_ == strands.colour && radius_ == strands.radius)
        return;
    colour_buffer_.upload(strands.colour->block(0), channel_bytes(row_count_, 3));
    radius_buffer_.upload(strands.radius->block(0), channel_bytes(row_count_, 1));
    colour_ = strands.has_same_appearance ? strands.colour : nullptr;
    radius_ = strands.radius;
}

// Returns false if OpenGL runs on another device, so that positions must be copied by the host.
bool StrandStream::copy_from_device(const StrandView& strands) {
    if (!strands.on_device || target_refused_) return false;
    if (!position_target_)
        position_target_ = strands.on_device->open_target(position_buffer_.name());
    if (!position_target_ || !strands.on_device->write_to(*position_target_)) {
        position_target_.reset();
        target_refused_ = true;
        return false;
    }
    strands.on_device->survey(kFarthest, sample_stride(), survey_);
    bounds_ = {survey_.low, survey_.high};
    return true;
}

void StrandStream::build_controls(float width) {
    struct Rows {
        std::size_t first, end;
    };
    const auto bind = [](GLuint binding, const StreamBuffer& channel, std::size_t components,
                         Rows rows) {
        glBindBufferRange(
            GL_SHADER_STORAGE_BUFFER, binding, channel.name(),
            static_cast<GLintptr>(channel_bytes(rows.first, components)),
            static_cast<GLsizeiptr>(channel_bytes(rows.end - rows.first, components)));
    };
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(gather_program_);
    glUniform1f(shader::kWidthUniform, width);
    for (const Batch& batch : batches_) {
        const std::size_t from_row = batch.first_row / kRowsAligned * kRowsAligned;
        const Rows rows{from_row, batch.last_row};
        bind(shader::kPositionBinding, position_buffer_, 3, rows);
        bind(shader::kColourBinding, colour_buffer_, 3, rows);
        bind(shader::kRadiusBinding, radius_buffer_, 1, rows);
        constexpr std::size_t kSourcesAligned = kAlignment / sizeof(ControlSource);
        const std::size_t count = batch.last_control - batch.first_control;
        const std::size_t from_source = batch.first_control / kSourcesAligned * kSourcesAligned;
        const std::size_t from = batch.first_control / kControlsAligned * kControlsAligned;
        glBindBufferRange(
            GL_SHADER_STORAGE_BUFFER, shader::kSourceBinding, source_buffer_.name(),
            static_cast<GLintptr>(from_source * sizeof(ControlSource)),
            static_cast<GLsizeiptr>((batch.last_control - from_source) * sizeof(ControlSource)));
        bind_controls(control_buffer_.name(),
                      {batch.first_control, batch.last_control, from, batch.last_control});
        glUniform1ui(shader::kFirstSourceUniform, static_cast<GLuint>(from_source));
        glUniform1ui(shader::kFirstElementUniform, static_cast<GLuint>(from_row * kRowFloats));
        glUniform2ui(shader::kControlRangeUniform, static_cast<GLuint>(batch.first_control),
                     static_cast<GLuint>(count));
        dispatch(count, kGatherGroup);
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

// Chooses the subdivision from a sample of strands as seen from the camera, so that drawn segments
// stay within kPixelsPerSegment and kCurveTolerance.
void StrandStream::choose_subdivision(const View& view, const RenderSettings& settings,
                                      int height) {
    float length = 0, deviation = 0;
    std::size_t count = 0;
    const Vec3f* x = survey_.sample.data();
    for (int strand = 0; strand < layout_->strand_count(); strand += sample_stride()) {
        const int vertices = layout_->vertex_count(strand);
        Vec3f before{0, 0, 0};
        for (int i = 0; i + 1 < vertices; ++i) {
            const Vec3f onward = x[i + 1] - x[i];
            if (!is_usable(onward)) break;
            length += norm(onward);
            if (i > 0) deviation += norm(onward - before) / 8;
            before = onward;
            ++count;
        }
        x += vertices;
    }
    const Vec3f middle = (bounds_.low + bounds_.high) * 0.5f;
    const float radius = norm(bounds_.high - bounds_.low) / 2;
    const float distance =
        std::max(glm::length(to_glm(middle) - view.eye) - radius / 2, view.near_distance);
    const float pixels = static_cast<float>(height) / 2 / view.half_height / distance /
                         static_cast<float>(std::max<std::size_t>(count, 1));
    fixed_subdivision_ = settings.subdivision > 0;
    // The deviation of a curve from n chords falls with n^2.
    const float wanted = mode_ == StrandMode::tessellation ? 1.0f  // the shaders divide
                         : settings.subdivision > 0
                             ? static_cast<float>(settings.subdivision)
                             : std::ceil(std::max(length * pixels / kPixelsPerSegment,
                                                  std::sqrt(deviation * pixels / kCurveTolerance)));
    subdivision_ = static_cast<int>(std::clamp(wanted, 1.0f, static_cast<float>(kMaxSubdivision)));
    while (subdivision_ > 1 && segment_slots() > kMaxSegments) --subdivision_;
}

void StrandStream::upload(const StrandView& strands, const View& view,
                          const RenderSettings& settings, int height, const TaskPool& pool,
                          PassTimer& timer) {
    mode_ = settings.mode;
    if (!strands.layout || !strands.position || !strands.colour || !strands.radius ||
        strands.layout->strand_count() == 0) {
        layout_.reset();
        control_count_ = 0;
        return;
    }
    set_layout(strands);
    is_from_device_ = copy_from_device(strands);
    upload_appearance(strands);
    if (!is_from_device_ && !upload_positions(strands, pool)) {
        layout_.reset();
        control_count_ = 0;
        return;
    }
    if (bounds_.low.x > bounds_.high.x) bounds_ = {};
    timer.end_part("upload: copy");
    build_controls(std::max(settings.width, 0.0f));
    timer.end_part("upload: gather");
    choose_subdivision(view, settings, height);
    mode_ = usable_mode(mode_, segment_slots(), max_storage_bytes_);
    drawn_buffer_.reserve(
        segment_slots() * (mode_ == StrandMode::compute ? kStrandVertexBytes : kCornerPairBytes),
        GL_DYNAMIC_COPY);
    glVertexArrayVertexBuffer(ribbon_layout_, 0, drawn_buffer_.name(), 0, kCornerPairBytes / 2);
}

void StrandStream::sort(const View& view, PassTimer& timer, GLuint depths, int width, int height) {
    const Vec3f middle = (bounds_.low + bounds_.high) * 0.5f;
    const float depth = glm::dot(to_glm(middle) - view.eye, view.forward);
    const float radius =
        glm::dot(to_glm(bounds_.high - bounds_.low) * 0.5f, glm::abs(view.forward));
    sort_.sort({.controls = control_buffer_.name(),
                .control_count = control_count_,
                .subdivision = subdivision_,
                .nearest = std::max(depth - radius, view.near_distance),
                .farthest = depth + radius,
                .mode = mode_,
                .max_length = fixed_subdivision_ ? 0 : kPixelsPerSegment,
                .max_deviation = fixed_subdivision_ ? 0 : kCurveTolerance,
                .depths = depths,
                .width = width,
                .height = height},
               timer);
    glVertexArrayElementBuffer(ribbon_layout_, sort_.indices());
}

void StrandStream::draw() const {
    if (empty()) return;
    const GLenum shape = mode_ == StrandMode::tessellation ? GL_PATCHES
                         : mode_ == StrandMode::lines      ? GL_LINES
                                                           : GL_TRIANGLES;
    glPatchParameteri(GL_PATCH_VERTICES, 1);
    glBindVertexArray(ribbon_layout_);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, sort_.draw_command());
    glDrawElementsIndirect(shape, GL_UNSIGNED_INT, nullptr);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
}

}  // namespace ringlet
