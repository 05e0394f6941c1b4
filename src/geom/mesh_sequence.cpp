#include "geom/mesh_sequence.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

void MeshSequence::positions_at(double time, std::vector<Vec3f>& out) const {
    const auto count = static_cast<double>(frames.size());
    double at = std::max(time, 0.0) * static_cast<double>(fps);
    at = loops ? std::fmod(at, count) : std::min(at, count - 1);
    const auto first = std::min(static_cast<std::size_t>(at), frames.size() - 1);
    const std::size_t second = first + 1 < frames.size() ? first + 1 : (loops ? 0 : first);
    const float t = static_cast<float>(at - static_cast<double>(first));
    const std::vector<Vec3f>&a = frames[first], &b = frames[second];
    out.resize(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) out[k] = a[k] + (b[k] - a[k]) * t;
}

}  // namespace ringlet
