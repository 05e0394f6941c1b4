#include "render_gl/strand_stream.h"

#include <algorithm>
#include <bit>
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
// About so many vertices are sampled, and in a crowd so many of each head.
constexpr std::size_t kSampleVertices = 5000, kHeadSample = 512;
// The strand nearest to the light is searched among so many vertices of a crowd.
constexpr double kCrowdSearch = 16e6;
// Bounds the memory of drawn segments: the subdivision is reduced to stay below.
constexpr std::size_t kMaxSegments = 4'000'000;

static_assert(shader::kLanes == kLanes);

// Every driver can bind buffer ranges at multiples of this, in bytes.
constexpr std::size_t kAlignment = 256;
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

StrandStream::StrandSlot StrandStream::slot_of(const StrandView& strands, int slot) const {
    const int strand = layout_->strand_in_slot(slot);
    if (strand < 0) return {};
    StrandSlot out{.count = static_cast<std::uint32_t>(layout_->vertex_count(strand)),
                   .head = static_cast<std::uint32_t>(order_.head_of(strand)),
                   .root = static_cast<std::uint32_t>(layout_->index(strand, 0, 0, 1))};
    for (int skip = 0; skip < shader::kVertexSteps; ++skip)
        out.first_controls[static_cast<std::size_t>(skip)] = order_.first_control(strand, skip);
    const auto own = static_cast<std::size_t>(strand);
    if (own < strands.fur_tone.size() && strands.fur_tone[own].x >= 0) {
        const Vec2f tone = strands.fur_tone[own];
        out.tones = {std::bit_cast<std::uint32_t>(tone.x), std::bit_cast<std::uint32_t>(tone.y)};
    } else {
        const float random = counter_uniform(kStrandSeed, static_cast<std::uint32_t>(strand), 0);
        out.tones = {glm::packHalf1x16(random), shader::kHair};
    }
    return out;
}

void StrandStream::build_batches(const StrandLayout& layout) {
    static_assert(kLanes * sizeof(StrandSlot) % kAlignment == 0);
    const std::size_t max_blocks = max_storage_bytes_ / (kLanes * sizeof(StrandSlot));
    const std::size_t max_rows =
        max_storage_bytes_ / (3 * kRowFloats * sizeof(float)) - 2 * kRowsAligned;
    batches_.clear();
    for (int block = 0; block < layout.block_count(); ++block) {
        const auto row = static_cast<std::size_t>(layout.first_row(block));
        const std::size_t end = row + static_cast<std::size_t>(layout.rows(block));
        if (batches_.empty() || end - batches_.back().first_row > max_rows ||
            static_cast<std::size_t>(block - batches_.back().first_block) >= max_blocks)
            batches_.push_back({block, block, row, end});
        batches_.back().last_block = block + 1;
        batches_.back().last_row = end;
    }
}

// Layouts are immutable, and holding this one prevents another from having its address.
void StrandStream::set_layout(const StrandView& strands, std::span<const int> first_strands,
                              const TaskPool& pool) {
    if (layout_ && layout_.get() == strands.layout) return;
    layout_ = strands.position->layout_ref();
    colour_ = nullptr;
    position_target_.reset();  // before its buffer is reallocated
    target_refused_ = has_children_ = children_refused_ = false;
    row_count_ = static_cast<std::size_t>(layout_->row_count());
    has_segments_ = layout_->vertex_total() > layout_->strand_count();
    has_fur_ = std::ranges::any_of(strands.fur_tone, [](Vec2f tone) { return tone.x >= 0; });
    order_ = StrandOrder(*layout_, first_strands);
    build_batches(*layout_);
    std::vector<StrandSlot> slots(static_cast<std::size_t>(layout_->slot_count()));
    pool.for_each(layout_->slot_count(), [&](int slot) {
        slots[static_cast<std::size_t>(slot)] = slot_of(strands, slot);
    });
    slot_buffer_.upload(slots.data(), slots.size() * sizeof(StrandSlot));
    position_buffer_.reserve(channel_bytes(row_count_, 3), GL_DYNAMIC_COPY);
}

StrandStream::Way StrandStream::upload_positions(const StrandView& strands, const TaskPool& pool,
                                                 PassTimer& timer) {
    if (copy_from_device(strands)) return Way::from_device;
    if (survey_guides(strands, pool, timer)) return Way::by_shader;
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

// Returns false if the host computes the positions. Otherwise compute_children() does, when the
// level of detail is chosen.
bool StrandStream::survey_guides(const StrandView& strands, const TaskPool& pool,
                                 PassTimer& timer) {
    GuidedStrands* const guided = strands.deferred ? strands.deferred->guided() : nullptr;
    if (!guided || !computes_children_ || children_refused_) return false;
    if (!has_children_) has_children_ = children_.set_strands(*guided, *layout_);
    if (!has_children_ || !children_.begin(*guided, pool)) {
        children_refused_ = true;
        return false;
    }
    timer.end_part("upload: motions");
    guided->survey(kFarthest, sample_stride(), survey_, pool);
    bounds_ = {survey_.low, survey_.high};
    return true;
}

// Computes the strands that the level of detail needs.
void StrandStream::compute_children() {
    children_.use();
    for (const Batch& batch : batches_) {
        bind_slots(batch);
        bind_rows(batch, shader::kPositionBinding, position_buffer_, 3);
        bind_rows(batch, shader::kRestBinding, children_.rest(), 3);
        const std::size_t from_row = batch.first_row / kRowsAligned * kRowsAligned;
        children_.dispatch(batch.first_block, batch.last_block, from_row * 3 * kRowFloats);
    }
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

void StrandStream::bind_slots(const Batch& batch) const {
    constexpr std::size_t kBlockBytes = kLanes * sizeof(StrandSlot);
    bind_storage(shader::kHeadBinding, head_buffer_);
    const auto first = static_cast<std::size_t>(batch.first_block);
    const auto count = static_cast<std::size_t>(batch.last_block) - first;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, shader::kSlotBinding, slot_buffer_.name(),
                      static_cast<GLintptr>(first * kBlockBytes),
                      static_cast<GLsizeiptr>(count * kBlockBytes));
}

void StrandStream::bind_blocks(const Batch& batch) const {
    bind_slots(batch);
    bind_rows(batch, shader::kPositionBinding, position_buffer_, 3);
    const std::size_t from_row = batch.first_row / kRowsAligned * kRowsAligned;
    glUniform1ui(shader::kFirstElementUniform, static_cast<GLuint>(from_row * kRowFloats));
    glUniform2ui(shader::kBlockRangeUniform, static_cast<GLuint>(batch.first_block),
                 static_cast<GLuint>(batch.last_block - batch.first_block));
}

void StrandStream::dispatch_over_blocks(GLuint layers) const {
    for (const Batch& batch : batches_) {
        bind_blocks(batch);
        dispatch_groups(batch.last_block - batch.first_block, layers);
    }
}

// A strand's control vertices may lie anywhere, so every batch visits all ranges of them that one
// binding can hold. There is more than one only on drivers with a small limit.
void StrandStream::build_controls() {
    const std::size_t window =
        (max_storage_bytes_ / kControlBytes) / kControlsAligned * kControlsAligned;
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glUseProgram(gather_program_);
    for (const Batch& batch : batches_) {
        bind_blocks(batch);
        bind_appearance(batch);
        for (std::size_t from = 0; from < control_count_; from += window) {
            const std::size_t to = std::min(from + window, control_count_);
            bind_controls(control_buffer_.name(), {from, to, from, to});
            glUniform1ui(shader::kVertexCountUniform, static_cast<GLuint>(to - from));
            dispatch_groups(batch.last_block - batch.first_block);
        }
    }
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);
}

int StrandStream::sample_stride() const {
    const auto heads = static_cast<std::size_t>(order_.head_count());
    const std::size_t enough =
        heads > 1 ? std::max(kSampleVertices, heads * kHeadSample) : kSampleVertices;
    return static_cast<int>(order_.control_count() / enough + 1);
}

// Adds the vertices of a sampled strand.
void StrandStream::add_to_sample(int strand, const Vec3f* vertices, Sample& sum) const {
    const int count = layout_->vertex_count(strand);
    Vec3f before{0, 0, 0};
    for (int i = 0; i + 1 < count; ++i) {
        const Vec3f onward = vertices[i + 1] - vertices[i];
        if (!is_usable(onward)) break;
        sum.length[0] += norm(onward);
        if (i > 0) sum.deviation += norm(onward - before) / 8;
        before = onward;
        ++sum.segments;
        if (order_.head_count() == 1) continue;
        if (is_usable(vertices[i])) sum.bounds = united(sum.bounds, {vertices[i], vertices[i]});
        for (int skip = 1; skip < shader::kVertexSteps; ++skip)
            if (i % (1 << skip) == 0)
                sum.length[static_cast<std::size_t>(skip)] +=
                    norm(vertices[std::min(i + (1 << skip), count - 1)] - vertices[i]);
    }
    ++sum.strands;
}

// Measures the heads in a sample of their strands, as seen from the camera.
void StrandStream::measure_heads(const StrandView& strands, const View& view, int height) {
    const bool is_crowd = order_.head_count() > 1;
    samples_.assign(static_cast<std::size_t>(order_.head_count()), {});
    for (Sample& sample : samples_) sample.bounds = is_crowd ? kNothing : bounds_;
    const Vec3f* x = survey_.sample.data();
    for (int strand = 0; strand < layout_->strand_count(); strand += sample_stride()) {
        Sample& sample = samples_[static_cast<std::size_t>(order_.head_of(strand))];
        add_to_sample(strand, x, sample);
        const int vertices = layout_->vertex_count(strand);
        x += vertices;
        const float radius = strands.radius->at(strand, vertices / 2);
        if (std::abs(radius) < kFarthest) sample.width += 2 * radius;
    }
    for (Sample& sample : samples_) {
        // Few strands of a head may be in the sample, or none.
        if (sample.bounds.low.x > sample.bounds.high.x) sample.bounds = bounds_;
        const Vec3f extent = sample.bounds.high - sample.bounds.low;
        const glm::vec3 middle = to_glm(sample.bounds.low + extent * 0.5f);
        const float distance =
            std::max(glm::length(middle - view.eye) - norm(extent) / 4, view.near_distance);
        sample.pixels = static_cast<float>(height) / 2 / view.half_height / distance;
    }
}

// The strands of a head on screen. `width` is RenderSettings::width.
StrandCrowd StrandStream::crowd_of(int head, const View& view, float width) const {
    const Sample& sample = samples_[static_cast<std::size_t>(head)];
    const Vec3f extent = sample.bounds.high - sample.bounds.low;
    const float across = glm::dot(to_glm(extent), glm::abs(view.right)) * sample.pixels;
    const float up = glm::dot(to_glm(extent), glm::abs(view.up)) * sample.pixels;
    const double count = static_cast<double>(std::max<std::size_t>(sample.strands, 1));
    return {.strands = static_cast<double>(order_.strand_count(head)),
            .length = static_cast<double>(sample.length[0] * sample.pixels) / count,
            .width = static_cast<double>(sample.width * width * sample.pixels) / count,
            .area = static_cast<double>(kPi / 4 * across * up)};
}

// The vertices that a head needs no control vertices for, as HeadDetail::skip. The deviation of a
// curve from its segments grows with the square of their length.
int StrandStream::skip_of(const Sample& sample) {
    const float length = sample.length[0] * sample.each();
    const float deviation = sample.deviation * sample.each();
    int skip = 0;
    while (sample.segments > 0 && skip + 1 < shader::kVertexSteps &&
           length * static_cast<float>(2 << skip) <= kPixelsPerSegment &&
           deviation * static_cast<float>(4 << 2 * skip) <= kCurveTolerance)
        ++skip;
    return skip;
}

// Chooses how many strands of each head are drawn, and in a large crowd which of their vertices.
void StrandStream::choose_detail(const View& view, const RenderSettings& settings) {
    const auto total = static_cast<double>(layout_->strand_count());
    const auto limit = static_cast<double>(settings.strands);
    const double lod = mode_ == StrandMode::ref ? 0 : static_cast<double>(settings.lod);
    const double most = limit > 1 ? std::min(limit / total, 1.0) : limit;
    const bool is_crowd = order_.head_count() > 1 && lod > 0;
    details_.assign(samples_.size(), {});
    crossings_ = 0;
    for (int head = 0; head < order_.head_count(); ++head) {
        const StrandCrowd crowd = crowd_of(head, view, settings.width);
        HeadDetail& detail = details_[static_cast<std::size_t>(head)];
        crossings_ += crossings_of(crowd) * crowd.strands / total;
        detail.strands = ringlet::choose_detail(crowd, lod, most);
        detail.controls = static_cast<double>(order_.control_count(1, head));
    }
    if (is_crowd) fit_crowd(settings.subdivision == 0);
}

// Skips vertices where `may_skip`, and drops strands, if all heads together have too many control
// vertices.
void StrandStream::fit_crowd(bool may_skip) {
    if (drawn_controls(details_) <= most_crowd_controls_) return;
    for (int head = 0; may_skip && head < order_.head_count(); ++head) {
        HeadDetail& detail = details_[static_cast<std::size_t>(head)];
        detail.skip = skip_of(samples_[static_cast<std::size_t>(head)]);
        detail.controls = static_cast<double>(order_.control_count(1, head, detail.skip));
    }
    ringlet::limit_crowd(details_, most_crowd_controls_);
}

// Chooses the subdivision that the nearest head needs: drawn segments stay within kPixelsPerSegment
// and kCurveTolerance.
void StrandStream::choose_subdivision(const RenderSettings& settings) {
    fixed_subdivision_ = settings.subdivision > 0;
    float wanted = 1;
    for (const Sample& sample : samples_) {
        // The deviation of a curve from n chords falls with n^2.
        const float own = mode_ == StrandMode::tessellation ? 1.0f  // the shaders divide
                          : fixed_subdivision_
                              ? static_cast<float>(settings.subdivision)
                              : std::ceil(std::max(
                                    sample.length[0] * sample.each() / kPixelsPerSegment,
                                    std::sqrt(sample.deviation * sample.each() / kCurveTolerance)));
        wanted = std::max(wanted, own);
    }
    subdivision_ = static_cast<int>(std::clamp(wanted, 1.0f, static_cast<float>(kMaxSubdivision)));
    while (subdivision_ > 1 && segment_slots() > kMaxSegments) --subdivision_;
}

// Numbers the drawn control vertices, one head after the other.
void StrandStream::place_heads(float width) {
    const auto total = static_cast<double>(order_.control_count());
    const bool is_crowd = order_.head_count() > 1;
    const double searched = is_crowd ? std::min(kCrowdSearch / total, 1.0) : 1.0;
    drawn_heads_.clear();
    control_count_ = searched_count_ = 0;
    double widths = 0, strands = 0;
    for (int head = 0; head < order_.head_count(); ++head) {
        const HeadDetail& detail = details_[static_cast<std::size_t>(head)];
        const Sample& sample = samples_[static_cast<std::size_t>(head)];
        // Longer segments are shorter in sum. Vertices that are not finite have no such sum.
        const float ratio = sample.length[0] / sample.length[static_cast<std::size_t>(detail.skip)];
        const float longer = ratio > 1 && ratio < 2 ? ratio : 1.0f;
        const auto nearest = std::max(static_cast<float>(searched), detail.strands.share);
        drawn_heads_.push_back(
            {.first_control = static_cast<std::uint32_t>(control_count_),
             .control_count = static_cast<std::uint32_t>(
                 order_.control_count(detail.strands.share, head, detail.skip)),
             .skip = static_cast<std::uint32_t>(detail.skip),
             .searched_controls = static_cast<std::uint32_t>(order_.control_count(nearest, head)),
             .width = width * detail.strands.width * longer,
             .fading_controls = detail.strands.fade * static_cast<float>(detail.controls)});
        control_count_ += drawn_heads_.back().control_count;
        searched_count_ += drawn_heads_.back().searched_controls;
        widths += static_cast<double>(detail.strands.width) * order_.strand_count(head);
        strands += order_.strand_count(head);
    }
    widening_ = static_cast<float>(widths / std::max(strands, 1.0));
}

void StrandStream::upload(const StrandView& strands, const View& view,
                          const RenderSettings& settings, int height, const TaskPool& pool,
                          PassTimer& timer, std::span<const int> first_strands) {
    mode_ = settings.mode;
    if (!strands.layout || !strands.position || !strands.colour || !strands.radius ||
        strands.layout->strand_count() == 0) {
        layout_.reset();
        control_count_ = 0;
        return;
    }
    set_layout(strands, first_strands, pool);
    upload_appearance(strands);
    way_ = upload_positions(strands, pool, timer);
    if (way_ == Way::none) {
        layout_.reset();
        control_count_ = 0;
        return;
    }
    if (bounds_.low.x > bounds_.high.x) bounds_ = {};
    timer.end_part("upload: copy");
    measure_heads(strands, view, height);
    choose_detail(view, settings);
    place_heads(std::max(settings.width, 0.0f));
    choose_subdivision(settings);
    head_buffer_.upload(drawn_heads_.data(), drawn_heads_.size() * sizeof(DrawnHead));
    if (way_ == Way::by_shader) compute_children();
    timer.end_part("upload: children");
    control_buffer_.reserve(control_count_ * sizeof(ControlVertex), GL_DYNAMIC_COPY);
    build_controls();
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
