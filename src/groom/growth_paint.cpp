#include "groom/growth_paint.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace ringlet {

namespace {

constexpr std::string_view kMagic = "ringlet growth 1";
constexpr std::int32_t kFarthestNode = 1 << 20;  // also bounds what a dab can allocate
constexpr float kMostNodesAcross = 256;          // of one dab

// The share of a dab's effect at a distance from its centre, in radii.
float effect_at(float distance, float softness) {
    const float edge = std::clamp(softness, 0.0f, 1.0f);
    if (!(edge > 0)) return distance <= 1 ? 1.0f : 0.0f;
    const float s = std::clamp((1 - distance) / edge, 0.0f, 1.0f);
    return s * s * (3 - 2 * s);
}

std::uint8_t toward(std::uint8_t from, float to, float share) {
    const float value = static_cast<float>(from);
    return static_cast<std::uint8_t>(std::clamp(value + (to - value) * share + 0.5f, 0.0f, 255.0f));
}

// Reads the numbers of one line. Returns how many it read, or -1 if the line holds something else
// or more numbers.
template <class Number, std::size_t kCount>
int read_numbers(std::string_view line, Number (&out)[kCount]) {
    int count = 0;
    const char* at = line.data();
    const char* const end = line.data() + line.size();
    while (true) {
        while (at != end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
        if (at == end) return count;
        if (count == static_cast<int>(kCount)) return -1;
        const auto parsed = std::from_chars(at, end, out[count++]);
        if (parsed.ec != std::errc()) return -1;
        at = parsed.ptr;
    }
}

}  // namespace

float GrowthPaint::spacing_for(const Mesh& mesh) {
    const Bounds bounds = bounds_of(mesh);
    return std::max(kFinestSpacing, norm(bounds.high - bounds.low) / 400);
}

void GrowthPaint::dab(const BrushDab& brush) {
    const float reach = std::clamp(brush.radius, spacing_, kMostNodesAcross / 2 * spacing_);
    const float most = static_cast<float>(kFarthestNode);
    const auto first = [&](float c) { return (c - reach) / spacing_; };
    const auto last = [&](float c) { return (c + reach) / spacing_; };
    for (const float c : {brush.centre.x, brush.centre.y, brush.centre.z})
        if (!(first(c) > -most && last(c) < most)) return;
    const auto range = [&](float c) {
        return std::pair{static_cast<std::int32_t>(std::ceil(first(c))),
                         static_cast<std::int32_t>(std::floor(last(c)))};
    };
    const auto [x0, x1] = range(brush.centre.x);
    const auto [y0, y1] = range(brush.centre.y);
    const auto [z0, z1] = range(brush.centre.z);
    for (std::int32_t x = x0; x <= x1; ++x)
        for (std::int32_t y = y0; y <= y1; ++y)
            for (std::int32_t z = z0; z <= z1; ++z) {
                const Vec3f at =
                    Vec3f{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} *
                    spacing_;
                const float share = std::clamp(brush.strength, 0.0f, 1.0f) *
                                    effect_at(norm(at - brush.centre) / reach, brush.softness);
                const auto found = nodes_.find({x, y, z});
                Node node = found == nodes_.end() ? Node{} : found->second;
                const bool erases = brush.mode == BrushMode::erase;
                node.opacity = toward(node.opacity, erases ? 0.0f : 255.0f, share);
                node.weight = std::min(
                    node.opacity,
                    toward(node.weight, brush.mode == BrushMode::grow ? 255.0f : 0.0f, share));
                if (node.opacity > 0)
                    nodes_[{x, y, z}] = node;
                else if (found != nodes_.end())
                    nodes_.erase(found);
            }
}

void GrowthPaint::dab_mirrored(const BrushDab& brush, float mirror_x) {
    dab(brush);
    BrushDab other = brush;
    other.centre.x = 2 * mirror_x - brush.centre.x;
    // A dab on the mirror plane is its own image.
    if (std::abs(other.centre.x - brush.centre.x) > 0.1f * spacing_) dab(other);
}

float GrowthPaint::over(float below, Vec3f point) const {
    if (nodes_.empty()) return below;
    const Vec3f at = point * (1 / spacing_);
    const float most = static_cast<float>(kFarthestNode);
    for (const float c : {at.x, at.y, at.z})
        if (!(c > -most && c < most)) return below;
    const Vec3f floor{std::floor(at.x), std::floor(at.y), std::floor(at.z)};
    const Vec3f t = at - floor;
    float weight = 0, opacity = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
        const auto found = nodes_.find({static_cast<std::int32_t>(floor.x) + dx,
                                        static_cast<std::int32_t>(floor.y) + dy,
                                        static_cast<std::int32_t>(floor.z) + dz});
        if (found == nodes_.end()) continue;
        const float share =
            (dx ? t.x : 1 - t.x) * (dy ? t.y : 1 - t.y) * (dz ? t.z : 1 - t.z) / 255;
        weight += share * static_cast<float>(found->second.weight);
        opacity += share * static_cast<float>(found->second.opacity);
    }
    return std::clamp(below * (1 - opacity) + weight, 0.0f, 1.0f);
}

std::string GrowthPaint::text() const {
    char number[32];
    const auto end = std::to_chars(number, number + sizeof number, spacing_).ptr;
    std::string out = std::string(kMagic) + "\n" + std::string(number, end) + "\n";
    for (const auto& [index, node] : nodes_) {
        const auto [x, y, z] = index;
        out += std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(z) + " " +
               std::to_string(node.weight) + " " + std::to_string(node.opacity) + "\n";
    }
    return out;
}

Result<GrowthPaint> GrowthPaint::parse(std::string_view text, const std::string& file) {
    GrowthPaint out;
    int line_number = 0;
    const auto wrong = [&](const std::string& message) {
        return Error{message + "; paint again or leave groom.painted empty", file, line_number};
    };
    while (!text.empty() || line_number == 0) {
        ++line_number;
        const std::size_t length = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, length);
        text.remove_prefix(std::min(length + 1, text.size()));
        if (line_number == 1) {
            if (!line.starts_with(kMagic)) return wrong("not a file of painted growth weights");
        } else if (line_number == 2) {
            float spacing[1];
            if (read_numbers(line, spacing) != 1 || !(spacing[0] > 1e-6f && spacing[0] < 1e6f))
                return wrong("the distance between nodes must be a positive number of metres");
            out.spacing_ = spacing[0];
        } else {
            std::int32_t n[5];
            const int count = read_numbers(line, n);
            if (count == 0) continue;
            const bool near = count == 5 && std::all_of(n, n + 3, [](std::int32_t i) {
                                  return i >= -kFarthestNode && i <= kFarthestNode;
                              });
            if (!near || n[4] < 0 || n[4] > 255 || n[3] < 0 || n[3] > n[4])
                return wrong("a node needs x, y, z, weight and opacity, with weights 0 to 255");
            if (n[4] > 0)
                out.nodes_[{n[0], n[1], n[2]}] = {static_cast<std::uint8_t>(n[3]),
                                                  static_cast<std::uint8_t>(n[4])};
        }
    }
    if (line_number < 2) return wrong("the file ends after its first line");
    return out;
}

}  // namespace ringlet
