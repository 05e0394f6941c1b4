#include "io/numpy/numpy_groom.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/files.h"
#include "io/bytes.h"
#include "io/numpy/npy_array.h"
#include "io/numpy/zip_file.h"
#include "io/strand_checks.h"
#include "io/text.h"
#include "math/finite.h"

namespace ringlet {

namespace {

// The names of arrays that are found in published files, the most usual first.
constexpr std::array<std::string_view, 8> kPositionNames{
    "positions", "points", "strands", "strand_points", "vertices", "xyz", "pos", "curves"};
constexpr std::array<std::string_view, 8> kCountNames{
    "counts",     "vertex_counts", "num_vertices",   "points_per_strand",
    "num_points", "strand_sizes",  "strand_lengths", "lengths"};
constexpr std::array<std::string_view, 3> kOffsetNames{"offsets", "strand_offsets", "splits"};
constexpr std::array<std::string_view, 4> kRootUvNames{"root_uv", "root_uvs", "uv", "uvs"};
constexpr std::array<std::string_view, 3> kRadiusNames{"radius", "radii", "r"};
constexpr std::array<std::string_view, 4> kDiameterNames{"widths", "width", "thickness",
                                                         "diameter"};
constexpr std::array<std::string_view, 5> kColourNames{"colour", "colours", "color", "colors",
                                                       "rgb"};

// An array of a file, with the bytes it refers to.
struct NamedArray {
    std::string name, bytes;
    std::optional<NpyArray> array;  // empty if it cannot be used
    std::string why_not;
};

std::string shape_text(const NpyArray& array) {
    std::string out;
    for (const std::uint64_t extent : array.shape)
        out += (out.empty() ? "" : ", ") + std::to_string(extent);
    return "(" + out + ")";
}

const NpyArray* find_array(std::span<const NamedArray> arrays,
                           std::span<const std::string_view> names) {
    for (const std::string_view name : names)
        for (const NamedArray& candidate : arrays)
            if (candidate.name == name && candidate.array) return &*candidate.array;
    return nullptr;
}

bool has_rows_of_three(const NpyArray& array, std::size_t dimensions) {
    return array.is_real() && array.shape.size() == dimensions && array.shape.back() == 3;
}

// An array of one number per strand: counts, or offsets of the first points.
std::optional<std::vector<std::uint64_t>> integers_of(const NpyArray* array) {
    if (!array || !array->is_integer() || array->shape.size() != 1) return std::nullopt;
    std::vector<std::uint64_t> out;
    for (std::size_t k = 0; k < array->item_count(); ++k) {
        const double value = array->at(k);
        if (value < 0 || value > double{std::numeric_limits<int>::max()}) return std::nullopt;
        out.push_back(static_cast<std::uint64_t>(value));
    }
    return out;
}

// The counts of strands whose first points are at `offsets`; the end may be stated or not.
std::optional<std::vector<std::uint64_t>> differences(std::vector<std::uint64_t> offsets,
                                                      std::uint64_t points) {
    if (offsets.empty() || offsets.front() != 0) return std::nullopt;
    if (offsets.back() != points || offsets.size() == 1) offsets.push_back(points);
    std::vector<std::uint64_t> out;
    for (std::size_t k = 1; k < offsets.size(); ++k) {
        if (offsets[k] < offsets[k - 1]) return std::nullopt;
        out.push_back(offsets[k] - offsets[k - 1]);
    }
    return out;
}

// The number of points of each strand of an array (points, 3). An Error states only the cause.
Result<std::vector<std::uint64_t>> listed_counts(std::span<const NamedArray> arrays,
                                                 std::uint64_t points) {
    auto counts = integers_of(find_array(arrays, kCountNames));
    if (!counts)
        if (auto offsets = integers_of(find_array(arrays, kOffsetNames)))
            counts = differences(std::move(*offsets), points);
    if (!counts)
        return Error{
            "has positions of the shape (points, 3) but no array \"counts\" with the number of "
            "points of each strand; save positions as (strands, vertices, 3), or add counts"};
    std::uint64_t sum = 0;
    for (const std::uint64_t count : *counts) sum += count;
    if (sum != points)
        return Error{"is inconsistent: its counts add up to " + std::to_string(sum) +
                     " points, its positions are " + std::to_string(points)};
    return *counts;
}

// Where the strands of a file are in its array of positions. Strands without points are left out.
struct StrandList {
    std::vector<int> counts;
    std::vector<std::size_t> first_point, number;  // in the file
};

Result<StrandList> list_strands(const std::vector<std::uint64_t>& counts, std::uint64_t points) {
    if (points > std::uint64_t{std::numeric_limits<int>::max()})
        return Error{"has more than 2^31 - 1 points, which is not supported"};
    StrandList out;
    std::size_t at = 0;
    for (std::size_t s = 0; s < counts.size(); ++s) {
        if (const auto wrong = strand_too_long(static_cast<std::int64_t>(s), counts[s]))
            return Error{*wrong};
        if (counts[s] > 0) {
            out.counts.push_back(static_cast<int>(counts[s]));
            out.first_point.push_back(at);
            out.number.push_back(s);
        }
        at += static_cast<std::size_t>(counts[s]);
    }
    return out;
}

Vec3f row_of(const NpyArray& array, std::size_t row) {
    const auto value = [&](std::size_t c) { return static_cast<float>(array.at(3 * row + c)); };
    return {value(0), value(1), value(2)};
}

// Calls set(strand, vertex, item) where an array has an item per strand or per point.
template <class Set>
void for_each_item(const StrandList& list, std::size_t strands, std::size_t points,
                   std::uint64_t items, const Set& set) {
    if (items != strands && items != points) return;
    for (std::size_t s = 0; s < list.counts.size(); ++s)
        for (int i = 0; i < list.counts[s]; ++i)
            set(static_cast<int>(s), i,
                items == points ? list.first_point[s] + static_cast<std::size_t>(i)
                                : list.number[s]);
}

// Reads thickness, colour and root UVs where their arrays have a fitting shape.
void read_appearance(std::span<const NamedArray> arrays, const StrandList& list,
                     std::size_t strands, std::size_t points, StrandSet& out) {
    const NpyArray* const radius = find_array(arrays, kRadiusNames);
    const NpyArray* const diameter = radius ? nullptr : find_array(arrays, kDiameterNames);
    const NpyArray* const size = radius ? radius : diameter;
    if (size && size->is_real())
        for_each_item(list, strands, points, size->item_count(), [&](int s, int i, std::size_t k) {
            const float value = static_cast<float>(size->at(k) * (radius ? 1 : 0.5));
            out.radius.at(s, i) = value < 0 ? 0 : value;
        });
    const NpyArray* const colour = find_array(arrays, kColourNames);
    if (colour && colour->is_real() && !colour->shape.empty() && colour->shape.back() == 3)
        for_each_item(
            list, strands, points, colour->item_count() / 3,
            [&](int s, int i, std::size_t k) { out.colour.set_vec3(s, i, row_of(*colour, k)); });
    const NpyArray* const uv = find_array(arrays, kRootUvNames);
    if (uv && uv->is_real() && uv->shape.size() == 2 && uv->shape[0] == strands &&
        uv->shape[1] == 2)
        for (const std::size_t s : list.number)
            out.root_uv.push_back(
                {static_cast<float>(uv->at(2 * s)), static_cast<float>(uv->at(2 * s + 1))});
}

std::vector<Vec3f> roots_of(const NpyArray& positions, const StrandList& list) {
    std::vector<Vec3f> roots;
    for (const std::size_t first : list.first_point) {
        roots.push_back(row_of(positions, first));
        if (!is_finite(roots.back())) return {};  // refused later
    }
    return roots;
}

Result<StrandSet> strands_of(const NpyArray& positions, std::span<const NamedArray> arrays,
                             const std::string& name) {
    const auto points = static_cast<std::uint64_t>(positions.item_count() / 3);
    std::vector<std::uint64_t> counts;
    if (positions.shape.size() == 3) {
        // An empty array may state any number of strands.
        if (points > 0)
            counts.assign(static_cast<std::size_t>(positions.shape[0]), positions.shape[1]);
    } else {
        Result<std::vector<std::uint64_t>> listed = listed_counts(arrays, points);
        if (!listed) return Error{listed.error().message, name};
        counts = std::move(*listed);
    }
    const Result<StrandList> list = list_strands(counts, points);
    if (!list) return Error{list.error().message, name};
    StrandSet out(StrandLayout(list->counts, roots_of(positions, *list)));
    for_each_item(
        *list, counts.size(), static_cast<std::size_t>(points), points,
        [&](int s, int i, std::size_t k) { out.position.set_vec3(s, i, row_of(positions, k)); });
    read_appearance(arrays, *list, counts.size(), static_cast<std::size_t>(points), out);
    if (const auto wrong = non_finite_strand(out)) return Error{*wrong, name};
    for (const Vec2f uv : out.root_uv)
        if (!is_finite(Vec3f{uv.x, uv.y, 0}))
            return Error{"has a root UV that is not a finite number", name};
    return out;
}

// The array of positions: by its name, or the only one of a fitting shape. An Error states only the
// cause.
Result<const NpyArray*> find_positions(std::span<const NamedArray> arrays) {
    for (const std::size_t dimensions : {std::size_t{3}, std::size_t{2}})
        for (const std::string_view name : kPositionNames)
            for (const NamedArray& candidate : arrays)
                if (candidate.name == name && candidate.array &&
                    has_rows_of_three(*candidate.array, dimensions))
                    return &*candidate.array;
    std::vector<const NpyArray*> fitting;
    std::string found;
    for (const NamedArray& candidate : arrays) {
        const bool is_named =
            std::ranges::find(kPositionNames, candidate.name) != kPositionNames.end();
        if (is_named && !candidate.array)
            return Error{"its array " + in_quotes(candidate.name) + " " + candidate.why_not};
        if (candidate.array && has_rows_of_three(*candidate.array, 3))
            fitting.push_back(&*candidate.array);
        found += (found.empty() ? "" : ", ") + in_quotes(candidate.name) + " " +
                 (candidate.array ? shape_text(*candidate.array) : candidate.why_not);
    }
    if (fitting.size() == 1) return fitting[0];
    return Error{
        "has no array of positions: name it \"positions\" and give it the shape (strands, "
        "vertices, 3); found " +
        (found.empty() ? "no array" : found)};
}

template <class Value>
std::string float_bytes(const StrandView& strands, const Value& append_value) {
    std::string out;
    for_each_vertex(strands, [&](int s, int i) { append_value(out, s, i); });
    return out;
}

std::string position_bytes(const StrandView& strands) {
    std::string out;
    if (strand_count(strands) > 0)
        out.reserve(12 * static_cast<std::size_t>(strands.layout->vertex_total()));
    for_each_vertex(strands, [&](int s, int i) { append_vec3(out, strands.position->vec3(s, i)); });
    return out;
}

// The common number of vertices of all strands; nothing if they differ.
std::optional<int> equal_count(const StrandView& strands) {
    const int count = strand_count(strands);
    for (int s = 1; s < count; ++s)
        if (strands.layout->vertex_count(s) != strands.layout->vertex_count(0)) return std::nullopt;
    return count > 0 ? strands.layout->vertex_count(0) : 0;
}

}  // namespace

Result<StrandSet> parse_npy_groom(std::string_view bytes, const std::string& name) {
    const Result<NpyArray> array = parse_npy(bytes);
    if (!array) return Error{array.error().message, name};
    if (!has_rows_of_three(*array, 3))
        return Error{"has the shape " + shape_text(*array) +
                         "; a groom is a floating-point array of the shape (strands, vertices, 3)",
                     name};
    return strands_of(*array, {}, name);
}

Result<StrandSet> parse_npz_groom(std::string_view bytes, const std::string& name) {
    const Result<std::vector<ZipEntry>> entries = list_zip(bytes);
    if (!entries) return Error{entries.error().message, name};
    std::vector<NamedArray> arrays;
    arrays.reserve(entries->size());  // the arrays refer to the bytes beside them
    std::uint64_t total = 0;
    for (const ZipEntry& entry : *entries) {
        if (!entry.name.ends_with(".npy")) continue;
        Result<std::string> content = unzip(bytes, entry);
        if (!content) return Error{content.error().message, name};
        total += content->size();
        if (total > std::uint64_t{4} << 30) return Error{"holds more than 4096 MiB", name};
        NamedArray& added = arrays.emplace_back();
        added.name = entry.name.substr(0, entry.name.size() - 4);
        added.bytes = std::move(*content);
        const Result<NpyArray> array = parse_npy(added.bytes);
        if (array)
            added.array = *array;
        else
            added.why_not = array.error().message;
    }
    const Result<const NpyArray*> positions = find_positions(arrays);
    if (!positions) return Error{positions.error().message, name};
    return strands_of(**positions, arrays, name);
}

std::string format_npy_groom(const StrandView& strands) {
    const auto vertices = static_cast<std::uint64_t>(equal_count(strands).value_or(0));
    return npy_bytes("<f4", {static_cast<std::uint64_t>(strand_count(strands)), vertices, 3},
                     position_bytes(strands));
}

std::string format_npz_groom(const StrandView& strands, std::span<const Vec2f> root_uv) {
    const auto count = static_cast<std::uint64_t>(strand_count(strands));
    const std::uint64_t points =
        count > 0 ? static_cast<std::uint64_t>(strands.layout->vertex_total()) : 0;
    const std::optional<int> equal = equal_count(strands);
    ZipWriter zip;
    const auto add = [&](const char* name, std::string_view type,
                         const std::vector<std::uint64_t>& shape, std::string_view data) {
        zip.add(std::string(name) + ".npy", npy_bytes(type, shape, data));
    };
    const std::vector<std::uint64_t> shape =
        equal ? std::vector<std::uint64_t>{count, static_cast<std::uint64_t>(*equal), 3}
              : std::vector<std::uint64_t>{points, 3};
    add("positions", "<f4", shape, position_bytes(strands));
    if (!equal) {
        std::string counts;
        for (int s = 0; s < strand_count(strands); ++s)
            append_u32(counts, static_cast<std::uint32_t>(strands.layout->vertex_count(s)));
        add("counts", "<i4", {count}, counts);
    }
    if (has_radius(strands))
        add("radius", "<f4", {points}, float_bytes(strands, [&](std::string& out, int s, int i) {
                append_f32(out, strands.radius->at(s, i));
            }));
    if (has_colour(strands))
        add("colour", "<f4", {points, 3}, float_bytes(strands, [&](std::string& out, int s, int i) {
                append_vec3(out, strands.colour->vec3(s, i));
            }));
    if (!root_uv.empty()) {
        std::string uvs;
        for (const Vec2f uv : root_uv) {
            append_f32(uvs, uv.x);
            append_f32(uvs, uv.y);
        }
        add("root_uv", "<f4", {count, 2}, uvs);
    }
    return zip.finish();
}

namespace {

using Parse = Result<StrandSet> (*)(std::string_view bytes, const std::string& name);

Result<StrandSet> read_with(Parse parse, const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse(*bytes, path.string());
}

Result<void> write_npy(const std::filesystem::path& path, const StrandView& strands,
                       const GroomExtras&) {
    if (!equal_count(strands))
        return Error{
            "its strands differ in their number of vertices; an .npy file needs the same "
            "number for all; resample them, or write .npz",
            path.string()};
    return write_file(path, format_npy_groom(strands));
}

Result<void> write_npz(const std::filesystem::path& path, const StrandView& strands,
                       const GroomExtras& extras) {
    // Positions, radius, colour, and count and UV of a strand of one vertex take 40 bytes.
    if (strands.layout && strands.layout->vertex_total() > (std::int64_t{1} << 32) / 40 - 4096)
        return Error{"an .npz file holds at most 4 GiB; write fewer strands or vertices, or .hair",
                     path.string()};
    return write_file(path, format_npz_groom(strands, extras.root_uv));
}

}  // namespace

extern const GroomFormat kGroomFormatNpy, kGroomFormatNpz;
constinit const GroomFormat kGroomFormatNpy{
    .name = "numpy array",
    .extension = ".npy",
    .description = "positions as one array (strands, vertices, 3)",
    .needs_equal_counts = true,
    .read = [](const std::filesystem::path& path) { return read_with(parse_npy_groom, path); },
    .write = write_npy,
};
constinit const GroomFormat kGroomFormatNpz{
    .name = "numpy archive",
    .extension = ".npz",
    .description = "named arrays: positions, counts, radius, colour, root_uv",
    .stores = kStoresColour | kStoresRadius | kStoresRootUv,
    .read = [](const std::filesystem::path& path) { return read_with(parse_npz_groom, path); },
    .write = write_npz,
};

}  // namespace ringlet
