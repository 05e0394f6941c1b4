#include "render_gl/strand_detail.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ringlet {

namespace {

constexpr double kGolden = 0.6180339887498949;
constexpr double kFewest = 1.0 / 4096;  // smallest share of the strands
constexpr double kFading = 0.1;         // of the drawn strands
constexpr std::size_t kRuns = 1024;     // of strands in the order of the layout

// Numbers below `count` in an order whose every beginning is spread evenly. Steps of the golden
// ratio visit all numbers evenly. They are divided into runs, and the numbers of a run ascend: a
// GPU that reads strands in the order of the layout then writes few places at a time.
std::vector<std::size_t> spread_numbers(std::size_t count) {
    if (count == 0) return {};
    auto step =
        std::max<std::size_t>(static_cast<std::size_t>(kGolden * static_cast<double>(count)), 1);
    while (std::gcd(step, count) != 1) ++step;
    std::vector<std::size_t> order;
    order.reserve(count);
    for (std::size_t i = 0, number = 0; i < count; ++i, number = (number + step) % count)
        order.push_back(number);
    const std::size_t run = (count + kRuns - 1) / kRuns;
    for (std::size_t first = 0; first < count; first += run)
        std::sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                  order.begin() + static_cast<std::ptrdiff_t>(std::min(first + run, count)));
    return order;
}

}  // namespace

StrandOrder::StrandOrder(const StrandLayout& layout, std::span<const int> first_strands)
    : first_controls_(static_cast<std::size_t>(layout.strand_count())),
      total_(static_cast<std::size_t>(layout.vertex_total())) {
    for (const int first : first_strands) heads_.push_back({first, 0, 0});
    if (heads_.empty()) heads_.push_back({0, 0, 0});
    std::vector<std::vector<int>> slots(heads_.size());
    for (int slot = 0; slot < layout.slot_count(); ++slot) {
        const int strand = layout.strand_in_slot(slot);
        if (strand >= 0) slots[static_cast<std::size_t>(head_of(strand))].push_back(slot);
    }
    ends_.reserve(first_controls_.size());
    for (std::size_t head = 0; head < heads_.size(); ++head) {
        heads_[head].first_end = ends_.size();
        number_strands(layout, slots[head]);
        heads_[head].last_end = ends_.size();
    }
}

// Numbers the control vertices of the head with the strands in `slots`.
void StrandOrder::number_strands(const StrandLayout& layout, std::span<const int> slots) {
    Numbers end{};
    // Whole blocks, so that the order of a single head is that of all slots.
    const std::size_t padded = (slots.size() + kLanes - 1) / kLanes * kLanes;
    for (const std::size_t number : spread_numbers(padded)) {
        if (number >= slots.size()) continue;
        const int strand = layout.strand_in_slot(slots[number]);
        first_controls_[static_cast<std::size_t>(strand)] = end;
        for (int skip = 0; skip < shader::kVertexSteps; ++skip)
            end[static_cast<std::size_t>(skip)] +=
                control_count_of(layout.vertex_count(strand), skip);
        ends_.push_back(end);
    }
}

// The last head that begins at the strand or before it: heads without strands begin where the next
// one does.
int StrandOrder::head_of(int strand) const {
    const auto after = std::ranges::upper_bound(heads_, strand, {}, &Head::first_strand);
    return static_cast<int>(after - heads_.begin()) - 1;
}

int StrandOrder::strand_count(int head) const {
    const Head& own = heads_[static_cast<std::size_t>(head)];
    return static_cast<int>(own.last_end - own.first_end);
}

std::size_t StrandOrder::control_count(float share, int head, int skip) const {
    const auto strands = static_cast<double>(strand_count(head));
    if (strands == 0) return 0;
    const double wanted =
        std::clamp(std::round(static_cast<double>(share) * strands), 1.0, strands);
    const std::size_t last =
        heads_[static_cast<std::size_t>(head)].first_end + static_cast<std::size_t>(wanted) - 1;
    return ends_[last][static_cast<std::size_t>(skip)];
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
    return detail_of_share(share);
}

}  // namespace

StrandDetail detail_of_share(double share) {
    if (share >= 1) return {};
    // A share of almost 1 has almost nothing to fade, so that the width is a continuous function.
    const double fade = std::min(kFading * share, 1 - share);
    return {static_cast<float>(share), static_cast<float>(fade),
            static_cast<float>(1 / (share - fade / 2))};
}

double drawn_controls(std::span<const HeadDetail> heads) {
    double sum = 0;
    for (const HeadDetail& head : heads)
        sum += static_cast<double>(head.strands.share) * head.controls;
    return sum;
}

void limit_crowd(std::span<HeadDetail> heads, double most) {
    const double sum = drawn_controls(heads);
    if (sum <= most) return;
    for (HeadDetail& head : heads)
        head.strands = detail_of_share(static_cast<double>(head.strands.share) * most / sum);
}

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
