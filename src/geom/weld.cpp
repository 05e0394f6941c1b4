#include "geom/weld.h"

#include <bit>

#include "math/noise.h"

namespace ringlet {

std::vector<std::uint32_t> weld_positions(const std::vector<Vec3f>& positions) {
    constexpr std::uint32_t kNone = 0xffffffffu;
    const std::size_t slots = std::bit_ceil(positions.size() * 2 + 1);
    std::vector<std::uint32_t> table(slots, kNone), out(positions.size());
    const auto bits = [](float a) { return std::bit_cast<std::uint32_t>(a + 0.0f); };
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3f p = positions[i];
        std::size_t slot =
            hash_bits(bits(p.x) + hash_bits(bits(p.y) + hash_bits(bits(p.z)))) & (slots - 1);
        for (;; slot = (slot + 1) & (slots - 1)) {
            if (table[slot] == kNone) table[slot] = static_cast<std::uint32_t>(i);
            const Vec3f q = positions[table[slot]];
            if (p.x == q.x && p.y == q.y && p.z == q.z) break;
        }
        out[i] = table[slot];
    }
    return out;
}

}  // namespace ringlet
