#include "session/colour_scale.h"

#include <algorithm>
#include <span>

namespace ringlet {

namespace {

struct Anchor {
    float at;
    Vec3f colour;  // linear
};

Vec3f along_anchors(std::span<const Anchor> anchors, float t) {
    t = std::clamp(t, 0.0f, 1.0f);
    std::size_t k = 0;
    while (k + 2 < anchors.size() && t > anchors[k + 1].at) ++k;
    const Anchor &a = anchors[k], &b = anchors[k + 1];
    return a.colour + (b.colour - a.colour) * ((t - a.at) / (b.at - a.at));
}

// From dark blue through green and yellow to red: warmer is more.
constexpr Anchor kWarmer[] = {{0.00f, {0.02f, 0.03f, 0.20f}},
                              {0.25f, {0.02f, 0.22f, 0.55f}},
                              {0.50f, {0.05f, 0.50f, 0.30f}},
                              {0.75f, {0.90f, 0.65f, 0.06f}},
                              {1.00f, {0.85f, 0.05f, 0.02f}}};
// Diverging around zero: blue is negative, red positive.
constexpr Anchor kAround[] = {{0.0f, {0.02f, 0.10f, 0.75f}},
                              {0.45f, {0.09f, 0.10f, 0.12f}},
                              {0.55f, {0.12f, 0.10f, 0.09f}},
                              {1.0f, {0.80f, 0.05f, 0.02f}}};
// Contact is red, far is grey.
constexpr Anchor kNearer[] = {
    {0.00f, {0.90f, 0.03f, 0.02f}}, {0.30f, {0.90f, 0.45f, 0.05f}}, {1.00f, {0.07f, 0.08f, 0.10f}}};

}  // namespace

ColourScale scale_of(ColourBy what) {
    switch (what) {
        case ColourBy::stretch:
            return {"stretch", "%", -1, 1};
        case ColourBy::speed:
            return {"speed", "m/s", 0, 2};
        case ColourBy::contact:
            return {"distance to colliders", "mm", 0, 10};
        case ColourBy::force:
            return {"acceleration by the model beyond gravity", "m/s^2", 0, 50};
        default:
            return {"", "", 0, 0};
    }
}

Vec3f colour_at(ColourBy what, float t) {
    if (what == ColourBy::stretch) return along_anchors(kAround, t);
    if (what == ColourBy::contact) return along_anchors(kNearer, t);
    return along_anchors(kWarmer, t);
}

}  // namespace ringlet
