#include "io/data/data_file.h"

#include <cstdint>
#include <limits>

#include "base/files.h"
#include "io/bytes.h"
#include "io/groom_format.h"
#include "io/strand_checks.h"
#include "math/finite.h"

namespace ringlet {

namespace {

std::size_t vertex_bytes(DataKind kind) { return kind == DataKind::kHairSalon ? 12 : 28; }

// The strands to keep.
struct Found {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    std::vector<std::size_t> first_at;  // byte offset of the root
    std::uint64_t vertices = 0;         // total
};

bool all_finite(std::string_view bytes, std::size_t at, std::size_t count, std::size_t stride) {
    for (std::size_t i = 0; i < count; ++i)
        if (!is_finite(vec3_at(bytes, at + i * stride))) return false;
    return true;
}

Error cut_short(std::size_t strand, std::uint64_t strands, const std::string& name) {
    return {"is cut short or has another format: it ends within strand " + std::to_string(strand) +
                " of " + std::to_string(strands) + " (strands are counted from 0)",
            name};
}

// Walks the whole file, because a strand's size gives the offset of the next. Allocates only as
// strands are found, so a wrong count cannot exhaust the memory.
Result<Found> find_strands(std::string_view bytes, DataKind kind, const std::string& name) {
    if (bytes.size() < 4 || u32_at(bytes, 0) > std::uint32_t{std::numeric_limits<int>::max()})
        return Error{"is not a .data or .bin file: it does not start with a number of strands",
                     name};
    const std::size_t strands = u32_at(bytes, 0), stride = vertex_bytes(kind);
    Found found;
    std::size_t at = 4;
    for (std::size_t s = 0; s < strands; ++s) {
        if (bytes.size() - at < 4) return cut_short(s, strands, name);
        const std::size_t count = u32_at(bytes, at);
        at += 4;
        if (count > (bytes.size() - at) / stride) return cut_short(s, strands, name);
        if (const auto wrong = strand_too_long(static_cast<std::int64_t>(s), count))
            return Error{*wrong, name};
        if (count > 0 && all_finite(bytes, at, count, stride)) {
            found.counts.push_back(static_cast<int>(count));
            found.roots.push_back(vec3_at(bytes, at));
            found.first_at.push_back(at);
            found.vertices += count;
        }
        at += count * stride;
    }
    if (at != bytes.size())
        return Error{"has " + std::to_string(bytes.size() - at) +
                         " bytes after its last strand; a .data file has 3 numbers per vertex, a "
                         ".bin file 7; check the extension",
                     name};
    if (strands > 0 && found.counts.empty())
        return Error{
            "has " + std::to_string(strands) + " strands, none of which has only finite positions",
            name};
    if (found.vertices > std::uint64_t{std::numeric_limits<int>::max()})
        return Error{"has more than 2^31 - 1 vertices, which is not supported", name};
    return found;
}

}  // namespace

Result<StrandSet> parse_data(std::string_view bytes, DataKind kind, const std::string& name) {
    const Result<Found> found = find_strands(bytes, kind, name);
    if (!found) return found.error();
    StrandSet out(StrandLayout(found->counts, found->roots));
    for (int s = 0; s < out.strand_count(); ++s)
        for (int i = 0; i < out.layout->vertex_count(s); ++i)
            out.position.set_vec3(
                s, i,
                vec3_at(bytes, found->first_at[static_cast<std::size_t>(s)] +
                                   static_cast<std::size_t>(i) * vertex_bytes(kind)));
    return out;
}

Result<StrandSet> read_data(const std::filesystem::path& path, DataKind kind) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_data(*bytes, kind, path.string());
}

std::string format_data(const StrandView& strands, DataKind kind) {
    const int count = strand_count(strands);
    std::string out;
    if (count > 0)
        out.reserve(4 + 4 * static_cast<std::size_t>(count) +
                    vertex_bytes(kind) * static_cast<std::size_t>(strands.layout->vertex_total()));
    append_u32(out, static_cast<std::uint32_t>(count));
    for_each_vertex(strands, [&](int s, int i) {
        if (i == 0) append_u32(out, static_cast<std::uint32_t>(strands.layout->vertex_count(s)));
        append_vec3(out, strands.position->vec3(s, i));
        if (kind == DataKind::kCt2Hair) out.append(16, '\0');
    });
    return out;
}

Result<void> write_data(const std::filesystem::path& path, const StrandView& strands,
                        DataKind kind) {
    return write_file(path, format_data(strands, kind));
}

extern const GroomFormat kGroomFormatHairSalon, kGroomFormatCt2Hair;
constinit const GroomFormat kGroomFormatHairSalon{
    .name = "USC-HairSalon",
    .extension = ".data",
    .description = "binary positions",
    .read = [](const std::filesystem::path& path) { return read_data(path, DataKind::kHairSalon); },
    .write = [](const std::filesystem::path& path, const StrandView& strands,
                const GroomExtras&) { return write_data(path, strands, DataKind::kHairSalon); },
};
constinit const GroomFormat kGroomFormatCt2Hair{
    .name = "CT2Hair",
    .extension = ".bin",
    .description = "binary positions with unused directions and labels",
    .read = [](const std::filesystem::path& path) { return read_data(path, DataKind::kCt2Hair); },
    .write = [](const std::filesystem::path& path, const StrandView& strands,
                const GroomExtras&) { return write_data(path, strands, DataKind::kCt2Hair); },
};

}  // namespace ringlet
