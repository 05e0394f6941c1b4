#include "strand/even_order.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "strand/morton.h"

namespace ringlet {

namespace {

std::uint32_t reverse_bits(std::uint32_t value, int bits) {
    std::uint32_t out = 0;
    for (int k = 0; k < bits; ++k) out |= (value >> k & 1u) << (bits - 1 - k);
    return out;
}

// The indices of a list in the order of their keys.
std::vector<std::int32_t> sorted_by(const std::vector<std::uint32_t>& keys) {
    std::vector<std::int32_t> out(keys.size());
    std::iota(out.begin(), out.end(), 0);
    std::stable_sort(out.begin(), out.end(), [&](std::int32_t a, std::int32_t b) {
        return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    return out;
}

}  // namespace

std::vector<std::int32_t> even_order(std::span<const Vec3f> roots) {
    const std::vector<std::int32_t> on_curve = sorted_by(morton_codes(roots));
    const int bits = std::bit_width(static_cast<std::uint32_t>(roots.size()));
    std::vector<std::uint32_t> keys(roots.size());
    for (std::size_t k = 0; k < on_curve.size(); ++k)
        keys[static_cast<std::size_t>(on_curve[k])] =
            reverse_bits(static_cast<std::uint32_t>(k), bits);
    const std::vector<std::int32_t> order = sorted_by(keys);
    std::vector<std::int32_t> out(roots.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        out[static_cast<std::size_t>(order[k])] = static_cast<std::int32_t>(k);
    return out;
}

}  // namespace ringlet
