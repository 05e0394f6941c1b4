#include "fur/strand_field.h"

#include <cmath>

#include "math/noise.h"
#include "math/vec3.h"

namespace ringlet {

namespace {

std::uint8_t to_byte(float a) {
    return static_cast<std::uint8_t>(std::lround(min(max(a, 0.0f), 1.0f) * 255));
}

// The strand of a cell; coordinates outside the field wrap around.
std::uint32_t strand_of(int x, int y, int z) {
    const auto wrap = [](int a) { return (a + StrandField::kCells) % StrandField::kCells; };
    return static_cast<std::uint32_t>(
        (wrap(z) * StrandField::kCells + wrap(y)) * StrandField::kCells + wrap(x));
}

// Position of the strand in its cell, away from the cell's faces so that strands keep a distance.
Vec3f position_in_cell(std::uint32_t seed, std::uint32_t id) {
    const auto along = [&](std::uint32_t axis) {
        return 0.1f + 0.8f * counter_uniform(seed, id, axis);
    };
    return {along(0), along(1), along(2)};
}

}  // namespace

StrandField make_strand_field(std::uint32_t seed, const TaskPool& pool) {
    constexpr int kSide = StrandField::kSide;
    StrandField field;
    field.rgba.resize(std::size_t{4} * kSide * kSide * kSide);
    pool.for_each(kSide, [&](int z) {
        std::uint8_t* out = &field.rgba[static_cast<std::size_t>(z) * kSide * kSide * 4];
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x, out += 4) {
                const auto cell = [](int texel) { return texel / StrandField::kTexelsPerCell; };
                const auto within = [](int texel) {
                    return (static_cast<float>(texel % StrandField::kTexelsPerCell) + 0.5f) /
                           StrandField::kTexelsPerCell;
                };
                const Vec3f p{within(x), within(y), within(z)};
                float nearest = 1e9f;
                std::uint32_t nearest_id = 0;
                for (int k = 0; k < 27; ++k) {
                    const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;
                    const std::uint32_t id = strand_of(cell(x) + dx, cell(y) + dy, cell(z) + dz);
                    const Vec3f to = position_in_cell(seed, id) +
                                     Vec3f{static_cast<float>(dx), static_cast<float>(dy),
                                           static_cast<float>(dz)} -
                                     p;
                    if (dot(to, to) >= nearest) continue;
                    nearest = dot(to, to);
                    nearest_id = id;
                }
                out[0] = to_byte(1 - sqrt(nearest) / StrandField::kReach);
                for (std::uint32_t channel = 3; channel < 6; ++channel)
                    out[channel - 2] = to_byte(counter_uniform(seed, nearest_id, channel));
            }
    });
    return field;
}

// Strands are round spots on a jittered grid, bright in the middle. The shader raises the value to
// a power that grows with the shell, so strands get thinner towards the tip.
std::vector<std::uint8_t> make_shell_tile(std::uint32_t seed) {
    constexpr int kSpots = 4;  // along a side
    constexpr float kSpot = static_cast<float>(kShellTileSide) / kSpots;
    std::vector<std::uint8_t> out(std::size_t{kShellTileSide} * kShellTileSide);
    for (int y = 0; y < kShellTileSide; ++y)
        for (int x = 0; x < kShellTileSide; ++x) {
            const float u = (static_cast<float>(x) + 0.5f) / kSpot;
            const float v = (static_cast<float>(y) + 0.5f) / kSpot;
            float best = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int i = static_cast<int>(u) + dx, j = static_cast<int>(v) + dy;
                    const auto id = static_cast<std::uint32_t>((j + kSpots) % kSpots * kSpots +
                                                               (i + kSpots) % kSpots);
                    const float to_x =
                        static_cast<float>(i) + 0.2f + 0.6f * counter_uniform(seed, id, 0) - u;
                    const float to_y =
                        static_cast<float>(j) + 0.2f + 0.6f * counter_uniform(seed, id, 1) - v;
                    const float tall = 0.75f + 0.25f * counter_uniform(seed, id, 2);
                    best = max(best, tall * (1 - 2.2f * (to_x * to_x + to_y * to_y)));
                }
            out[static_cast<std::size_t>(y) * kShellTileSide + static_cast<std::size_t>(x)] =
                to_byte(best);
        }
    return out;
}

}  // namespace ringlet
