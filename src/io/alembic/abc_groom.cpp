#include "io/alembic/abc_groom.h"

#include <limits>

#include "io/alembic/abc_scene.h"
#include "io/groom_format.h"
#include "io/shot_format.h"
#include "io/strand_checks.h"
#include "math/finite.h"

namespace ringlet {

namespace {

// The curves of one object.
struct CurveSet {
    std::vector<int> counts;  // of vertices; 0 for a curve that is left out
    std::vector<Vec3f> points;
    AbcValues width, colour, root_uv;
    float width_scale = 1;
};

// Sets out[strand, vertex] from a parameter of one value per object, curve or point.
template <class Set>
void for_each_value(const AbcValues& values, const CurveSet& curves, int first_strand,
                    const Set& set) {
    const std::size_t count = values.count(), points = curves.points.size();
    if (count == 0 || (count != 1 && count != curves.counts.size() && count != points)) return;
    // One value per curve and one per point are the same for curves of one point.
    const bool is_per_point = count == points && (points != curves.counts.size() ||
                                                  values.scope == "vtx" || values.scope == "var");
    std::size_t point = 0;
    int strand = first_strand;
    for (std::size_t c = 0; c < curves.counts.size(); ++c) {
        for (int i = 0; i < curves.counts[c]; ++i, ++point)
            set(strand, i, count == 1 ? 0 : is_per_point ? point : c);
        if (curves.counts[c] > 0) ++strand;
    }
}

// The first of the named parameters that has values of `extent` numbers or more.
Result<AbcValues> first_values(AbcScene& scene, const AbcShape& shape,
                               std::initializer_list<std::string_view> names, std::size_t extent,
                               double time) {
    for (const std::string_view name : names) {
        Result<AbcValues> found = scene.values(shape, name, time);
        if (!found) return found;
        if (!found->values.empty() && found->extent >= extent && found->extent <= 4) return found;
    }
    return AbcValues{};
}

Result<CurveSet> read_curves(AbcScene& scene, const AbcShape& shape, double time) {
    CurveSet out;
    const Result<std::vector<std::int32_t>> counts = scene.integers(shape, "nVertices", time);
    if (!counts) return counts.error();
    Result<std::vector<Vec3f>> points = scene.points(shape, time);
    if (!points) return points.error();
    std::uint64_t total = 0;
    for (std::size_t c = 0; c < counts->size(); ++c) {
        const std::int32_t count = (*counts)[c];
        if (count < 0) return scene.damaged("a curve has a negative number of points");
        if (const auto wrong =
                strand_too_long(static_cast<std::int64_t>(c), static_cast<std::uint64_t>(count)))
            return Error{*wrong, scene.name()};
        out.counts.push_back(count);
        total += static_cast<std::uint64_t>(count);
    }
    if (total != points->size())
        return scene.damaged("its curves need " + std::to_string(total) + " points, but it has " +
                             std::to_string(points->size()));
    out.points = std::move(*points);
    const auto read = [&](AbcValues& into, std::initializer_list<std::string_view> names,
                          std::size_t extent) -> Result<void> {
        Result<AbcValues> found = first_values(scene, shape, names, extent, time);
        if (!found) return found.error();
        into = std::move(*found);
        return {};
    };
    for (const Result<void>& done : {read(out.width, {"width", "groom_width"}, 1),
                                     read(out.colour, {"groom_color", "Cd", "displayColor"}, 3),
                                     read(out.root_uv, {"groom_root_uv", "uv"}, 2)})
        if (!done) return done.error();
    const Result<AbcMatrix> to_world = scene.matrix(shape, time);
    if (!to_world) return to_world.error();
    out.width_scale = static_cast<float>(to_world->scale());
    return out;
}

void set_appearance(const CurveSet& curves, int first_strand, StrandSet& out) {
    for_each_value(curves.width, curves, first_strand, [&](int s, int i, std::size_t k) {
        const float width = curves.width.values[k * curves.width.extent];
        out.radius.at(s, i) = width > 0 ? width / 2 * curves.width_scale : 0;
    });
    for_each_value(curves.colour, curves, first_strand, [&](int s, int i, std::size_t k) {
        const float* const rgb = &curves.colour.values[k * curves.colour.extent];
        out.colour.set_vec3(s, i, {rgb[0], rgb[1], rgb[2]});
    });
    if (curves.root_uv.count() != curves.counts.size()) return;
    for (std::size_t c = 0; c < curves.counts.size(); ++c) {
        const float* const uv = &curves.root_uv.values[c * curves.root_uv.extent];
        if (curves.counts[c] > 0) out.root_uv.push_back({uv[0], uv[1]});
    }
}

// Empty if a root is not finite: such a file is refused later and cannot be sorted by position.
std::vector<Vec3f> roots_of(const std::vector<CurveSet>& sets) {
    std::vector<Vec3f> roots;
    for (const CurveSet& curves : sets) {
        std::size_t at = 0;
        for (const int count : curves.counts) {
            if (count > 0) roots.push_back(curves.points[at]);
            if (count > 0 && !is_finite(roots.back())) return {};
            at += static_cast<std::size_t>(count);
        }
    }
    return roots;
}

Result<StrandSet> merge_curves(const std::vector<CurveSet>& sets, const std::string& name) {
    std::vector<int> counts;
    for (const CurveSet& curves : sets)
        for (const int count : curves.counts)
            if (count > 0) counts.push_back(count);
    StrandSet out(StrandLayout(counts, roots_of(sets)));
    int first = 0;
    for (const CurveSet& curves : sets) {
        std::size_t point = 0;
        int strand = first;
        for (const int count : curves.counts) {
            for (int i = 0; i < count; ++i)
                out.position.set_vec3(strand, i, curves.points[point++]);
            if (count > 0) ++strand;
        }
        set_appearance(curves, first, out);
        first = strand;
    }
    if (out.root_uv.size() != counts.size()) out.root_uv.clear();
    if (const auto wrong = non_finite_strand(out)) return Error{*wrong, name};
    for (const Vec2f uv : out.root_uv)
        if (!is_finite(Vec3f{uv.x, uv.y, 0}))
            return Error{"has a root UV that is not a finite number", name};
    return out;
}

Result<StrandSet> strands_of(Result<AbcScene> scene, std::optional<double> time) {
    if (!scene) return scene.error();
    if (scene->curves().empty())
        return Error{scene->meshes().empty()
                         ? "has neither curves nor meshes"
                         : "has meshes but no curves; meshes are read by groom.mesh",
                     scene->name()};
    const double at = time.value_or(scene->time_range(scene->curves()).start);
    std::vector<CurveSet> sets;
    std::uint64_t points = 0;
    for (const AbcShape& shape : scene->curves()) {
        Result<CurveSet> curves = read_curves(*scene, shape, at);
        if (!curves) return curves.error();
        points += curves->points.size();
        // A damaged file may refer to the same points again and again.
        if (points > std::uint64_t{std::numeric_limits<int>::max()} ||
            12 * points > 8 * scene->file_bytes())
            return Error{"has more points than are supported: " + std::to_string(points),
                         scene->name()};
        sets.push_back(std::move(*curves));
    }
    return merge_curves(sets, scene->name());
}

}  // namespace

Result<StrandSet> read_abc_groom(const std::filesystem::path& path, std::optional<double> time) {
    return strands_of(AbcScene::open(path), time);
}

Result<StrandSet> parse_abc_groom(std::string_view bytes, const std::string& name) {
    return strands_of(AbcScene::over(bytes, name), std::nullopt);
}

extern const ShotFormat kShotFormatAbc;
extern const GroomFormat kGroomFormatAbc;
constinit const GroomFormat kGroomFormatAbc{
    .name = "Alembic",
    .extension = ".abc",
    .description = "curves with widths, colours and root UVs; the first frame of a shot",
    .stores = kStoresColour | kStoresRadius | kStoresRootUv,
    .read = [](const std::filesystem::path& path) { return read_abc_groom(path); },
    .read_at = [](const std::filesystem::path& path,
                  double seconds) { return read_abc_groom(path, seconds); },
    .write =
        [](const std::filesystem::path& path, const StrandView& strands,
           const GroomExtras& extras) {
            return write_still(kShotFormatAbc, path,
                               describe_still(strands, extras.root_uv, extras.information),
                               *strands.position);
        },
};

}  // namespace ringlet
