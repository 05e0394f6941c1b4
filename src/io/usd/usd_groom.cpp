#include "io/usd/usd_groom.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "io/groom_format.h"
#include "io/shot_format.h"
#include "io/strand_checks.h"
#include "io/usd/openusd.h"
#include "io/usd/usda_scene.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// How the points of a curve become vertices that lie on it.
enum class UsdCurveKind {
    through,          // all points lie on the curve
    without_ends,     // the first and the last are beyond the ends
    b_spline,         // averaged; the ends are beyond it
    b_spline_pinned,  // averaged; the ends lie on it
    bezier,           // every third point
};

// The strands of one prim.
struct UsdCurves {
    UsdCurveKind kind = UsdCurveKind::through;
    std::vector<std::int32_t> counts;  // points per curve in the file
    std::vector<Vec3f> points;
    std::vector<float> widths, colours, root_uv;  // as in the file
    double scale = 1;                             // of lengths, by the prim's transform
    std::size_t vertex_total = 0;

    int vertex_count(std::size_t curve) const {
        const int n = counts[curve];
        switch (kind) {
            case UsdCurveKind::without_ends:
            case UsdCurveKind::b_spline:
                return n - 2;
            case UsdCurveKind::bezier:
                return (n - 1) / 3 + 1;
            default:
                return n;
        }
    }
    // The point of a curve of which a vertex takes its position and attributes.
    int point_of(int vertex) const {
        switch (kind) {
            case UsdCurveKind::without_ends:
            case UsdCurveKind::b_spline:
                return vertex + 1;
            case UsdCurveKind::bezier:
                return 3 * vertex;
            default:
                return vertex;
        }
    }
};

Result<UsdCurveKind> curve_kind(const UsdPlacedPrim& placed, const std::string& file) {
    const UsdaPrim& prim = *placed.prim;
    const std::string type = prim.word("type"), basis = prim.word("basis"),
                      wrap = prim.word("wrap");
    const auto refuse = [&](const std::string& what) {
        return Error{placed.path_text() + " has " + what, file, prim.line};
    };
    if (wrap == "periodic")
        return refuse("closed curves (wrap = \"periodic\"), which are not strands");
    if (!wrap.empty() && wrap != "nonperiodic" && wrap != "pinned")
        return refuse("an unknown wrap; use nonperiodic or pinned");
    if (type == "linear") return UsdCurveKind::through;
    if (!type.empty() && type != "cubic") return refuse("an unknown type; use linear or cubic");
    const bool is_pinned = wrap == "pinned";
    if (basis.empty() || basis == "bezier") return UsdCurveKind::bezier;
    if (basis == "catmullRom")
        return is_pinned ? UsdCurveKind::through : UsdCurveKind::without_ends;
    if (basis == "bspline")
        return is_pinned ? UsdCurveKind::b_spline_pinned : UsdCurveKind::b_spline;
    return refuse("an unknown basis; use bezier, bspline or catmullRom");
}

// Counts that fit the points and that every kind of curve can have.
Result<void> check_counts(UsdCurves& curves, const UsdPlacedPrim& placed, const std::string& file) {
    const auto refuse = [&](const std::string& what) {
        return Error{placed.path_text() + " " + what, file, placed.prim->line};
    };
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < curves.counts.size(); ++c) {
        const int n = curves.counts[c];
        const bool is_short = n < 1 || curves.vertex_count(c) < 1 ||
                              (curves.kind == UsdCurveKind::bezier && (n - 1) % 3 != 0);
        if (is_short)
            return refuse("has a curve of " + std::to_string(n) +
                          " points, which its type does not allow");
        if (const auto wrong =
                strand_too_long(static_cast<std::int64_t>(c), static_cast<std::uint64_t>(n)))
            return refuse("cannot be used: " + *wrong);
        sum += static_cast<std::uint64_t>(n);
        curves.vertex_total += static_cast<std::size_t>(curves.vertex_count(c));
    }
    if (sum != curves.points.size())
        return refuse("has " + std::to_string(curves.points.size()) +
                      " points, but its curveVertexCounts add up to " + std::to_string(sum));
    return {};
}

Result<UsdCurves> read_curves(const UsdPlacedPrim& placed, const std::string& file) {
    const UsdaPrim& prim = *placed.prim;
    UsdCurves out;
    const Result<UsdCurveKind> kind = curve_kind(placed, file);
    if (!kind) return kind.error();
    out.kind = *kind;
    Result<std::vector<Vec3f>> points = usd_points(placed, {}, file);
    if (!points) return points.error();
    out.points = std::move(*points);
    if (const UsdaAttribute* const counts = prim.find("curveVertexCounts"))
        out.counts = value_at(*counts, {}).integers;
    if (Result<void> fits = check_counts(out, placed, file); !fits) return fits.error();
    const Result<UsdMatrix> matrix = placed.matrix({}, file);
    if (!matrix) return matrix.error();
    out.scale = matrix->is_identity() ? 1 : std::cbrt(std::abs(matrix->determinant()));
    const bool has_uv = prim.find("primvars:st") != nullptr;
    const struct {
        const char* name;
        std::size_t components;
        std::vector<float>& to;
    } primvars[] = {{"widths", 1, out.widths},
                    {"primvars:displayColor", 3, out.colours},
                    {has_uv ? "primvars:st" : "primvars:groom_root_uv", 2, out.root_uv}};
    for (const auto& primvar : primvars) {
        Result<std::vector<float>> values =
            usd_primvar(prim, primvar.name, primvar.components, file);
        if (!values) return values.error();
        primvar.to = std::move(*values);
        const std::size_t count = primvar.to.size() / primvar.components;
        const bool is_root = primvar.components == 2;
        if (count == 0 || (!is_root && count == 1) || count == out.counts.size() ||
            (!is_root && (count == out.points.size() || count == out.vertex_total)))
            continue;
        if (is_root) {  // texture coordinates along the strands
            primvar.to.clear();
            continue;
        }
        return Error{placed.path_text() + " has " + std::to_string(count) + " values of " +
                         primvar.name + " for " + std::to_string(out.counts.size()) +
                         " curves with " + std::to_string(out.points.size()) + " points",
                     file, prim.line};
    }
    return out;
}

// Where a vertex is in the arrays of its prim.
struct CurveCursor {
    std::size_t curve = 0, first_point = 0, first_vertex = 0;
    // The value of an array with one value, one per curve, per point or per vertex.
    std::size_t index(std::size_t count, const UsdCurves& curves, int vertex) const {
        if (count == curves.points.size())
            return first_point + static_cast<std::size_t>(curves.point_of(vertex));
        if (count == curves.vertex_total) return first_vertex + static_cast<std::size_t>(vertex);
        return count == 1 ? 0 : curve;
    }
};

Vec3f vertex_position(const UsdCurves& curves, const CurveCursor& at, int vertex) {
    const int k = curves.point_of(vertex), n = curves.counts[at.curve];
    const Vec3f* const p = curves.points.data() + at.first_point;
    const bool is_averaged = curves.kind == UsdCurveKind::b_spline ||
                             (curves.kind == UsdCurveKind::b_spline_pinned && k > 0 && k + 1 < n);
    return is_averaged ? (p[k - 1] + p[k] * 4.0f + p[k + 1]) * (1.0f / 6) : p[k];
}

// The unit and axes of a stage; those of Ringlet where it states none.
struct StageAxes {
    float scale = 1;
    bool is_z_up = false;

    explicit StageAxes(const UsdaLayer& layer)
        : scale(layer.metres_per_unit > 0 ? static_cast<float>(layer.metres_per_unit) : 1.0f),
          is_z_up(layer.is_z_up) {}
    Vec3f operator()(Vec3f p) const {
        if (is_z_up) p = {p.x, p.z, -p.y};
        return scale == 1 ? p : p * scale;
    }
};

void set_strand(const UsdCurves& curves, const CurveCursor& at, const StageAxes& axes, int strand,
                StrandSet& out) {
    const std::size_t widths = curves.widths.size(), colours = curves.colours.size() / 3;
    const auto size = static_cast<float>(static_cast<double>(axes.scale) * curves.scale);
    for (int i = 0; i < out.layout->vertex_count(strand); ++i) {
        out.position.set_vec3(strand, i, axes(vertex_position(curves, at, i)));
        if (widths > 0) {
            const float width = curves.widths[at.index(widths, curves, i)];
            out.radius.at(strand, i) = width < 0 ? 0 : width * size / 2;
        }
        if (colours > 0) {
            const float* const c = &curves.colours[3 * at.index(colours, curves, i)];
            out.colour.set_vec3(strand, i, {c[0], c[1], c[2]});
        }
    }
}

Result<StrandSet> strands_of(const std::vector<UsdCurves>& all, const StageAxes& axes,
                             const std::string& file) {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    std::uint64_t total = 0;
    for (const UsdCurves& curves : all) {
        CurveCursor at;
        for (; at.curve < curves.counts.size(); ++at.curve) {
            counts.push_back(curves.vertex_count(at.curve));
            roots.push_back(axes(vertex_position(curves, at, 0)));
            at.first_point += static_cast<std::size_t>(curves.counts[at.curve]);
        }
        total += curves.points.size();
    }
    if (total > std::uint64_t{std::numeric_limits<int>::max()})
        return Error{"has more than 2^31 - 1 points, which is not supported", file};
    // Strands cannot be sorted by positions that are not finite; such files are refused below.
    const bool are_finite = std::ranges::all_of(roots, [](Vec3f p) {
        return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
    });
    StrandSet out(StrandLayout(counts, are_finite ? roots : std::vector<Vec3f>{}));
    const bool has_uv = std::ranges::all_of(all, [](const UsdCurves& curves) {
        return curves.root_uv.size() == 2 * curves.counts.size();
    });
    int strand = 0;
    for (const UsdCurves& curves : all) {
        CurveCursor at;
        for (; at.curve < curves.counts.size(); ++at.curve, ++strand) {
            set_strand(curves, at, axes, strand, out);
            if (has_uv)
                out.root_uv.push_back(
                    {curves.root_uv[2 * at.curve], curves.root_uv[2 * at.curve + 1]});
            at.first_point += static_cast<std::size_t>(curves.counts[at.curve]);
            at.first_vertex += static_cast<std::size_t>(curves.vertex_count(at.curve));
        }
    }
    if (const auto wrong = non_finite_strand(out)) return Error{*wrong, file};
    return out;
}

Result<StrandSet> read_usd_groom(const fs::path& path) {
    const Result<UsdaLayer> layer = read_usd_layer(path);
    if (!layer) return layer.error();
    return usd_strands(*layer, path.string());
}

Result<void> write_usd_groom(const fs::path& path, const StrandView& strands,
                             const GroomExtras& extras) {
    const ShotDescription still = describe_still(strands, extras.root_uv, extras.information);
    return write_still(*shot_format_of(path), path, still, strands.position->read());
}

}  // namespace

Result<StrandSet> usd_strands(const UsdaLayer& layer, const std::string& name) {
    std::vector<UsdCurves> all;
    for (const UsdPlacedPrim& placed : prims_of_type(layer, "BasisCurves")) {
        Result<UsdCurves> curves = read_curves(placed, name);
        if (!curves) return curves.error();
        if (!curves->counts.empty()) all.push_back(std::move(*curves));
    }
    if (all.empty())
        return Error{"has no curves (prims of type BasisCurves); there is nothing to import", name};
    return strands_of(all, StageAxes(layer), name);
}

extern const GroomFormat kGroomFormatUsda, kGroomFormatUsdc;
constinit const GroomFormat kGroomFormatUsda{
    .name = "USD, text",
    .extension = ".usda",
    .description = "curves with widths, colours, root UVs, ids, unit and axes",
    .stores = kStoresColour | kStoresRadius | kStoresRootUv,
    .read = read_usd_groom,
    .write = write_usd_groom,
};
constinit const GroomFormat kGroomFormatUsdc{
    .name = "USD, binary",
    .extension = ".usdc",
    .description = "the same; needs OpenUSD's Python package",
    .stores = kStoresColour | kStoresRadius | kStoresRootUv,
    .check = check_openusd,
    .read = read_usd_groom,
    .write = write_usd_groom,
};

}  // namespace ringlet
