#include "geom/mesh_sequence.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

void interpolate(std::span<const Vec3f> a, std::span<const Vec3f> b, float t,
                 std::span<Vec3f> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = t < 1 ? a[k] + (b[k] - a[k]) * t : b[k];
}

MeshSequence::Moment MeshSequence::at(double time) const {
    const auto count = static_cast<double>(frames.size());
    double frame = std::max(time, 0.0) * static_cast<double>(fps);
    frame = loops ? std::fmod(frame, count) : std::min(frame, count - 1);
    const auto first = std::min(static_cast<std::size_t>(frame), frames.size() - 1);
    const std::size_t second = first + 1 < frames.size() ? first + 1 : (loops ? 0 : first);
    return {first, second, static_cast<float>(frame - static_cast<double>(first))};
}

void MeshSequence::positions_at(double time, std::vector<Vec3f>& out) const {
    const auto [first, second, t] = at(time);
    out.resize(frames[first].size());
    interpolate(frames[first], frames[second], t, out);
}

}  // namespace ringlet
