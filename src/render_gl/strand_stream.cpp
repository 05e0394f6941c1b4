#include "render_gl/strand_stream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/gtc/packing.hpp>

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
constexpr std::size_t kSourcesAligned = 16;  // kAlignment bytes
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

GLuint light_stride(std::size_t vertices, std::size_t enough, std::size_t widest) {
    return static_cast<GLuint>(std::clamp<std::size_t>(vertices / enough, 1, widest));
}

Result<StrandStream> StrandStream::create() {
    auto sort = StrandSort::create();
    if (!sort) return sort.error();
    auto children = ChildPass::create();
    if (!children) return children.error();
    StrandStream stream(std::move(*sort), std::move(*children));
    if (auto done = load_compute_programs({{&stream.gather_program_, "strand_gather.comp"}}); !done)
        return done.error();
    return stream;
}

// A software renderer runs the shader on the same cores, slower than the CPU computes children.
StrandStream::StrandStream(StrandSort sort, ChildPass children)
    : sort_(std::move(sort)),
      children_(std::move(children)),
      computes_children_(!is_software_renderer()),
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

// Sources are listed in the order of the channels, so that neighbouring invocations read
// neighbouring numbers.
void StrandStream::list_sources(const StrandView& strands, std::vector<ControlSource>& sources) {
    const StrandLayout& layout = *strands.layout;
    first_sources_.clear();
    has_segments_ = false;
    for (int block = 0; block < layout.block_count(); ++block) {
        first_sources_.push_back(sources.size());
        int most = 0;
        for (int lane = 0; lane < kLanes; ++lane) {
            const int strand = layout.strand_at(block, lane);
            if (strand >= 0) most = std::max(most, layout.vertex_count(strand));
        }
        for (int i = 0; i < most; ++i)
            for (int lane = 0; lane < kLanes; ++lane)
                add_source(strands, layout.strand_at(block, lane), i, sources);
        has_segments_ = has_segments_ || most > 1;
    }
    first_sources_.push_back(sources.size());
    row_count_ = static_cast<std::size_t>(layout.row_count());
}

// Adds the source of a strand's i-th vertex, if it exists.
void StrandStream::add_source(const StrandView& strands, int strand, int i,
                              std::vector<ControlSource>& sources) const {
    if (strand < 0 || i >= strands.layout->vertex_count(strand)) return;
    const auto count = static_cast<std::uint32_t>(strands.layout->vertex_count(strand));
    const auto vertex = static_cast<std::uint32_t>(i);
    const float random = counter_uniform(kStrandSeed, static_cast<std::uint32_t>(strand), 0);
    const std::uint32_t half =
        glm::packHalf1x16(random_or_tone(strands, strand, vertex, count, random));
    sources.push_back({static_cast<std::uint32_t>(strands.layout->index(strand, 0, 0, 1)),
                       vertex | half << 24, (count - 1) | half >> 8 << 24,
                       order_.first_control(strand) + vertex});
}

void StrandStream::build_batches(const StrandLayout& layout) {
    const std::size_t max_sources =
        std::min(max_storage_bytes_ / sizeof(ControlSource) - 2 * kSourcesAligned,
                 kMaxGroups * kGatherGroup);
    const std::size_t max_rows =
        max_storage_bytes_ / (3 * kRowFloats * sizeof(float)) - 2 * kRowsAligned;
    batches_.clear();
    for (int block = 0; block < layout.block_count(); ++block) {
        const auto row = static_cast<std::size_t>(layout.first_row(block));
        const std::size_t end = row + static_cast<std::size_t>(layout.rows(block));
        const auto own = static_cast<std::size_t>(block);
        const std::size_t last = first_sources_[own + 1];
        if (batches_.empty() || end - batches_.back().first_row > max_rows ||
            last - batches_.back().first_source > max_sources)
            batches_.push_back({block, block, row, end, first_sources_[own], last});
        batches_.back().last_block = block + 1;
        batches_.back().last_row = end;
        batches_.back().last_source = last;
    }
}

// Layouts are immutable, and holding this one prevents another from having its address.
void StrandStream::set_layout(const StrandView& strands) {
    if (layout_ && layout_.get() == strands.layout) return;
    layout_ = strands.position->layout_ref();
    colour_ = nullptr;
    position_target_.reset();  // before its buffer is reallocated
    target_refused_ = has_children_ = children_refused_ = false;
    std::vector<ControlSource> sources;
    sources.reserve(static_cast<std::size_t>(layout_->vertex_total()));
    order_ = StrandOrder(*layout_);
    list_sources(strands, sources);
    build_batches(*layout_);
    source_buffer_.upload(sources.data(), sources.size() * sizeof(ControlSource));
    position_buffer_.reserve(channel_bytes(row_count_, 3), GL_DYNAMIC_COPY);
}

StrandStream::Way StrandStream::upload_positions(const StrandView& strands, const TaskPool& pool,
                                                 PassTimer& timer) {
    if (copy_from_device(strands)) return Way::from_device;
    if (compute_from_guides(strands, pool, timer)) return Way::by_shader;
    return copy_from_host(strands, pool, timer) ? Way::from_host : Way::none;
}

// The CPU only copies vertices and computes their bounds.
bool StrandStream::copy_from_host(const StrandView& strands, const TaskPool& pool,
                                  PassTimer& timer) {
    const std::size_t bytes = channel_bytes(row_count_, 3);
    std::byte* const out = ring_.begin(bytes);
    if (!out) return false;
    if (strands.deferred) strands.deferred->fetch();
    timer.end_part("upload: fetch");
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
    DevicePositions* const device = strands.deferred ? strands.deferred->on_device() : nullptr;
    if (!device || target_refused_) return false;
    if (!position_target_) position_target_ = device->open_target(position_buffer_.name());
    if (!position_target_ || !device->write_to(*position_target_)) {
        position_target_.reset();
        target_refused_ = true;
        return false;
    }
    device->survey(kFarthest, sample_stride(), survey_);
    bounds_ = {survey_.low, survey_.high};
    return true;
}

// Returns false if the host computes the positions.
bool StrandStream::compute_from_guides(const StrandView& strands, const TaskPool& pool,
                                       PassTimer& timer) {
    GuidedStrands* const guided = strands.deferred ? strands.deferred->guided() : nullptr;
    if (!guided || !computes_children_ || children_refused_) return false;
    if (!has_children_) has_children_ = children_.set_strands(*guided, *layout_);
    if (!has_children_ || !children_.begin(*guided, pool)) {
        children_refused_ = true;
        return false;
    }
    timer.end_part("upload: motions");
    for (const Batch& batch : batches_) {
        bind_rows(batch, shader::kPositionBinding, position_buffer_, 3);
        bind_rows(batch, shader::kRestBinding, children_.rest(), 3);
        const std::size_t from_row = batch.first_row / kRowsAligned * kRowsAligned;
        children_.dispatch(batch.first_block, batch.last_block, from_row * 3 * kRowFloats);
    }
    timer.end_part("upload: children");
    guided->survey(kFarthest, sample_stride(), survey_, pool);
    bounds_ = {survey_.low, survey_.high};
    return true;
}

void StrandStream::bind_rows(const Batch& batch, int binding, const StreamBuffer& channel,
                             std::size_t components) const {
    const std::size_t from_row = batch.first_row / kRowsAligned * kRowsAligned;
    glBindBufferRange(
        GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(binding), channel.name(),
        static_cast<GLintptr>(channel_bytes(from_row, components)),
        static_cast<GLsizeiptr>(channel_bytes(batch.last_row - from_row, components)));
}

void StrandStream::bind_appearance(const Batch& batch) const {
    bind_rows(batch, shader::kColourBinding, colour_buffer_, 3);
    bind_rows(batch, shader::kRadiusBinding, radius_buffer_, 1);
}

void StrandStream::bind_sources(const Batch& batch) const {
    bind_rows(batch, shader::kPositionBinding, position_buffer_, 3);
    const std::size_t from_row = batch.first_row / kRowsAligned * kRowsAligned;
    const std::size_t from = batch.first_source / kSourcesAligned * kSourcesAligned;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, shader::kSourceBinding, source_buffer_.name(),
                      static_cast<GLintptr>(from * sizeof(ControlSource)),
                      static_cast<GLsizeiptr>((batch.last_source - from) * sizeof(ControlSource)));
    glUniform1ui(shader::kFirstSourceUniform, static_cast<GLuint>(from));
    glUniform1ui(shader::kFirstElementUniform, static_cast<GLuint>(from_row * kRowFloats));
    glUniform2ui(shader::kControlRangeUniform, static_cast<GLuint>(batch.first_source),
                 static_cast<GLuint>(batch.last_source - batch.first_source));
}

void StrandStream::dispatch_over_sources() const {
    for (const Batch& batch : batches_) {
        bind_sources(batch);
        dispatch(batch.last_source - batch.first_source, kGatherGroup);
    }
}

// A strand's control vertices may lie anywhere, so every batch visits all ranges of them that one
// binding can hold. There is more than one only on drivers with a small limit.
void StrandStream::build_controls(float width) {
    const std::size_t window =
        (max_storage_bytes_ / kControlBytes) / kControlsAligned * kControlsAligned;
    const auto total = static_cast<float>(order_.control_count());
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(gather_program_);
    glUniform3f(shader::kWidthUniform, width * detail_.width, static_cast<float>(control_count_),
                detail_.fade * total);
    for (const Batch& batch : batches_) {
        bind_sources(batch);
        bind_appearance(batch);
        for (std::size_t from = 0; from < control_count_; from += window) {
            const std::size_t to = std::min(from + window, control_count_);
            bind_controls(control_buffer_.name(), {from, to, from, to});
            glUniform1ui(shader::kVertexCountUniform, static_cast<GLuint>(to - from));
            dispatch(batch.last_source - batch.first_source, kGatherGroup);
        }
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

StrandStream::Sample StrandStream::measure_sample(const StrandView& strands) const {
    Sample sum;
    const Vec3f* x = survey_.sample.data();
    for (int strand = 0; strand < layout_->strand_count(); strand += sample_stride()) {
        const int vertices = layout_->vertex_count(strand);
        Vec3f before{0, 0, 0};
        for (int i = 0; i + 1 < vertices; ++i) {
            const Vec3f onward = x[i + 1] - x[i];
            if (!is_usable(onward)) break;
            sum.length += norm(onward);
            if (i > 0) sum.deviation += norm(onward - before) / 8;
            before = onward;
            ++sum.segments;
        }
        x += vertices;
        const float radius = strands.radius->at(strand, vertices / 2);
        if (std::abs(radius) < kFarthest) sum.width += 2 * radius;
        ++sum.strands;
    }
    return sum;
}

// Chooses how many strands are drawn, and the subdivision, from a sample of strands as seen from
// the camera: drawn segments stay within kPixelsPerSegment and kCurveTolerance.
void StrandStream::choose_detail(const StrandView& strands, const View& view,
                                 const RenderSettings& settings, int height) {
    const Sample sample = measure_sample(strands);
    const Vec3f extent = bounds_.high - bounds_.low;
    const glm::vec3 middle = to_glm(bounds_.low + extent * 0.5f);
    const float distance =
        std::max(glm::length(middle - view.eye) - norm(extent) / 4, view.near_distance);
    const float pixels = static_cast<float>(height) / 2 / view.half_height / distance;  // per metre
    const float across = glm::dot(to_glm(extent), glm::abs(view.right)) * pixels;
    const float up = glm::dot(to_glm(extent), glm::abs(view.up)) * pixels;
    const double count = static_cast<double>(std::max<std::size_t>(sample.strands, 1));
    const StrandCrowd crowd{
        .strands = static_cast<double>(layout_->strand_count()),
        .length = static_cast<double>(sample.length * pixels) / count,
        .width = static_cast<double>(sample.width * settings.width * pixels) / count,
        .area = static_cast<double>(kPi / 4 * across * up)};
    crossings_ = crossings_of(crowd);
    detail_ = ringlet::choose_detail(
        crowd, mode_ == StrandMode::ref ? 0 : static_cast<double>(settings.lod),
        static_cast<double>(settings.strands));
    control_count_ = order_.control_count(detail_.share);

    const float each = pixels / static_cast<float>(std::max<std::size_t>(sample.segments, 1));
    fixed_subdivision_ = settings.subdivision > 0;
    // The deviation of a curve from n chords falls with n^2.
    const float wanted =
        mode_ == StrandMode::tessellation ? 1.0f  // the shaders divide
        : settings.subdivision > 0
            ? static_cast<float>(settings.subdivision)
            : std::ceil(std::max(sample.length * each / kPixelsPerSegment,
                                 std::sqrt(sample.deviation * each / kCurveTolerance)));
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
    upload_appearance(strands);
    way_ = upload_positions(strands, pool, timer);
    if (way_ == Way::none) {
        layout_.reset();
        control_count_ = 0;
        return;
    }
    if (bounds_.low.x > bounds_.high.x) bounds_ = {};
    timer.end_part("upload: copy");
    choose_detail(strands, view, settings, height);
    control_buffer_.reserve(control_count_ * sizeof(ControlVertex), GL_DYNAMIC_COPY);
    build_controls(std::max(settings.width, 0.0f));
    timer.end_part("upload: gather");
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
