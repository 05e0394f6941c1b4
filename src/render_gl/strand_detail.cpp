#include "render_gl/strand_detail.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

constexpr double kGolden = 0.6180339887498949;
constexpr double kFewest = 1.0 / 4096;  // smallest share of the strands
constexpr double kFading = 0.1;         // of the drawn strands
constexpr std::size_t kRuns = 1024;     // of strands in the order of the layout

// The slots of a layout in an order whose every beginning is spread evenly. Steps of the golden
// ratio visit all slots evenly. They are divided into runs, and the slots of a run are in the order
// of the layout: a GPU that reads strands in that order then writes few places at a time.
std::vector<int> spread_slots(std::size_t slots) {
    if (slots == 0) return {};
    auto step =
        std::max<std::size_t>(static_cast<std::size_t>(kGolden * static_cast<double>(slots)), 1);
    while (std::gcd(step, slots) != 1) ++step;
    std::vector<int> order;
    order.reserve(slots);
    for (std::size_t i = 0, slot = 0; i < slots; ++i, slot = (slot + step) % slots)
        order.push_back(static_cast<int>(slot));
    const std::size_t run = (slots + kRuns - 1) / kRuns;
    for (std::size_t first = 0; first < slots; first += run)
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                  order.begin() + static_cast<std::ptrdiff_t>(std::min(first + run, slots)));
    return order;
}

}  // namespace

StrandOrder::StrandOrder(const StrandLayout& layout)
    : first_controls_(static_cast<std::size_t>(layout.strand_count())) {
    std::uint32_t end = 0;
    ends_.reserve(first_controls_.size());
    for (const int slot : spread_slots(static_cast<std::size_t>(layout.slot_count()))) {
        const int strand = layout.strand_in_slot(slot);
        if (strand < 0) continue;
        first_controls_[static_cast<std::size_t>(strand)] = end;
        end += static_cast<std::uint32_t>(layout.vertex_count(strand));
        ends_.push_back(end);
    }
}

std::size_t StrandOrder::control_count(float share) const {
    if (ends_.empty()) return 0;
    const double wanted =
        std::round(static_cast<double>(share) * static_cast<double>(ends_.size()));
    const auto strands =
        static_cast<std::size_t>(std::clamp(wanted, 1.0, static_cast<double>(ends_.size())));
    return ends_[strands - 1];
}

double crossings_of(const StrandCrowd& crowd) {
    return crowd.strands * crowd.length / std::max(crowd.area, 1.0);
}

int whole_tiles(int pixels) {
    constexpr int kSide = shader::kTilePixels;
    return (pixels + kSide - 1) / kSide * kSide;
}

int layer_scale(double present, double enough, int width, int height) {
    int scale = 1;
    if (!(enough > 0)) return scale;
    const auto pixels = [&](int factor) {
        return std::int64_t{whole_tiles(width * factor)} * whole_tiles(height * factor);
    };
    while (scale < kFinestLayer && present > enough * scale &&
           pixels(2 * scale) <= kLayerSide * kLayerSide)
        scale *= 2;
    return scale;
}

namespace {

StrandDetail detail_by_crossings(const StrandCrowd& crowd, double crossings) {
    const double present = crossings_of(crowd);
    if (!(crossings > 0) || !(present > crossings)) return {};
    const double share = std::max({crossings / present, crowd.width / kWidestThinned, kFewest});
    if (share >= 1) return {};
    // A share of almost 1 has almost nothing to fade, so that the width is a continuous function.
    const double fade = std::min(kFading * share, 1 - share);
    return {static_cast<float>(share), static_cast<float>(fade),
            static_cast<float>(1 / (share - fade / 2))};
}

}  // namespace

StrandDetail choose_detail(const StrandCrowd& crowd, double crossings, double limit) {
    const StrandDetail seen = detail_by_crossings(crowd, crossings);
    const double most = limit > 1 ? limit / std::max(crowd.strands, 1.0) : limit;
    if (!(most > 0) || most >= static_cast<double>(seen.share)) return seen;
    // Counts whole strands, at least one.
    const double share =
        std::max(std::round(most * crowd.strands), 1.0) / std::max(crowd.strands, 1.0);
    return {static_cast<float>(share), 0, static_cast<float>(1 / share)};
}

}  // namespace ringlet
