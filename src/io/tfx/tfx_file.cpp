#include "io/tfx/tfx_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/assert.h"
#include "base/files.h"
#include "io/bytes.h"
#include "io/groom_format.h"
#include "io/strand_checks.h"
#include "math/finite.h"

namespace ringlet {

namespace {

constexpr std::size_t kTfxHeaderBytes = 160;

struct TfxHeader {
    std::uint64_t strands, vertices_each;
    // Byte offsets of the arrays; 0 for a missing array.
    std::size_t positions_at, strand_uvs_at, vertex_uvs_at, thickness_at, colours_at;
};

// An error message if an array does not lie between the header and the end of the file.
std::optional<std::string> array_outside(std::string_view bytes, const char* what, std::size_t at,
                                         std::uint64_t count, std::size_t size_each) {
    if (at >= kTfxHeaderBytes && at <= bytes.size() && count <= (bytes.size() - at) / size_each)
        return std::nullopt;
    return "is cut short or damaged: its header states " + std::to_string(count) + " " + what +
           " from byte " + std::to_string(at) + " on, the file has " +
           std::to_string(bytes.size()) + " bytes";
}

// Checks every size against the size of the file before anything is allocated.
std::optional<std::string> wrong_size(std::string_view bytes, const TfxHeader& h) {
    if (h.strands > 0 && h.vertices_each == 0)
        return "has strands without vertices; there is nothing to import";
    const std::uint64_t vertices = h.strands * h.vertices_each;  // both fit 32 bits: no overflow
    auto wrong = array_outside(bytes, "positions", h.positions_at, vertices, 16);
    const auto check = [&](const char* what, std::size_t at, std::uint64_t count,
                           std::size_t size_each) {
        if (!wrong && at != 0) wrong = array_outside(bytes, what, at, count, size_each);
    };
    check("strand UVs", h.strand_uvs_at, h.strands, 8);
    check("vertex UVs", h.vertex_uvs_at, vertices, 8);
    check("strand thicknesses", h.thickness_at, h.strands, 4);
    check("vertex colours", h.colours_at, vertices, 16);
    if (!wrong && vertices > std::uint64_t{std::numeric_limits<int>::max()})
        return "has more than 2^31 - 1 vertices, which is not supported";
    if (!wrong && h.strands > 0) wrong = strand_too_long(0, h.vertices_each);
    return wrong;
}

Result<TfxHeader> tfx_header_of(std::string_view bytes, const std::string& name) {
    const float version = bytes.size() < kTfxHeaderBytes ? 0 : f32_at(bytes, 0);
    if (!(version >= 4 && version < 5))
        return Error{"is not a .tfx file: it does not start with a TressFX 4 header of 160 bytes",
                     name};
    const TfxHeader h{u32_at(bytes, 4),  u32_at(bytes, 8),  u32_at(bytes, 12), u32_at(bytes, 16),
                      u32_at(bytes, 20), u32_at(bytes, 24), u32_at(bytes, 28)};
    if (const auto wrong = wrong_size(bytes, h)) return Error{*wrong, name};
    return h;
}

StrandLayout tfx_layout_of(std::string_view bytes, const TfxHeader& h) {
    const auto strands = static_cast<std::size_t>(h.strands);
    const auto each = static_cast<std::size_t>(h.vertices_each);
    const std::vector<int> counts(strands, static_cast<int>(each));
    std::vector<Vec3f> roots;
    roots.reserve(strands);
    for (std::size_t s = 0; s < strands; ++s) {
        roots.push_back(vec3_at(bytes, h.positions_at + 16 * s * each));
        // Such a file is refused later and cannot be sorted by position.
        if (!is_finite(roots.back())) return StrandLayout(counts);
    }
    return StrandLayout(counts, roots);
}

std::optional<std::string> read_root_uvs(std::string_view bytes, const TfxHeader& h,
                                         StrandSet& out) {
    const std::size_t at = h.strand_uvs_at != 0 ? h.strand_uvs_at : h.vertex_uvs_at;
    if (at == 0) return std::nullopt;
    const std::size_t stride = h.strand_uvs_at != 0 ? 8 : 8 * h.vertices_each;
    out.root_uv.reserve(static_cast<std::size_t>(h.strands));
    for (std::size_t s = 0; s < h.strands; ++s) {
        const Vec2f uv{f32_at(bytes, at + stride * s), f32_at(bytes, at + stride * s + 4)};
        if (!std::isfinite(uv.x) || !std::isfinite(uv.y))
            return "strand " + std::to_string(s) +
                   ": its UV is not a finite number (strands are counted from 0)";
        out.root_uv.push_back(uv);
    }
    return std::nullopt;
}

// The header with the byte offsets of the arrays. Colours precede thicknesses, so that every array
// starts at a multiple of 8, as the format requires.
std::string header_bytes(std::uint64_t strands, std::uint64_t vertices_each, bool uvs, bool colours,
                         bool thickness) {
    std::uint64_t end = kTfxHeaderBytes + 16 * strands * vertices_each;
    const auto take = [&](bool present, std::uint64_t size) {
        const std::uint64_t at = present ? end : 0;
        if (present) end += size;
        return static_cast<std::uint32_t>(at);
    };
    const std::uint32_t uvs_at = take(uvs, 8 * strands);
    const std::uint32_t colours_at = take(colours, 16 * strands * vertices_each);
    const std::uint32_t thickness_at = take(thickness, 4 * strands);
    RINGLET_ASSERT(end <= std::numeric_limits<std::uint32_t>::max(), "offsets fit 32 bits");
    std::string out;
    out.reserve(static_cast<std::size_t>(end));
    append_f32(out, 4.0f);
    append_u32(out, static_cast<std::uint32_t>(strands));
    append_u32(out, static_cast<std::uint32_t>(vertices_each));
    append_u32(out, kTfxHeaderBytes);
    append_u32(out, uvs_at);
    append_u32(out, 0);  // no vertex UVs
    append_u32(out, thickness_at);
    append_u32(out, colours_at);
    out.resize(kTfxHeaderBytes, '\0');
    return out;
}

float widest_diameter(const StrandView& strands, int s) {
    float radius = 0;
    for (int i = 0; i < strands.layout->vertex_count(s); ++i)
        radius = std::max(radius, strands.radius->at(s, i));
    return 2 * radius;
}

}  // namespace

Result<StrandSet> parse_tfx(std::string_view bytes, const std::string& name) {
    const Result<TfxHeader> header = tfx_header_of(bytes, name);
    if (!header) return header.error();
    const TfxHeader& h = *header;

    StrandSet out(tfx_layout_of(bytes, h));
    std::size_t vertex = 0;
    for (int s = 0; s < out.strand_count(); ++s) {
        const float thickness =
            h.thickness_at ? f32_at(bytes, h.thickness_at + 4 * static_cast<std::size_t>(s)) : 0;
        for (int i = 0; i < out.layout->vertex_count(s); ++i, ++vertex) {
            out.position.set_vec3(s, i, vec3_at(bytes, h.positions_at + 16 * vertex));
            out.radius.at(s, i) = thickness < 0 ? 0 : thickness / 2;
            if (h.colours_at) out.colour.set_vec3(s, i, vec3_at(bytes, h.colours_at + 16 * vertex));
        }
    }
    if (const auto wrong = non_finite_strand(out)) return Error{*wrong, name};
    if (const auto wrong = read_root_uvs(bytes, h, out)) return Error{*wrong, name};
    return out;
}

Result<StrandSet> read_tfx(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_tfx(*bytes, path.string());
}

std::string format_tfx(const StrandView& strands, std::span<const Vec2f> root_uv) {
    const int count = strand_count(strands);
    RINGLET_ASSERT(root_uv.empty() || std::ssize(root_uv) == count, "one UV per strand");
    const int each = count > 0 ? strands.layout->vertex_count(0) : 0;
    const bool colours = has_colour(strands), thickness = has_radius(strands);
    std::string out =
        header_bytes(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(each),
                     !root_uv.empty(), colours, thickness);
    for_each_vertex(strands, [&](int s, int i) {
        RINGLET_ASSERT(i < each, "strands of one vertex count");
        append_vec3(out, strands.position->vec3(s, i));
        append_f32(out, i < 2 ? 0.0f : 1.0f);
    });
    for (const Vec2f uv : root_uv) {
        append_f32(out, uv.x);
        append_f32(out, uv.y);
    }
    if (colours)
        for_each_vertex(strands, [&](int s, int i) {
            append_vec3(out, strands.colour->vec3(s, i));
            append_f32(out, 1.0f);
        });
    if (thickness)
        for (int s = 0; s < count; ++s) append_f32(out, widest_diameter(strands, s));
    return out;
}

Result<void> write_tfx(const std::filesystem::path& path, const StrandView& strands,
                       std::span<const Vec2f> root_uv) {
    for (int s = 1; s < strand_count(strands); ++s)
        if (strands.layout->vertex_count(s) != strands.layout->vertex_count(0))
            return Error{"strand " + std::to_string(s) + " has " +
                             std::to_string(strands.layout->vertex_count(s)) +
                             " vertices and strand 0 has " +
                             std::to_string(strands.layout->vertex_count(0)) +
                             "; a .tfx file needs the same number for all; resample them",
                         path.string()};
    // A vertex takes at most 44 bytes: a strand of one vertex with UV, colour and thickness.
    if (strands.layout && strands.layout->vertex_total() > (std::int64_t{1} << 32) / 44 - 8)
        return Error{"a .tfx file holds at most 4 GiB; write fewer strands or vertices, or .hair",
                     path.string()};
    return write_file(path, format_tfx(strands, root_uv));
}

extern const GroomFormat kGroomFormatTfx;
constinit const GroomFormat kGroomFormatTfx{
    .name = "TressFX 4",
    .extension = ".tfx",
    .description = "AMD's binary format: one vertex count, root UVs, thickness per strand, colour",
    .stores = kStoresColour | kStoresRadius | kStoresRootUv,
    .needs_equal_counts = true,
    .read = read_tfx,
    .write = [](const std::filesystem::path& path, const StrandView& strands,
                const GroomExtras& extras) { return write_tfx(path, strands, extras.root_uv); },
};

}  // namespace ringlet
