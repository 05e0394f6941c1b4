#include "fit/find_head.h"

#include <algorithm>

namespace ringlet {

namespace {

constexpr int kCoarseStep = 6;            // the coarse search uses every sixth sample
constexpr std::size_t kMostFine = 6'000;  // samples around one head
// How often the height of the head fits into the height of the mesh: a head alone, a bust, a
// figure.
constexpr float kHeadsTall[] = {0.97f, 1.07f, 1.18f, 1.3f, 1.45f, 1.6f, 1.8f, 2.0f, 2.25f,
                                2.6f,  3.0f,  3.5f,  4.2f, 5.0f,  6.0f, 7.0f, 8.0f};
// Candidates whose coarse misfit is this much above the best are not refined.
constexpr float kHopeless = 0.15f;

// A misfit includes how far the head is from left-right symmetry: half the weight.
float misfit_of(const RadialMap& map) {
    return (difference(map, typical_head()) + 0.5f * asymmetry(map)) / 1.5f;
}

float misfit_of(std::span<const Vec3f> points, const HeadPose& pose) {
    return misfit_of(radial_map(points, pose));
}

struct Range {
    float low, high;
    float middle() const { return 0.5f * (low + high); }
};

// The range of the points along an axis without the outermost hundredth on each side, so that a few
// stray triangles have no effect.
Range trimmed_range(std::vector<float>& along) {
    if (along.empty()) return {0, 0};
    const std::size_t cut = along.size() / 100;
    const auto low = along.begin() + static_cast<std::ptrdiff_t>(cut);
    const auto high = along.end() - 1 - static_cast<std::ptrdiff_t>(cut);
    std::nth_element(along.begin(), low, along.end());
    const float first = *low;
    std::nth_element(along.begin(), high, along.end());
    return {first, *high};
}

// A head of this height whose crown is the highest point, centred on what the slab below the crown
// contains.
HeadPose pose_below_crown(std::span<const Vec3f> points, Vec3f up, Vec3f facing, Range heights,
                          float height) {
    const Vec3f side = cross(up, facing);
    std::vector<float> across, along;
    for (const Vec3f& p : points) {
        if (dot(p, up) < heights.high - height) continue;
        across.push_back(dot(p, side));
        along.push_back(dot(p, facing));
    }
    return {up, facing,
            up * (heights.high - 0.5f * height) + side * trimmed_range(across).middle() +
                facing * trimmed_range(along).middle(),
            height};
}

// Pattern search over position and height, until steps of 1 % do not improve it.
void refine(std::span<const Vec3f> points, HeadCandidate& candidate) {
    const Vec3f side = cross(candidate.pose.up, candidate.pose.facing);
    const Vec3f axes[3] = {candidate.pose.up, candidate.pose.facing, side};
    for (float step = 0.08f; step > 0.009f;) {
        HeadCandidate best = candidate;
        const auto consider = [&](Vec3f move, float factor) {
            HeadPose pose = candidate.pose;
            pose.centre += move * (step * pose.height);
            pose.height *= factor;
            const float misfit = misfit_of(points, pose);
            if (misfit < best.misfit) best = {pose, misfit};
        };
        for (const Vec3f& axis : axes) {
            consider(axis, 1);
            consider(-axis, 1);
        }
        // The crown stays where it is.
        consider(axes[0] * -0.5f, 1 + step);
        consider(axes[0] * 0.5f, 1 - step);
        if (best.misfit < candidate.misfit)
            candidate = best;
        else
            step *= 0.5f;
    }
}

// The best size for each of the four facings of an upright direction. The map of one facing,
// rotated by a quarter, is that of the next.
void add_candidates(std::span<const Vec3f> points, Vec3f up, const KnownAxes& known,
                    std::vector<HeadCandidate>& out) {
    std::vector<float> along;
    for (const Vec3f& p : points) along.push_back(dot(p, up));
    const auto [low, high] = std::minmax_element(along.begin(), along.end());
    if (!(*high > *low)) return;
    const Vec3f first_facing{up.z, up.x, up.y};  // the next axis
    HeadCandidate best[4];
    for (const float heads : kHeadsTall) {
        HeadPose pose =
            pose_below_crown(points, up, first_facing, {*low, *high}, (*high - *low) / heads);
        RadialMap map = radial_map(points, pose);
        for (HeadCandidate& candidate : best) {
            const float misfit = misfit_of(map);
            if (misfit < candidate.misfit) candidate = {pose, misfit};
            pose.facing = cross(up, pose.facing);
            for (auto& row : map.radius)
                std::rotate(row.begin(), row.begin() + RadialMap::kAzimuths / 4, row.end());
        }
    }
    for (const HeadCandidate& candidate : best)
        if (candidate.misfit < 1 && is_allowed(candidate.pose.facing, known.facing))
            out.push_back(candidate);
}

bool less_misfit(const HeadCandidate& a, const HeadCandidate& b) { return a.misfit < b.misfit; }

// Samples around the head: in a figure, more of them than the coarse search uses.
std::vector<Vec3f> samples_near(std::span<const Vec3f> points, const HeadPose& pose) {
    std::vector<Vec3f> near;
    const float reach = 1.2f * pose.height;
    for (const Vec3f& p : points)
        if (dot(p - pose.centre, p - pose.centre) < reach * reach) near.push_back(p);
    const std::size_t step = near.size() / kMostFine + 1;
    std::vector<Vec3f> out;
    for (std::size_t k = 0; k < near.size(); k += step) out.push_back(near[k]);
    return out;
}

}  // namespace

FoundHead find_head(const Mesh& mesh, const TriangleSubset& subset, const KnownAxes& known) {
    FoundHead out;
    const std::vector<Vec3f> points = sample_surface(mesh, kSurfaceSamples, subset);
    if (points.empty()) return out;
    std::vector<Vec3f> coarse;
    for (std::size_t k = 0; k < points.size(); k += kCoarseStep) coarse.push_back(points[k]);
    for (int u = 1; u <= 6; ++u)
        if (const Vec3f up = vector_of(static_cast<SignedAxis>(u)); is_allowed(up, known.up))
            add_candidates(coarse, up, known, out.candidates);
    std::stable_sort(out.candidates.begin(), out.candidates.end(), less_misfit);
    const auto hopeless = std::find_if(
        out.candidates.begin(), out.candidates.end(), [&](const HeadCandidate& candidate) {
            return candidate.misfit > out.candidates.front().misfit + kHopeless;
        });
    for (auto candidate = out.candidates.begin(); candidate != hopeless; ++candidate) {
        const std::vector<Vec3f> near = samples_near(points, candidate->pose);
        candidate->misfit = misfit_of(near, candidate->pose);
        refine(near, *candidate);
    }
    std::stable_sort(out.candidates.begin(), out.candidates.end(), less_misfit);
    return out;
}

}  // namespace ringlet
