#include "fit/landmarks.h"

#include <algorithm>
#include <cmath>

#include "fit/find_head.h"

namespace ringlet {

namespace {

// Distances below the crown in head heights: an adult's chin is at 87.0 % of the stature, the
// shoulders at 81.8 %, the nipples at 72.0 %, the waist at 63.0 % (Drillis and Contini 1966). The
// head is the 13 % above the chin.
constexpr float kNeckBelow = 1.12f, kShoulderBelow = 1.40f, kChestBelow = 2.15f,
                kWaistBelow = 2.85f;

// The extent of the surface at a height, within a distance of the middle.
struct Slice {
    bool empty = true;
    float left = 0, right = 0;  // largest |x - middle| to each side
    float back = 0, front = 0;  // z
    float width() const { return left + right; }
};

class Slices {
public:
    // Slices of equal thickness from `top` downwards.
    Slices(std::span<const Vec3f> points, float top, float thickness, int count, float middle,
           float reach)
        : slices_(static_cast<std::size_t>(count)), top_(top), thickness_(thickness) {
        for (const Vec3f& p : points) {
            const float x = p.x - middle;
            const auto k = static_cast<int>(std::floor((top - p.y) / thickness));
            if (k < 0 || k >= count || std::abs(x) > reach) continue;
            Slice& s = slices_[static_cast<std::size_t>(k)];
            if (s.empty) s = {false, 0, 0, p.z, p.z};
            s.left = max(s.left, x);
            s.right = max(s.right, -x);
            s.back = min(s.back, p.z);
            s.front = max(s.front, p.z);
        }
    }

    int count() const { return static_cast<int>(slices_.size()); }
    const Slice& at(int k) const { return slices_[static_cast<std::size_t>(k)]; }
    const Slice& at_height(float y) const { return at(index_of(y)); }
    int index_of(float y) const {
        return std::clamp(static_cast<int>((top_ - y) / thickness_), 0, count() - 1);
    }
    float height_of(int k) const { return top_ - (static_cast<float>(k) + 0.5f) * thickness_; }

private:
    std::vector<Slice> slices_;
    float top_, thickness_;
};

// The height below which the front of the midline falls back from the chin to the neck.
LandmarkHeight find_chin(const Slices& midline, float expected, float head) {
    const int first = midline.index_of(expected + 0.12f * head);
    const int last = midline.index_of(expected - 0.15f * head);
    float chin_front = -1e30f;
    for (int k = first; k <= midline.index_of(expected); ++k)
        if (!midline.at(k).empty) chin_front = max(chin_front, midline.at(k).front);
    for (int k = first; k <= last; ++k)
        if (!midline.at(k).empty && midline.at(k).front < chin_front - 0.12f * head)
            return {midline.height_of(k) + 0.5f * (midline.height_of(0) - midline.height_of(1)),
                    true};
    return {expected, false};
}

// The narrowest slice from just below the chin to the shoulders.
LandmarkHeight find_neck(const Slices& slices, const Landmarks& marks) {
    const float expected = marks.crown.y - kNeckBelow * marks.head_height;
    const int first = slices.index_of(marks.chin.y - 0.02f * marks.head_height);
    const int last = slices.index_of(marks.crown.y - 1.3f * marks.head_height);
    int best = -1;
    for (int k = first; k <= last; ++k)
        if (!slices.at(k).empty && (best < 0 || slices.at(k).width() < slices.at(best).width()))
            best = k;
    if (best < 0) return {expected, false};
    return {slices.height_of(best), true};
}

// The highest slice below the neck that is twice as wide as the neck: there the slope of the
// shoulders becomes steep.
LandmarkHeight find_shoulder(const Slices& slices, const Landmarks& marks) {
    const float expected = marks.crown.y - kShoulderBelow * marks.head_height;
    if (!marks.neck.measured) return {expected, false};
    const float neck_width = slices.at_height(marks.neck.y).width();
    const int last = slices.index_of(marks.crown.y - 2 * marks.head_height);
    for (int k = slices.index_of(marks.neck.y); k <= last; ++k)
        if (!slices.at(k).empty && slices.at(k).width() > 2.2f * neck_width)
            return {slices.height_of(k), true};
    return {expected, false};
}

// Chest and waist follow from the proportions, but count as measured where the mesh reaches them.
LandmarkHeight proportional(float y, float lowest) { return {y, lowest < y}; }

void measure_head(const Slices& slices, const Slices& midline, Landmarks& marks) {
    const float h = marks.head_height;
    const Slice& temples = slices.at_height(marks.crown.y - 0.35f * h);
    marks.head_width = temples.empty ? 0.66f * h : temples.width();
    const Slice& brow = midline.at_height(marks.crown.y - 0.30f * h);
    const Slice& middle = midline.at_height(marks.crown.y - 0.40f * h);
    marks.forehead = {marks.centre.x, marks.crown.y - 0.30f * h,
                      brow.empty ? marks.centre.z + 0.4f * h : brow.front};
    marks.head_depth = middle.empty ? 0.85f * h : middle.front - middle.back;
    marks.ear_y = marks.crown.y - 0.53f * h;
    const Slice& nape = midline.at_height(marks.chin.y);
    marks.nape = {marks.centre.x, marks.chin.y, nape.empty ? marks.centre.z - 0.3f * h : nape.back};
}

// Without a head: the upper part of the bounds, at most as tall as it is wide.
HeadPose pose_from_bounds(const Mesh& mesh) {
    const Bounds box = bounds_of(mesh);
    const Vec3f size = box.high - box.low;
    const float height = min(size.y, max(size.x, size.z));
    return {{0, 1, 0},
            {0, 0, 1},
            {0.5f * (box.low.x + box.high.x), box.high.y - 0.5f * height,
             0.5f * (box.low.z + box.high.z)},
            height};
}

}  // namespace

Landmarks find_landmarks(const Mesh& mesh, const TriangleSubset& subset) {
    const FoundHead found = find_head(mesh, subset, {{0, 1, 0}, {0, 0, 1}});
    Landmarks marks;
    HeadPose pose = pose_from_bounds(mesh);
    if (!found.candidates.empty()) {
        marks.misfit = found.best().misfit;
        marks.is_head = marks.misfit < kHeadMisfit;
        if (marks.is_head) pose = found.best().pose;
    }
    marks.centre = pose.centre;
    marks.head_height = pose.height;
    marks.crown = pose.centre + Vec3f{0, 0.5f * pose.height, 0};
    marks.chin = {pose.centre.y - 0.5f * pose.height, false};
    const std::vector<Vec3f> points = sample_surface(mesh, kSurfaceSamples, subset);
    const float h = pose.height;
    if (points.empty() || !(h > 0)) return marks;
    constexpr int kPerHead = 64;
    const float thickness = h / kPerHead;
    // From a tenth of a head above the expected crown.
    const float top = marks.crown.y + 0.1f * h;
    const Slices midline(points, top, thickness, 2 * kPerHead, pose.centre.x, 0.06f * h);
    const Slices slices(points, top, thickness, 4 * kPerHead, pose.centre.x, 1.2f * h);
    if (marks.is_head) {
        for (int k = 0; k < kPerHead / 2; ++k)
            if (!slices.at(k).empty) {
                marks.crown.y = slices.height_of(k) + 0.5f * thickness;
                break;
            }
        marks.chin = find_chin(midline, marks.chin.y, h);
        marks.head_height = marks.crown.y - marks.chin.y;
        marks.centre.y = 0.5f * (marks.crown.y + marks.chin.y);
        marks.neck = find_neck(slices, marks);
        marks.shoulder = find_shoulder(slices, marks);
    } else {
        marks.neck = {marks.crown.y - kNeckBelow * h, false};
        marks.shoulder = {marks.crown.y - kShoulderBelow * h, false};
    }
    const float lowest = bounds_of(mesh).low.y;
    marks.chest = proportional(marks.crown.y - kChestBelow * marks.head_height, lowest);
    marks.waist = proportional(marks.crown.y - kWaistBelow * marks.head_height, lowest);
    measure_head(slices, midline, marks);
    return marks;
}

}  // namespace ringlet
