#include "io/hair/hair_file.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/assert.h"
#include "base/files.h"

namespace ringlet {

namespace {

constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kInformationBytes = 88;
enum Bit : std::uint32_t {
    kSegments = 1u << 0,
    kPoints = 1u << 1,
    kThickness = 1u << 2,
    kTransparency = 1u << 3,
    kColour = 1u << 4,
};

// Bytes are put together one by one, so that the machine's own order does not matter.
std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

int u16_at(std::string_view bytes, std::size_t at) {
    return static_cast<std::uint8_t>(bytes[at]) | static_cast<std::uint8_t>(bytes[at + 1]) << 8;
}

float f32_at(std::string_view bytes, std::size_t at) {
    return std::bit_cast<float>(u32_at(bytes, at));
}

Vec3f vec3_at(std::string_view bytes, std::size_t at) {
    return {f32_at(bytes, at), f32_at(bytes, at + 4), f32_at(bytes, at + 8)};
}

bool is_finite(Vec3f a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

struct Header {
    std::uint64_t strands, points;
    std::uint32_t bits, default_segments;
    float default_thickness;
    Vec3f default_colour;
    // Where the arrays begin; where one is missing, that of the next.
    std::size_t segments_at, points_at, thickness_at, colour_at;

    bool has(Bit bit) const { return (bits & bit) != 0; }
};

// Every size is checked against the bytes there are before anything is allocated for it.
Result<Header> header_of(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kHeaderBytes || !bytes.starts_with("HAIR"))
        return Error{"is no .hair file: it does not begin with a HAIR header of 128 bytes", name};
    Header h{};
    h.strands = u32_at(bytes, 4);
    h.points = u32_at(bytes, 8);
    h.bits = u32_at(bytes, 12);
    h.default_segments = u32_at(bytes, 16);
    h.default_thickness = f32_at(bytes, 20);
    h.default_colour = vec3_at(bytes, 28);
    if (!h.has(kPoints)) return Error{"has no points, so nothing to import", name};

    std::uint64_t end = kHeaderBytes;
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
        return Error{"is cut short: its header promises " + std::to_string(end) +
                         " bytes, it has " + std::to_string(bytes.size()),
                     name};
    if (h.points > std::uint64_t{std::numeric_limits<int>::max()})
        return Error{"has more points than can be handled", name};
    return h;
}

Result<std::vector<int>> vertex_counts_of(std::string_view bytes, const Header& h,
                                          const std::string& name) {
    const auto points_of = [&](std::size_t s) -> std::uint64_t {
        if (!h.has(kSegments)) return std::uint64_t{h.default_segments} + 1;
        return static_cast<std::uint64_t>(u16_at(bytes, h.segments_at + 2 * s)) + 1;
    };
    std::uint64_t needed = h.has(kSegments) ? 0 : h.strands * points_of(0);
    if (h.has(kSegments))
        for (std::size_t s = 0; s < h.strands; ++s) needed += points_of(s);
    if (needed != h.points)
        return Error{"contradicts itself: its strands need " + std::to_string(needed) +
                         " points, its header promises " + std::to_string(h.points),
                     name};
    // Every strand has a point, so the points that are there bound the strands too.
    std::vector<int> counts;
    counts.reserve(h.strands);
    for (std::size_t s = 0; s < h.strands; ++s) counts.push_back(static_cast<int>(points_of(s)));
    return counts;
}

// The first strand whose positions, thickness or colour are not numbers, in words.
std::optional<std::string> strand_without_numbers(const StrandSet& set) {
    for (int s = 0; s < set.strand_count(); ++s)
        for (int i = 0; i < set.layout->vertex_count(s); ++i) {
            const char* what = !is_finite(set.position.vec3(s, i))   ? "point"
                               : !std::isfinite(set.radius.at(s, i)) ? "thickness"
                               : !is_finite(set.colour.vec3(s, i))   ? "colour"
                                                                     : nullptr;
            if (what)
                return "strand " + std::to_string(s) + ", point " + std::to_string(i) + ": its " +
                       what + " is not a finite number (strands and points are counted from 0)";
        }
    return std::nullopt;
}

// None at all if one is not finite: such a file is refused later, and has no order by place.
std::vector<Vec3f> roots_of(std::string_view bytes, const Header& h,
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

void append_u32(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 255u);
}

void append_f32(std::string& out, float value) {
    append_u32(out, std::bit_cast<std::uint32_t>(value));
}

void append_vec3(std::string& out, Vec3f a) {
    for (const float c : {a.x, a.y, a.z}) append_f32(out, c);
}

}  // namespace

Result<StrandSet> parse_hair(std::string_view bytes, const std::string& name) {
    const Result<Header> header = header_of(bytes, name);
    if (!header) return header.error();
    const Header& h = *header;
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
    if (const auto wrong = strand_without_numbers(out)) return Error{*wrong, name};
    return out;
}

Result<StrandSet> read_hair(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_hair(*bytes, path.string());
}

std::string format_hair(const StrandView& strands, std::string_view information) {
    static const StrandLayout kEmpty;
    const StrandLayout& layout = strands.layout ? *strands.layout : kEmpty;
    const auto for_each_vertex = [&](const auto& body) {
        for (int s = 0; s < layout.strand_count(); ++s)
            for (int i = 0; i < layout.vertex_count(s); ++i) body(s, i);
    };

    std::string out = "HAIR";
    out.reserve(kHeaderBytes + 2 * static_cast<std::size_t>(layout.strand_count()) +
                28 * static_cast<std::size_t>(layout.vertex_total()));
    append_u32(out, static_cast<std::uint32_t>(layout.strand_count()));
    append_u32(out, static_cast<std::uint32_t>(layout.vertex_total()));
    append_u32(out, kSegments | kPoints | kThickness | kColour);
    // The defaults, which no array here leaves in use.
    append_u32(out, 0);
    append_f32(out, 0);
    append_f32(out, 0);
    append_vec3(out, {1, 1, 1});
    // One byte less than there is room for, so that it ends for those who read it as a C string.
    out += information.substr(0, kInformationBytes - 1);
    out.resize(kHeaderBytes, '\0');

    for (int s = 0; s < layout.strand_count(); ++s) {
        const int segments = layout.vertex_count(s) - 1;
        RINGLET_ASSERT(segments <= kMaxHairSegments, "segments fit 16 bits");
        out += static_cast<char>(segments & 255);
        out += static_cast<char>(segments >> 8);
    }
    for_each_vertex([&](int s, int i) { append_vec3(out, strands.position->vec3(s, i)); });
    for_each_vertex([&](int s, int i) { append_f32(out, 2 * strands.radius->at(s, i)); });
    for_each_vertex([&](int s, int i) { append_vec3(out, strands.colour->vec3(s, i)); });
    return out;
}

Result<void> write_hair(const std::filesystem::path& path, const StrandView& strands,
                        std::string_view information) {
    const int strand_count = strands.layout ? strands.layout->strand_count() : 0;
    for (int s = 0; s < strand_count; ++s)
        if (strands.layout->vertex_count(s) - 1 > kMaxHairSegments)
            return Error{"strand " + std::to_string(s) + " has " +
                             std::to_string(strands.layout->vertex_count(s) - 1) +
                             " segments, and a .hair file holds 65535 at most; resample it",
                         path.string()};
    return write_file(path, format_hair(strands, information));
}

}  // namespace ringlet
