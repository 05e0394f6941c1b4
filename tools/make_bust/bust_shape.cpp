#include "bust_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "sdf.h"

namespace {

// Proportions follow the classical canon: the eye line halves the head (crown 0.50, chin 0.27), and
// hairline, brow, nose base and chin are one third of the face (0.066 m) apart.
constexpr double kEyeY = 0.3840;

// Every pair of features is modelled once, on the side of positive x. Rounding |x| off keeps pairs
// that meet on the midline (jaw, pectorals) from leaving a crease there.
Vec3 mirrored(Vec3 p, double rounding) {
    return {std::sqrt(p.x * p.x + rounding * rounding) - rounding, p.y, p.z};
}

double skull(Vec3 p) {
    const Vec3 q = mirrored(p, 0.004);
    double d = ellipsoid(p, {0.0, 0.4210, -0.0130}, {0.0745, 0.0785, 0.0910});
    d = smooth_union(d, ellipsoid(p, {0.0, 0.4150, 0.0180}, {0.0610, 0.0660, 0.0725}), 0.040);
    // The occiput hangs lower at the back than a plain ovoid would.
    d = smooth_union(d, ellipsoid(p, {0.0, 0.3900, -0.0420}, {0.0580, 0.0520, 0.0540}), 0.040);
    // Face mass: a tapering egg from the cheekbones to the chin.
    d = smooth_union(d, ellipsoid(p, {0.0, 0.3500, 0.0280}, {0.0540, 0.0760, 0.0590}), 0.030);
    // Jaw: the ramus drops from below the ear, the body runs forward to the chin.
    const Knot ear_end{{0.0520, 0.3700, 0.0020}, 0.0110};
    const Knot jaw_angle{{0.0350, 0.3210, 0.0080}, 0.0110};
    const Knot chin_end{{0.0070, 0.2850, 0.0740}, 0.0120};
    d = smooth_union(d, tapered_capsule(q, ear_end, jaw_angle), 0.030);
    d = smooth_union(d, tapered_capsule(q, jaw_angle, chin_end), 0.030);
    d = smooth_union(d, ellipsoid(p, {0.0, 0.2860, 0.0805}, {0.0130, 0.0145, 0.0145}), 0.018);
    const double cheekbone =
        tapered_capsule(q, {{0.0360, 0.3620, 0.0590}, 0.0110}, {{0.0550, 0.3720, 0.0150}, 0.0080});
    d = smooth_union(d, cheekbone, 0.036);
    const double cheek = ellipsoid(q, {0.0330, 0.3380, 0.0380}, {0.0195, 0.0250, 0.0310});
    d = smooth_union(d, cheek, 0.030);
    // The floor of the mouth closes the arch of the jaw from below.
    d = smooth_union(d, ellipsoid(p, {0.0, 0.2960, 0.0360}, {0.0300, 0.0170, 0.0420}), 0.030);
    // The muzzle: teeth push the mouth forward in a gentle barrel.
    return smooth_union(d, ellipsoid(p, {0.0, 0.3190, 0.0680}, {0.0270, 0.0260, 0.0270}), 0.026);
}

// Coordinates on the closed eye: `across` is -1 and 1 in the corners, `above_lash` is the height
// above the lash line, a shallow parabola below the centre of the eyeball.
struct LidPoint {
    double across;
    double above_lash;
};

constexpr Vec3 kEyeball{0.0315, kEyeY, 0.0640};

LidPoint to_lid(Vec3 q) {
    const double across = (q.x - kEyeball.x) / 0.0150;
    return {across, q.y - (kEyeball.y - 0.0045 + 0.0030 * across * across)};
}

double with_eyes(double d, Vec3 p) {
    const Vec3 q = mirrored(p, 0.001);
    const double brow =
        tapered_capsule(q, {{0.0200, 0.4020, 0.0790}, 0.0060}, {{0.0450, 0.4050, 0.0640}, 0.0060});
    d = smooth_union(d, brow, 0.032);
    const double socket = ellipsoid(q, {0.0315, kEyeY + 0.0040, 0.0935}, {0.0205, 0.0120, 0.0150});
    d = smooth_subtraction(d, socket, 0.021);
    // The lids are a shell over the eyeball; the edge of the upper one steps over the lower.
    const LidPoint lid = to_lid(q);
    const double overlap = smooth_step(-0.0010, 0.0010, lid.above_lash) * bell(lid.across, 1.1);
    const double lids = ellipsoid(q, kEyeball, {0.0175, 0.0140, 0.0158}) - 0.0013 * overlap;
    return smooth_union(d, lids, 0.006);
}

// The nose has no nostrils: a slender bridge blends into the cheeks, and a rounded base has wings.
double with_nose(double d, Vec3 p) {
    const Vec3 q = mirrored(p, 0.001);
    const double bridge =
        tapered_capsule(p, {{0.0, 0.3930, 0.0805}, 0.0055}, {{0.0, 0.3510, 0.1035}, 0.0085});
    const double flank =
        tapered_capsule(q, {{0.0025, 0.3820, 0.0830}, 0.0045}, {{0.0065, 0.3530, 0.0935}, 0.0062});
    d = smooth_union(d, smooth_union(bridge, flank, 0.012), 0.018);
    const double tip = ellipsoid(p, {0.0, 0.3475, 0.0955}, {0.0088, 0.0085, 0.0125});
    const double wing = ellipsoid(q, {0.0098, 0.3465, 0.0910}, {0.0058, 0.0062, 0.0080});
    return smooth_union(d, smooth_union(tip, wing, 0.008), 0.013);
}

// Coordinates on the mouth: `along` is 0 on the midline and 1 in the corner, `above_line` is the
// height above the line between the lips, which dips below the middle of the upper lip.
struct MouthPoint {
    double along;
    double above_line;
};

MouthPoint to_mouth(Vec3 p) {
    const double along = std::abs(p.x) / 0.0255;
    return {along, p.y - (0.3150 + 0.0006 * along * along - 0.0008 * bell(p.x, 0.0060))};
}

// Profile of one lip from the line between the lips (0) to the border of the red (1).
double lip_profile(double v) {
    const double roll = std::sin(std::min(v / 0.60, 1.0) * std::numbers::pi / 2.0);
    return (0.45 + 0.55 * roll) * (1.0 - smooth_step(0.40, 1.55, v));
}

// Height of the mouth above the muzzle, in metres.
double mouth_relief(Vec3 p) {
    const MouthPoint at = to_mouth(p);
    const double taper = 1.0 - smooth_step(0.40, 1.15, at.along);
    const double bow = 0.0009 * bell(std::abs(p.x) - 0.0065, 0.0045) - 0.0004 * bell(p.x, 0.0030);
    const double upper_height = 0.0018 + (0.0056 + bow) * taper;
    const double lower_height = 0.0020 + 0.0074 * taper;
    const double lip = at.above_line > 0.0 ? 0.0042 * lip_profile(at.above_line / upper_height)
                                           : 0.0042 * lip_profile(-at.above_line / lower_height);
    const double corner = -0.0006 * bell(std::hypot(std::abs(p.x) - 0.0250, p.y - 0.3152), 0.0045);
    const double philtrum =
        -0.0009 * bell(p.x, 0.0032) * smooth_step(0.3215, 0.3250, p.y) * bell(p.y - 0.3280, 0.0080);
    const double chin_fold = -0.0012 * bell(p.x, 0.0140) * bell(p.y - 0.2995, 0.0050);
    return lip * taper + corner + philtrum + chin_fold;
}

double with_mouth(double d, Vec3 p) {
    return length(p - Vec3{0.0, 0.3150, 0.0900}) < 0.045 ? d - mouth_relief(p) : d;
}

// The ear in its own frame: x out of the ear plane, y up along its long axis, z forward.
constexpr Vec3 kEarOrigin{0.0690, 0.3720, -0.0100};

Vec3 to_ear_frame(Vec3 p) {
    constexpr double kLean = 0.15;   // The lobe lies closer to the midline than the top.
    constexpr double kFlare = 0.27;  // The rear edge stands away from the skull.
    constexpr double kTilt = 0.24;   // The long axis leans back, parallel to the nose bridge.
    const auto turn = [](double& a, double& b, double angle) {
        const double turned_a = a * std::cos(angle) - b * std::sin(angle);
        b = a * std::sin(angle) + b * std::cos(angle);
        a = turned_a;
    };
    Vec3 q = Vec3{std::abs(p.x), p.y, p.z} - kEarOrigin;
    turn(q.x, q.y, kLean);
    turn(q.z, q.x, kFlare);
    turn(q.y, q.z, kTilt);
    return q;
}

// Egg shape, wide at the top: rings of equal value around the ear.
double ear_outline(double y, double z) {
    const double half_width = 0.0165 + 0.12 * y;
    return std::hypot(y / 0.0310, (z + 0.0060) / half_width);
}

constexpr double kEarRim = 0.90;

// The ear is a height field over the ear plane, not a free-standing shell: it has no overhang that
// the mesh could not follow, and parts below the skull vanish in the union.
double ear_relief(double y, double z) {
    const double outline = ear_outline(y, z);
    const double plateau =
        0.0030 - 0.0180 * smooth_step(0.80, 1.45, outline) - 0.0300 * std::max(outline - 1.2, 0.0);
    // The rim runs from above the tragus over the top and down the rear, and fades in the lobe.
    const double rim_fade = smooth_step(-0.0260, -0.0080, y - 0.5 * z);
    const double rim = 0.0030 * rim_fade * bell(outline - kEarRim, 0.15);
    const double bowl = std::hypot((y + 0.0030) / 0.0120, (z + 0.0010) / 0.0085);
    const double antihelix = 0.0022 * bell(bowl - 1.30, 0.33) * smooth_step(0.0040, -0.0060, z);
    const double concha = -0.0060 * bell(bowl, 0.85);
    const double tragus = 0.0035 * bell(std::hypot(y + 0.0040, z - 0.0090), 0.0045);
    const double lobe = 0.0012 * bell(std::hypot(y + 0.0220, z + 0.0010), 0.0070);
    return plateau + rim + antihelix + concha + tragus + lobe;
}

double ear(Vec3 p) {
    constexpr double kBounds = 0.055;
    constexpr double kSteepness = 0.7;  // Converts a height difference to an approximate distance.
    const Vec3 q = to_ear_frame(p);
    return length(q) > kBounds ? kBounds : kSteepness * (q.x - ear_relief(q.y, q.z));
}

double neck(Vec3 p) {
    const Vec3 q = mirrored(p, 0.010);
    // The neck leans forward from the shoulders to the skull.
    double d = tapered_capsule({p.x * 1.03, p.y, p.z}, {{0.0, 0.3300, -0.0160}, 0.0440},
                               {{0.0, 0.1850, -0.0400}, 0.0490});
    const double sternomastoid =
        tapered_capsule(q, {{0.0460, 0.3650, -0.0320}, 0.0100}, {{0.0130, 0.1680, 0.0130}, 0.0070});
    d = smooth_union(d, sternomastoid, 0.024);
    const double nape = tapered_capsule(q, {{0.0220, 0.3600, -0.0470}, 0.0260},
                                        {{0.0160, 0.2050, -0.0580}, 0.0290});
    return smooth_union(d, nape, 0.030);
}

// Uses wide blends only: at the mesh spacing here, sharper features would show as lumps.
double torso(Vec3 p) {
    const Vec3 q = mirrored(p, 0.010);
    const double girdle = tapered_capsule(q, {{0.0300, 0.1250, -0.0360}, 0.0440},
                                          {{0.1350, 0.1020, -0.0340}, 0.0420});
    const double breast = ellipsoid(q, {0.0620, 0.0700, 0.0140}, {0.0700, 0.0650, 0.0420});
    const double shoulder_blade = ellipsoid(q, {0.0720, 0.0850, -0.0830}, {0.0600, 0.0700, 0.0340});
    const double deltoid = ellipsoid(q, {0.1500, 0.0740, -0.0340}, {0.0470, 0.0730, 0.0480});
    const double trapezius = tapered_capsule(q, {{0.0150, 0.2500, -0.0500}, 0.0300},
                                             {{0.1300, 0.1360, -0.0420}, 0.0200});
    double d = ellipsoid(p, {0.0, 0.0300, -0.0300}, {0.1450, 0.1350, 0.0920});
    d = smooth_union(d, girdle, 0.06);
    d = smooth_union(d, breast, 0.05);
    d = smooth_union(d, shoulder_blade, 0.05);
    d = smooth_union(d, deltoid, 0.06);
    return smooth_union(d, trapezius, 0.07);
}

double neck_and_torso(Vec3 p) {
    const std::array<Knot, 3> clavicle{{{{0.0180, 0.1480, 0.0060}, 0.0110},
                                        {{0.0800, 0.1460, 0.0150}, 0.0130},
                                        {{0.1350, 0.1360, -0.0220}, 0.0140}}};
    const double d = smooth_union(neck(p), torso(p), 0.055);
    return smooth_union(d, tapered_arc(mirrored(p, 0.010), clavicle), 0.040);
}

// The shoulders taper inwards to the foot, as on a jeweller's display bust.
constexpr double kFootZ = -0.0280;
constexpr double kFootHalfWidth = 0.1270;
constexpr double kFootHalfDepth = 0.0930;

double foot_cut(double d, Vec3 p) {
    const Vec3 below_shoulder{p.x, std::min(p.y, 0.1450), p.z};
    const double taper = ellipsoid(below_shoulder, {0.0, 0.1450, kFootZ}, {0.2050, 0.1850, 0.1500});
    d = smooth_intersection(d, taper, 0.05);
    return smooth_intersection(d, -p.y, 0.025);
}

// Hairline height in metres at an angle around the head, in degrees from the face to the back.
struct HairlinePoint {
    double degrees;
    double height;
};

constexpr std::array<HairlinePoint, 19> kHairline{{
    {0.0, 0.4660},   {15.0, 0.4655},  {28.0, 0.4625},  {40.0, 0.4550},  {49.0, 0.4430},
    {56.0, 0.4290},  {62.0, 0.4130},  {66.0, 0.4010},  {70.5, 0.3915},  {76.0, 0.3885},
    {81.5, 0.3910},  {89.0, 0.4015},  {97.0, 0.4075},  {106.0, 0.4000}, {113.0, 0.3800},
    {121.0, 0.3560}, {135.0, 0.3280}, {155.0, 0.3080}, {180.0, 0.3020},
}};

double secant(std::size_t k) {
    return (kHairline[k + 1].height - kHairline[k].height) /
           (kHairline[k + 1].degrees - kHairline[k].degrees);
}

// Harmonic mean of the neighbouring secants, which never overshoots the given points.
double hairline_slope(std::size_t k) {
    if (k == 0 || k + 1 == kHairline.size() || secant(k - 1) * secant(k) <= 0.0) {
        return 0.0;
    }
    return 2.0 * secant(k - 1) * secant(k) / (secant(k - 1) + secant(k));
}

double hairline_height(double degrees) {
    std::size_t i = 1;
    while (i + 1 < kHairline.size() && kHairline[i].degrees < degrees) {
        ++i;
    }
    const HairlinePoint a = kHairline[i - 1];
    const HairlinePoint b = kHairline[i];
    const double span = b.degrees - a.degrees;
    const double t = (degrees - a.degrees) / span;
    const double u = 1.0 - t;
    return a.height * (1.0 + 2.0 * t) * u * u + hairline_slope(i - 1) * span * t * u * u +
           b.height * t * t * (3.0 - 2.0 * t) - hairline_slope(i) * span * t * t * u;
}

constexpr double kFineStep = 0.0004;

}  // namespace

double bust_distance(Vec3 p) {
    double d = smooth_union(skull(p), neck_and_torso(p), 0.044);
    d = with_eyes(d, p);
    d = with_nose(d, p);
    d = with_mouth(d, p);
    d = smooth_union(d, ear(p), 0.011);
    return foot_cut(d, p);
}

Vec3 bust_gradient(Vec3 p, double step) {
    const auto slope = [&](Vec3 offset) {
        return (bust_distance(p + offset) - bust_distance(p - offset)) / (2.0 * step);
    };
    return {slope({step, 0.0, 0.0}), slope({0.0, step, 0.0}), slope({0.0, 0.0, step})};
}

Vec3 bust_normal(Vec3 p) { return normalized(bust_gradient(p, kFineStep)); }

Vec3 shading_normal(Vec3 p) {
    constexpr double kShareOfEdge = 0.35;
    return normalized(bust_gradient(p, std::max(kFineStep, kShareOfEdge * target_spacing(p))));
}

Vec3 project_to_bust(Vec3 p, int newton_steps) {
    for (int i = 0; i < newton_steps; ++i) {
        const Vec3 gradient = bust_gradient(p, kFineStep);
        p += gradient * (-bust_distance(p) / dot(gradient, gradient));
    }
    return p;
}

double scalp_side(Vec3 p) {
    const double radians = std::atan2(std::abs(p.x), p.z + 0.0050);
    return p.y - hairline_height(radians * 180.0 / std::numbers::pi);
}

double crease_side(Vec3 p) {
    constexpr double kFootRim = 0.0035;
    if (p.y < 0.0200) {
        return p.y - kFootRim;
    }
    constexpr double kUnderUpperLip = 0.0005;
    const Vec3 q{std::abs(p.x), p.y, p.z};
    const MouthPoint mouth = to_mouth(p);
    if (p.z > 0.0700 && mouth.along < 0.97 && std::abs(mouth.above_line) < 0.0060) {
        return mouth.above_line - kUnderUpperLip;
    }
    const LidPoint lid = to_lid(q);
    if (length(q - kEyeball) < 0.0200 && std::abs(lid.across) < 0.95) {
        return lid.above_lash;
    }
    return 0.0;
}

double ear_rim_side(Vec3 p) {
    constexpr double kMeanRadius = 0.0160;
    const Vec3 q = to_ear_frame(p);
    const bool on_rim = length(q) < 0.0450 && std::abs(q.x) < 0.0140;
    return on_rim ? (ear_outline(q.y, q.z) - kEarRim) * kMeanRadius : 0.0;
}

double target_spacing(Vec3 p) {
    struct Zone {
        Vec3 center;
        double radius;
        double spacing;
    };
    constexpr std::array<Zone, 11> kZones{{
        {{0.0, 0.3450, 0.0800}, 0.0600, 0.0042},      // Face.
        {{0.0330, kEyeY, 0.0780}, 0.0170, 0.0019},    // Eyes.
        {{0.0, 0.3940, 0.0880}, 0.0090, 0.0022},      // Root of the nose.
        {{0.0, 0.3520, 0.0980}, 0.0190, 0.0022},      // Nose.
        {{0.0, 0.3150, 0.0930}, 0.0255, 0.0019},      // Mouth.
        {{0.0, 0.2800, 0.0850}, 0.0080, 0.0025},      // Chin.
        {{0.0760, 0.3720, -0.0130}, 0.0285, 0.0022},  // Ears.
        {{0.0, 0.2600, 0.0350}, 0.0300, 0.0060},      // Below the chin.
        {{0.0, 0.2200, 0.0200}, 0.0400, 0.0090},      // Throat.
        {{0.0, 0.4300, -0.0100}, 0.1000, 0.0110},     // Skull.
        {{0.1600, 0.1200, -0.0350}, 0.0500, 0.0090},  // Shoulders.
    }};
    constexpr double kGrowth = 0.10;
    double spacing = 0.0170;
    const Vec3 q{std::abs(p.x), p.y, p.z};
    for (const Zone& zone : kZones) {
        const double outside = std::max(length(q - zone.center) - zone.radius, 0.0);
        spacing = std::min(spacing, zone.spacing + kGrowth * outside);
    }
    // The rounded rim of the foot.
    const double ring = std::hypot(p.x / kFootHalfWidth, (p.z - kFootZ) / kFootHalfDepth) - 1.0;
    const double off_rim = std::hypot(p.y, ring * kFootHalfDepth);
    return std::min(spacing, 0.0050 + 0.25 * off_rim);
}
