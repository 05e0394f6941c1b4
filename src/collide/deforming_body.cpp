#include "collide/deforming_body.h"

#include <algorithm>

#include "base/assert.h"

namespace ringlet {

namespace {

// Linear interpolation, a + (b - a) t.
void interpolate(const std::vector<float>& a, const std::vector<float>& b, float t,
                 std::vector<float>& out, const TaskPool& pool) {
    constexpr std::size_t kChunk = 1 << 14;
    out.resize(a.size());
    pool.for_each(static_cast<int>((a.size() + kChunk - 1) / kChunk), [&](int c) {
        const std::size_t first = static_cast<std::size_t>(c) * kChunk;
        for (std::size_t k = first; k < std::min(first + kChunk, a.size()); ++k)
            out[k] = a[k] + (b[k] - a[k]) * t;
    });
}

}  // namespace

Bounds DeformingBody::bounds_of_all(const MeshSequence& shapes) {
    Mesh all;
    for (const std::vector<Vec3f>& frame : shapes.frames)
        all.positions.insert(all.positions.end(), frame.begin(), frame.end());
    return bounds_of(all);
}

DeformingBody::DeformingBody(const MeshBody& start, std::shared_ptr<const MeshSequence> shapes)
    : body_(start), shapes_(std::move(shapes)), start_(body_.samples()), end_(body_.samples()) {
    if (has_sequence())
        previous_ = body_.samples();
    else
        shape_ = body_.surface().positions;
}

void DeformingBody::set_shape(std::span<const Vec3f> positions) {
    RINGLET_ASSERT(positions.size() == shape_.size(), "a shape has all positions of the mesh");
    std::copy(positions.begin(), positions.end(), shape_.begin());
}

// Returns whether the shape has changed.
bool DeformingBody::take_shape(const TaskPool& pool) {
    const std::vector<Vec3f>& now = body_.surface().positions;
    const auto is_same = [](Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    if (std::equal(now.begin(), now.end(), shape_.begin(), is_same)) return false;
    body_.reshape(shape_, pool);
    return true;
}

void DeformingBody::advance(const TaskPool& pool) {
    const bool moves = take_shape(pool);
    frames_ = moves ? 1 : 0;
    steps_at_rest_ = moves ? 0 : steps_at_rest_ + 1;
    std::swap(start_, end_);
    end_ = body_.samples();
}

void DeformingBody::jump(const TaskPool& pool) {
    take_shape(pool);
    stay();
}

// Ends all motion in the present shape.
void DeformingBody::stay() {
    start_ = end_ = body_.samples();
    frames_ = 0;
    steps_at_rest_ = 0;
}

std::vector<std::span<std::byte>> DeformingBody::changing_memory() {
    const auto [positions, samples, moves] = body_.changing_memory();
    if (!has_sequence()) return {std::as_writable_bytes(std::span(shape_)), positions, samples};
    std::vector<std::span<std::byte>> out{positions, samples, moves};
    for (std::vector<float>* values : {&previous_, &start_, &end_})
        out.push_back(std::as_writable_bytes(std::span(*values)));
    const auto add = [&out](auto& value) {
        out.push_back(std::as_writable_bytes(std::span(&value, 1)));
    };
    add(moment_.first);
    add(moment_.second);
    add(moment_.t);
    add(time_);
    add(frames_);
    add(steps_at_rest_);
    return out;
}

void DeformingBody::restore() {
    body_.set_changed();
    version_ = new_grid_version();
    if (!has_sequence()) stay();
}

void DeformingBody::advance_to(double time, const TaskPool& pool) {
    const MeshSequence::Moment now = shapes_->at(time);
    const bool is_next = now.first != moment_.first || now.second != moment_.second;
    if (is_next) {
        if (now.first != moment_.second) body_.reshape(shapes_->frames[now.first], pool);
        previous_ = body_.samples();
        if (now.second != now.first) body_.reshape(shapes_->frames[now.second], pool);
    }
    // The body still moves in the step that reaches the last frame.
    const bool moves = is_next || now.t != moment_.t;
    frames_ = moves ? static_cast<float>(std::max(time - time_, 0.0)) * shapes_->fps : 0;
    steps_at_rest_ = moves ? 0 : steps_at_rest_ + 1;
    moment_ = now;
    time_ = time;
    std::swap(start_, end_);
    interpolate(previous_, body_.samples(), now.t, end_, pool);
}

DistanceGrid DeformingBody::at(float from, float to, const TaskPool& pool) {
    DistanceGrid out = body_.grid();
    interpolate(start_, end_, to, now_, pool);
    if (changes()) version_ = new_grid_version();
    out.samples = now_.data();
    out.version = version_;
    if (!(frames_ > 0)) return out;
    out.moves = body_.moves().data();
    out.moves_share = (to - from) * frames_;
    return out;
}

std::size_t DeformingBody::byte_count() const {
    return body_.byte_count() + shape_.size() * sizeof(Vec3f) +
           (previous_.size() + start_.size() + end_.size() + now_.size()) * sizeof(float);
}

}  // namespace ringlet
