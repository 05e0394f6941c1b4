#include "collide/deforming_body.h"

#include <algorithm>

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
    : body_(start), shapes_(std::move(shapes)), previous_(body_.samples()), end_(body_.samples()) {}

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
    return body_.byte_count() +
           (previous_.size() + start_.size() + end_.size() + now_.size()) * sizeof(float);
}

}  // namespace ringlet
