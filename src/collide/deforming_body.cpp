#include "collide/deforming_body.h"

#include <algorithm>

namespace ringlet {

Bounds DeformingBody::room_of(const MeshSequence& shapes) {
    Mesh all;
    for (const std::vector<Vec3f>& frame : shapes.frames)
        all.positions.insert(all.positions.end(), frame.begin(), frame.end());
    return bounds_of(all);
}

DeformingBody::DeformingBody(const MeshBody& start, std::shared_ptr<const MeshSequence> shapes)
    : body_(start), shapes_(std::move(shapes)), before_(body_.samples()) {}

void DeformingBody::go_on_to(double time, const TaskPool& pool) {
    shapes_->positions_at(time, positions_);
    const std::vector<Vec3f>& last = body_.surface().positions;
    const auto same = [](Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
    moves_ = !std::equal(last.begin(), last.end(), positions_.begin(), positions_.end(), same);
    before_ = body_.samples();
    if (moves_) body_.reshape(positions_, pool);
}

DistanceGrid DeformingBody::at(float from, float to, const TaskPool& pool) {
    DistanceGrid out = body_.grid();
    if (!moves_) return out;
    constexpr std::size_t kChunk = 1 << 16;
    const std::vector<float>& after = body_.samples();
    now_.resize(after.size());
    pool.for_each(static_cast<int>((after.size() + kChunk - 1) / kChunk), [&](int c) {
        const std::size_t first = static_cast<std::size_t>(c) * kChunk;
        for (std::size_t k = first; k < std::min(first + kChunk, after.size()); ++k)
            now_[k] = before_[k] + (after[k] - before_[k]) * to;
    });
    out.samples = now_.data();
    out.moves = body_.moves().data();
    out.moves_share = to - from;
    return out;
}

std::size_t DeformingBody::byte_count() const {
    return body_.byte_count() + (before_.size() + now_.size()) * sizeof(float);
}

}  // namespace ringlet
