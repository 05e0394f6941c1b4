#include "sim/strand_tension.h"

namespace ringlet {

namespace {

// Share by which the diagonal of G W G^T is larger: it is singular for a straight strand with both
// ends held.
constexpr float kSoftness = 1e-4f;

}  // namespace

StrandTension::StrandTension(const StrandBeams& beams)
    : directions_(static_cast<std::size_t>(beams.vertex_total())),
      factors_(directions_.size()),
      tension_(directions_.size()) {}

void StrandTension::set_shape(const StrandBeams& beams, int beam,
                              std::span<const Vec3f> positions) {
    const int first = beams.first_vertex(beam), count = beams.vertex_count(beam);
    for (int k = 0; k + 1 < count; ++k) {
        const auto i = static_cast<std::size_t>(k);
        directions_[static_cast<std::size_t>(first + k)] =
            unit_or(positions[i + 1] - positions[i], {0, 1, 0});
    }
    float off = 0, below = 0;
    for (int i = first; i + 2 <= first + count; ++i) {
        const float start = beams.inverse_mass(i), end = beams.inverse_mass(i + 1);
        const float pivot = max((start + end) * (1 + kSoftness) - off * below, kTiny);
        off = i + 2 < first + count ? -end * dot(directions_[static_cast<std::size_t>(i)],
                                                 directions_[static_cast<std::size_t>(i) + 1])
                                    : 0;
        below = off / pivot;
        factors_[static_cast<std::size_t>(i)] = {1 / pivot, below};
    }
}

// Replaces the first numbers of tension_ from `first` on by the solution.
void StrandTension::solve(std::size_t first, std::size_t segments) {
    float* const y = tension_.data() + first;
    const Factor* const factors = factors_.data() + first;
    for (std::size_t k = 0; k + 1 < segments; ++k) y[k + 1] -= factors[k].below * y[k];
    y[segments - 1] *= factors[segments - 1].over_d;
    for (std::size_t k = segments - 1; k-- > 0;)
        y[k] = y[k] * factors[k].over_d - factors[k].below * y[k + 1];
}

void StrandTension::keep_lengths(const StrandBeams& beams, int beam, std::span<Vec3f> moves) {
    if (moves.size() < 2) return;
    const int first = beams.first_vertex(beam);
    const auto at = static_cast<std::size_t>(first);
    const std::size_t segments = moves.size() - 1;
    for (std::size_t k = 0; k < segments; ++k)
        tension_[at + k] = dot(directions_[at + k], moves[k + 1] - moves[k]);
    solve(at, segments);
    for (std::size_t k = 0; k < segments; ++k) {
        const Vec3f pull = directions_[at + k] * tension_[at + k];
        moves[k] += pull * beams.inverse_mass(first + static_cast<int>(k));
        moves[k + 1] -= pull * beams.inverse_mass(first + static_cast<int>(k) + 1);
    }
}

void StrandTension::balance(const StrandBeams& beams, int beam, std::span<Vec3f> forces) {
    if (forces.size() < 2) return;
    const int first = beams.first_vertex(beam);
    const auto at = static_cast<std::size_t>(first);
    const std::size_t segments = forces.size() - 1;
    for (std::size_t k = 0; k < segments; ++k) {
        const int i = first + static_cast<int>(k);
        tension_[at + k] = dot(directions_[at + k], forces[k + 1] * beams.inverse_mass(i + 1) -
                                                        forces[k] * beams.inverse_mass(i));
    }
    solve(at, segments);
    for (std::size_t k = 0; k < segments; ++k) {
        const Vec3f pull = directions_[at + k] * tension_[at + k];
        forces[k] += pull;
        forces[k + 1] -= pull;
    }
}

std::size_t StrandTension::byte_count() const {
    return directions_.size() * (sizeof(Vec3f) + sizeof(Factor) + sizeof(float));
}

}  // namespace ringlet
