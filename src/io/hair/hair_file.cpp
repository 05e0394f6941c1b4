#include "io/hair/hair_file.h"

#include <cstdint>
#include <limits>

#include "base/assert.h"
#include "base/files.h"
#include "io/bytes.h"
#include "io/groom_format.h"
#include "io/strand_checks.h"
#include "math/finite.h"

namespace ringlet {

namespace {

constexpr std::size_t kHairHeaderBytes = 128;
constexpr std::size_t kInformationBytes = 88;
enum Bit : std::uint32_t {
    kSegments = 1u << 0,
    kPoints = 1u << 1,
    kThickness = 1u << 2,
    kTransparency = 1u << 3,
    kColour = 1u << 4,
};

struct HairHeader {
    std::uint64_t strands, points;
    std::uint32_t bits, default_segments;
    float default_thickness;
    Vec3f default_colour;
    // Byte offsets of the arrays; unspecified for a missing array.
    std::size_t segments_at, points_at, thickness_at, colour_at;

    bool has(Bit bit) const { return (bits & bit) != 0; }
};

// Checks every size against the size of the file before anything is allocated.
Result<HairHeader> hair_header_of(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kHairHeaderBytes || !bytes.starts_with("HAIR"))
        return Error{"is not a .hair file: it does not start with a HAIR header of 128 bytes",
                     name};
    HairHeader h{};
    h.strands = u32_at(bytes, 4);
    h.points = u32_at(bytes, 8);
    h.bits = u32_at(bytes, 12);
    h.default_segments = u32_at(bytes, 16);
    h.default_thickness = f32_at(bytes, 20);
    h.default_colour = vec3_at(bytes, 28);
    if (!h.has(kPoints)) return Error{"contains no points; there is nothing to import", name};

    std::uint64_t end = kHairHeaderBytes;
    const auto take = [&](Bit bit, std::uint64_t size) {
        const std::uint64_t at = end;
        if (h.has(bit)) end += size;
        return static_cast<std::size_t>(at);
    };
    h.segments_at = take(kSegments, 2 * h.strands);
    h.points_at = take(kPoints, 12 * h.points);
    h.thickness_at = take(kThickness, 4 * h.points);
    take(kTransparency, 4 * h.points);
    h.colour_at = take(kColour, 12 * h.points);
    if (end > bytes.size())
        return Error{"is cut short: its header requires " + std::to_string(end) +
                         " bytes, the file has " + std::to_string(bytes.size()),
                     name};
    if (h.points > std::uint64_t{std::numeric_limits<int>::max()})
        return Error{"has more than 2^31 - 1 points, which is not supported", name};
    return h;
}

Result<std::vector<int>> vertex_counts_of(std::string_view bytes, const HairHeader& h,
                                          const std::string& name) {
    const auto points_of = [&](std::size_t s) -> std::uint64_t {
        if (!h.has(kSegments)) return std::uint64_t{h.default_segments} + 1;
        return std::uint64_t{u16_at(bytes, h.segments_at + 2 * s)} + 1;
    };
    std::uint64_t needed = h.has(kSegments) ? 0 : h.strands * points_of(0);
    if (h.has(kSegments))
        for (std::size_t s = 0; s < h.strands; ++s) needed += points_of(s);
    if (needed != h.points)
        return Error{"is inconsistent: its strands need " + std::to_string(needed) +
                         " points, its header states " + std::to_string(h.points),
                     name};
    if (const auto wrong = h.strands > 0 ? strand_too_long(0, points_of(0)) : std::nullopt)
        return Error{*wrong, name};
    // Every strand has a point, so the number of points bounds the number of strands.
    std::vector<int> counts;
    counts.reserve(h.strands);
    for (std::size_t s = 0; s < h.strands; ++s) counts.push_back(static_cast<int>(points_of(s)));
    return counts;
}

// Empty if a root is not finite: such a file is refused later and cannot be sorted by position.
std::vector<Vec3f> roots_of(std::string_view bytes, const HairHeader& h,
                            const std::vector<int>& counts) {
    std::vector<Vec3f> roots;
    roots.reserve(counts.size());
    std::size_t at = h.points_at;
    for (const int count : counts) {
        roots.push_back(vec3_at(bytes, at));
        if (!is_finite(roots.back())) return {};
        at += 12 * static_cast<std::size_t>(count);
    }
    return roots;
}

}  // namespace

Result<StrandSet> parse_hair(std::string_view bytes, const std::string& name) {
    const Result<HairHeader> header = hair_header_of(bytes, name);
    if (!header) return header.error();
    const HairHeader& h = *header;
    const Result<std::vector<int>> counts = vertex_counts_of(bytes, h, name);
    if (!counts) return counts.error();

    StrandSet out(StrandLayout(*counts, roots_of(bytes, h, *counts)));
    std::size_t point = 0;
    for (int s = 0; s < out.strand_count(); ++s)
        for (int i = 0; i < out.layout->vertex_count(s); ++i, ++point) {
            const float thickness =
                h.has(kThickness) ? f32_at(bytes, h.thickness_at + 4 * point) : h.default_thickness;
            out.position.set_vec3(s, i, vec3_at(bytes, h.points_at + 12 * point));
            out.radius.at(s, i) = thickness < 0 ? 0 : thickness / 2;
            out.colour.set_vec3(
                s, i, h.has(kColour) ? vec3_at(bytes, h.colour_at + 12 * point) : h.default_colour);
        }
    if (const auto wrong = non_finite_strand(out)) return Error{*wrong, name};
    return out;
}

Result<StrandSet> read_hair(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_hair(*bytes, path.string());
}

std::string format_hair(const StrandView& strands, std::string_view information) {
    std::string out = "HAIR";
    const int count = strand_count(strands);
    const auto vertices =
        static_cast<std::size_t>(strands.layout ? strands.layout->vertex_total() : 0);
    out.reserve(kHairHeaderBytes + 2 * static_cast<std::size_t>(count) + 28 * vertices);
    append_u32(out, static_cast<std::uint32_t>(count));
    append_u32(out, static_cast<std::uint32_t>(vertices));
    const bool colour = has_colour(strands), radius = has_radius(strands);
    append_u32(out, kSegments | kPoints | (radius ? kThickness : 0u) | (colour ? kColour : 0u));
    // The header's defaults apply to all arrays that are not written.
    append_u32(out, 0);
    append_f32(out, kDefaultHairThickness);
    append_f32(out, 0);
    append_vec3(out, kDefaultHairColour);
    // One byte less than the field holds, so that it ends with 0 as a C string does.
    out += information.substr(0, kInformationBytes - 1);
    out.resize(kHairHeaderBytes, '\0');

    for (int s = 0; s < count; ++s) {
        const int segments = strands.layout->vertex_count(s) - 1;
        RINGLET_ASSERT(segments <= kMaxHairSegments, "segments fit 16 bits");
        out += static_cast<char>(segments & 255);
        out += static_cast<char>(segments >> 8);
    }
    for_each_vertex(strands, [&](int s, int i) { append_vec3(out, strands.position->vec3(s, i)); });
    for_each_vertex(strands, [&](int s, int i) {
        if (radius) append_f32(out, 2 * strands.radius->at(s, i));
    });
    for_each_vertex(strands, [&](int s, int i) {
        if (colour) append_vec3(out, strands.colour->vec3(s, i));
    });
    return out;
}

Result<void> write_hair(const std::filesystem::path& path, const StrandView& strands,
                        std::string_view information) {
    for (int s = 0; s < strand_count(strands); ++s)
        if (strands.layout->vertex_count(s) - 1 > kMaxHairSegments)
            return Error{"strand " + std::to_string(s) + " has " +
                             std::to_string(strands.layout->vertex_count(s) - 1) +
                             " segments; a .hair file holds at most 65535; resample it",
                         path.string()};
    return write_file(path, format_hair(strands, information));
}

extern const GroomFormat kGroomFormatHair;
constinit const GroomFormat kGroomFormatHair{
    .name = "HAIR",
    .extension = ".hair",
    .description = "Cem Yuksel's binary format: points, thickness and colour",
    .stores = kStoresColour | kStoresRadius,
    .read = read_hair,
    .write =
        [](const std::filesystem::path& path, const StrandView& strands,
           const GroomExtras& extras) { return write_hair(path, strands, extras.information); },
};

}  // namespace ringlet
