#include "fit/groom_fit.h"

#include <algorithm>
#include <cmath>

#include "fit/find_head.h"
#include "fit/similarity.h"
#include "geom/bvh.h"

namespace ringlet {

namespace {

constexpr float kAnywhere = 1e6f;        // m
constexpr std::size_t kMostRoots = 400;  // used by the search
constexpr float kKept = 0.85f;           // share of the roots in the fit; the farthest are left out
// How far the fitted scale may be from that of the unit, or from that of the roots' curvature.
constexpr float kScaleFreedom = 1.2f;
constexpr float kUnits[] = {1, 0.01f, 0.001f, 0.1f, 0.0254f, 0.3048f};

struct Scalp {
    const Bvh bvh;
    const FittedSphere sphere;
};

struct Trial {
    Placement placement;
    Vec3f up{0, 1, 0}, facing{0, 0, 1};
    float unit = 0;
    float least_scale = 1, most_scale = 1;
    float mean = 0;   // m, trimmed
    float score = 0;  // smaller is better
};

struct Match {
    Vec3f root, target;
    float distance;
    float outward;  // cosine between the strand and the skin's normal
};

// The closest points on the scalp, nearest first, without the farthest roots.
std::vector<Match> match_roots(std::span<const GroomRoot> roots, const Scalp& scalp,
                               const Placement& placement) {
    std::vector<Match> out;
    for (const GroomRoot& root : roots) {
        const ClosestPoint at = scalp.bvh.closest(apply(placement, root.position), kAnywhere);
        if (at.triangle < 0) continue;
        out.push_back({root.position, at.point, std::abs(at.distance),
                       dot(turned(placement, root.direction), at.normal)});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Match& a, const Match& b) { return a.distance < b.distance; });
    out.resize(static_cast<std::size_t>(kKept * static_cast<float>(out.size()) + 0.999f));
    return out;
}

// Iterative closest points (Besl and McKay 1992), trimmed.
void improve(std::span<const GroomRoot> roots, const Scalp& scalp, int iterations, Trial& trial) {
    std::vector<Vec3f> from, to;
    for (int k = 0; k < iterations; ++k) {
        from.clear();
        to.clear();
        for (const Match& match : match_roots(roots, scalp, trial.placement)) {
            from.push_back(match.root);
            to.push_back(match.target);
        }
        if (from.empty()) return;
        trial.placement = fit_similarity(from, to, trial.least_scale, trial.most_scale);
    }
}

void rate(std::span<const GroomRoot> roots, const Scalp& scalp, Trial& trial) {
    double distance = 0, outward = 0, aside = 0;
    const std::vector<Match> matches = match_roots(roots, scalp, trial.placement);
    if (matches.empty()) {
        trial.score = kAnywhere;
        return;
    }
    for (const Match& match : matches) {
        distance += static_cast<double>(match.distance);
        outward += static_cast<double>(match.outward);
        aside += static_cast<double>(match.target.x - scalp.sphere.centre.x);
    }
    const auto count = static_cast<double>(matches.size());
    trial.mean = static_cast<float>(distance / count);
    // Strands that point into the skin count like 2 cm, a groom at one side of the head like a
    // tenth of its distance from the middle, axes that no common program writes like 1 mm.
    const bool y_up = trial.up.y > 0.5f && trial.facing.z > 0.5f;
    const bool z_up = trial.up.z > 0.5f && trial.facing.y < -0.5f;
    trial.score = trial.mean + 0.01f * static_cast<float>(1 - outward / count) +
                  0.1f * static_cast<float>(std::abs(aside) / count) + (y_up || z_up ? 0 : 0.001f);
}

std::vector<GroomRoot> thinned(std::span<const GroomRoot> roots) {
    std::vector<GroomRoot> out;
    const std::size_t step = roots.size() / kMostRoots + 1;
    for (std::size_t k = 0; k < roots.size(); k += step) out.push_back(roots[k]);
    return out;
}

// The common unit whose scale is compatible with the curvature of the roots; 0 if none is.
float unit_near(float scale) {
    float best = 0;
    for (const float unit : kUnits)
        if (std::abs(std::log(unit / scale)) < 0.35f &&
            (best == 0 || std::abs(std::log(unit / scale)) < std::abs(std::log(best / scale))))
            best = unit;
    return best;
}

// Starts with the sphere of the roots on the sphere of the scalp.
Trial first_trial(const FittedSphere& sphere, const Scalp& scalp, Vec3f up, Vec3f facing,
                  const GroomFitLimits& limits) {
    Trial out;
    out.up = up;
    out.facing = facing;
    const float curvature = scalp.sphere.radius / sphere.radius;
    out.unit = limits.scale > 0 ? limits.scale : unit_near(curvature);
    const float scale = out.unit > 0 ? out.unit : curvature;
    const float freedom = limits.scale > 0 ? 1.0f : kScaleFreedom;
    out.least_scale = scale / freedom;
    out.most_scale = scale * freedom;
    out.placement = turn_upright(up, facing);
    out.placement.scale = scale;
    out.placement.offset =
        scalp.sphere.centre - turned(out.placement, sphere.centre) * out.placement.scale;
    return out;
}

bool grows_hair(Vec3f p, const Landmarks& marks) {
    const Vec3f q = (p - marks.centre) * (1 / marks.head_height);
    // A plane from the hairline above the forehead over the ears to the nape.
    return q.y > -0.02f + 0.7f * q.z && dot(q, q) < 0.65f * 0.65f;
}

}  // namespace

Mesh scalp_patch(const Mesh& mesh, const Landmarks& marks, const TriangleSubset& head) {
    Mesh out;
    out.positions = mesh.positions;
    out.normals = mesh.normals;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        if (!head.holds(mesh, t)) continue;
        const Vec3f middle =
            (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) * (1.0f / 3);
        if (!grows_hair(middle, marks)) continue;
        for (std::size_t k = 0; k < 3; ++k)
            out.indices.push_back(mesh.indices[static_cast<std::size_t>(t) * 3 + k]);
    }
    return out;
}

RootDistances measure_roots(std::span<const Vec3f> roots, const Mesh& surface) {
    RootDistances out;
    const Bvh bvh(surface);
    if (roots.empty() || bvh.empty()) return out;
    double sum = 0;
    std::size_t near = 0;
    for (const Vec3f& root : roots) {
        const ClosestPoint at = bvh.closest(root, kAnywhere);
        const float distance = at.triangle < 0 ? kAnywhere : std::abs(at.distance);
        sum += static_cast<double>(distance);
        out.worst = max(out.worst, distance);
        near += distance < 0.02f;
    }
    out.mean = static_cast<float>(sum / static_cast<double>(roots.size()));
    out.near_share = static_cast<float>(near) / static_cast<float>(roots.size());
    return out;
}

FittedGroom fit_groom(std::span<const GroomRoot> roots, const Mesh& scalp,
                      const GroomFitLimits& limits) {
    const Scalp target{Bvh(scalp), fit_sphere(sample_surface(scalp, 4000))};
    const std::vector<GroomRoot> few = thinned(roots);
    std::vector<Vec3f> positions;
    for (const GroomRoot& root : few) positions.push_back(root.position);
    const FittedSphere sphere = fit_sphere(positions);
    Trial best;
    best.score = kAnywhere;
    if (sphere.radius > 0)
        for (int u = 1; u <= 6; ++u)
            for (int f = 1; f <= 6; ++f) {
                const Vec3f up = vector_of(static_cast<SignedAxis>(u));
                const Vec3f facing = vector_of(static_cast<SignedAxis>(f));
                if (dot(up, facing) != 0 || !is_allowed(up, limits.up) ||
                    !is_allowed(facing, limits.facing))
                    continue;
                Trial trial = first_trial(sphere, target, up, facing, limits);
                improve(few, target, 8, trial);
                rate(few, target, trial);
                if (trial.score < best.score) best = trial;
            }
    improve(few, target, 30, best);
    rate(few, target, best);
    return {best.placement, best.unit, best.up, best.facing, best.mean};
}

}  // namespace ringlet
