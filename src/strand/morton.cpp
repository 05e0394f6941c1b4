#include "strand/morton.h"

namespace ringlet {

namespace {

// Spreads ten bits to every third bit.
std::uint32_t spread_bits(std::uint32_t x) {
    x = (x | (x << 16)) & 0x030000ffu;
    x = (x | (x << 8)) & 0x0300f00fu;
    x = (x | (x << 4)) & 0x030c30c3u;
    return (x | (x << 2)) & 0x09249249u;
}

}  // namespace

std::vector<std::uint32_t> morton_codes(std::span<const Vec3f> points) {
    if (points.empty()) return {};
    Vec3f low = points[0], high = points[0];
    for (const Vec3f& p : points) {
        low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
        high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
    }
    const float side = max(max(high.x - low.x, high.y - low.y), max(high.z - low.z, kTiny));
    const auto cell = [&](float a, float origin) {
        const float scaled = (a - origin) / side * 1023.0f;
        return spread_bits(static_cast<std::uint32_t>(min(max(scaled, 0.0f), 1023.0f)));
    };
    std::vector<std::uint32_t> codes;
    codes.reserve(points.size());
    for (const Vec3f& p : points)
        codes.push_back(cell(p.x, low.x) | cell(p.y, low.y) << 1 | cell(p.z, low.z) << 2);
    return codes;
}

}  // namespace ringlet
