#include "animals.h"

#include "../make_bust/sdf.h"

namespace {

Vec3 mirrored(Vec3 p) { return {std::abs(p.x), p.y, p.z}; }

// An ellipsoid whose long axis (y of its own frame) points along `up` and whose flat side (z)
// faces `front`, orthogonalised against `up`.
double leaf(Vec3 p, Vec3 center, Vec3 up, Vec3 front, Vec3 radii) {
    const Vec3 y = normalized(up), x = normalized(cross(y, front)), z = cross(x, y);
    const Vec3 q = p - center;
    return ellipsoid({dot(q, x), dot(q, y), dot(q, z)}, {}, radii);
}

double mix(double a, double b, double t) { return a + (b - a) * t; }

void tint(Paint& paint, std::array<double, 3> colour, double share) {
    for (std::size_t k = 0; k < 3; ++k) paint.colour[k] = mix(paint.colour[k], colour[k], share);
}

// Returns 1 at the centre, falling to 0 at the radius.
double spot(double y, double z, double at_y, double at_z, double radius) {
    return 1.0 - smooth_step(0.0, radius, std::hypot(y - at_y, z - at_z));
}

constexpr Vec3 kEarRoot{0.021, 0.222, 0.040}, kEarTip{0.046, 0.345, 0.000};
constexpr Vec3 kEarFront{0.45, 0.10, 0.9};

Vec3 ear_center() { return lerp(kEarRoot, kEarTip, 0.52); }

// An arc of capsules, flattened along z.
double bunny_ear(Vec3 q) {
    constexpr double kFlat = 1.7;
    const Vec3 y = normalized(kEarTip - kEarRoot), x = normalized(cross(y, kEarFront));
    const Vec3 r = q - ear_center();
    const Vec3 own{dot(r, x), dot(r, y), kFlat * dot(r, cross(x, y))};
    const std::array<Knot, 3> knots{
        {{{0, -0.060, 0}, 0.013}, {{0, 0.0, 0}, 0.034}, {{0, 0.053, 0}, 0.0125}}};
    return tapered_arc(own, knots) / kFlat;
}

double bunny_distance(Vec3 p) {
    const Vec3 q = mirrored(p);
    double d = ellipsoid(p, {0, 0.088, -0.030}, {0.073, 0.083, 0.090});
    d = smooth_union(d, ellipsoid(p, {0, 0.105, 0.030}, {0.052, 0.070, 0.052}), 0.05);
    d = smooth_union(d, ellipsoid(q, {0.052, 0.058, -0.022}, {0.038, 0.055, 0.060}), 0.03);
    d = smooth_union(d, ellipsoid(q, {0.058, 0.015, 0.030}, {0.021, 0.016, 0.046}), 0.02);
    d = smooth_union(
        d, tapered_capsule(q, {{0.026, 0.085, 0.062}, 0.024}, {{0.027, 0.016, 0.082}, 0.016}),
        0.03);
    d = smooth_union(d, ellipsoid(q, {0.027, 0.013, 0.092}, {0.017, 0.013, 0.024}), 0.018);
    d = smooth_union(d, ellipsoid(p, {0, 0.066, -0.128}, {0.032, 0.034, 0.032}), 0.012);
    // The head sits on the chest and looks a little down.
    double head = ellipsoid(p, {0, 0.192, 0.050}, {0.049, 0.047, 0.054});
    head = smooth_union(head, ellipsoid(q, {0.025, 0.175, 0.070}, {0.029, 0.027, 0.030}), 0.03);
    head = smooth_union(head, ellipsoid(p, {0, 0.174, 0.094}, {0.025, 0.021, 0.023}), 0.025);
    double ear = bunny_ear(q);
    const double hollow = leaf(q, ear_center() + normalized(kEarFront) * 0.0215, kEarTip - kEarRoot,
                               kEarFront, {0.0165, 0.052, 0.0125});
    ear = smooth_subtraction(ear, hollow, 0.008);
    head = smooth_union(head, ear, 0.012);
    return smooth_union(d, head, 0.03);
}

std::string bunny_material(Vec3) { return "coat"; }

// The fronts of the ears have their own chart with axes across and along the ear.
int bunny_chart(Vec3 p, Vec3 normal) {
    const Vec3 n = p.x < 0 ? Vec3{-normal.x, normal.y, normal.z} : normal;
    return p.y > 0.236 && dot(n, normalized(kEarFront)) > 0.15 ? 1 : 0;
}

ChartPoint bunny_to_chart(int chart, Vec3 p) {
    if (chart == 0) return {p.z, p.y};
    const Vec3 q = mirrored(p) - ear_center();
    const Vec3 up = normalized(kEarTip - kEarRoot), across = normalized(cross(up, kEarFront));
    return {dot(q, across), dot(q, up) + 0.15};
}

Paint bunny_paint(int chart, ChartPoint at) {
    Paint out;
    const std::array<double, 3> back{0.80, 0.68, 0.56}, cream{1, 0.97, 0.93};
    const std::array<double, 3> dusk{0.60, 0.49, 0.40}, pink{1.0, 0.66, 0.62};
    const double y = at.y, z = at.x;
    out.colour = back;
    if (chart == 1) {
        const double along = y - 0.15;
        const double inside = 1.0 - smooth_step(0.75, 1.15, std::hypot(z / 0.0150, along / 0.062));
        tint(out, dusk, 0.9 * smooth_step(0.040, 0.066, along));
        tint(out, pink, inside);
        out.length = mix(0.24, 0.07, inside);
        return out;
    }
    tint(out, dusk, 0.75 * smooth_step(0.09, 0.17, y) * smooth_step(0.03, -0.05, z));
    tint(out, dusk, 0.9 * smooth_step(0.30, 0.34, y));  // tips of the ears
    tint(out, cream, smooth_step(0.055, 0.022, y));     // paws
    tint(out, cream, smooth_step(0.055, 0.085, z) * smooth_step(0.17, 0.135, y));  // chest
    tint(out, cream, spot(y, z, 0.168, 0.105, 0.042));                             // muzzle
    tint(out, cream, spot(y, z, 0.066, -0.138, 0.046));                            // tail
    tint(out, cream, 0.85 * spot(y, z, 0.199, 0.083, 0.022));                      // round the eye
    out.length = 0.80 - 0.10 * smooth_step(0.12, 0.17, y);
    out.length = mix(out.length, 0.34, smooth_step(0.035, 0.075, z) * smooth_step(0.145, 0.17, y));
    out.length = mix(out.length, 0.14, spot(y, z, 0.199, 0.086, 0.026));
    out.length = mix(out.length, 0.12, spot(y, z, 0.178, 0.122, 0.030));
    out.length = mix(out.length, 0.22, smooth_step(0.225, 0.25, y));  // ears
    out.length = mix(out.length, 0.25, smooth_step(0.05, 0.02, y));   // paws
    out.length = mix(out.length, 1.0, spot(y, z, 0.066, -0.14, 0.05));
    out.length = mix(out.length, 0.95, spot(y, z, 0.125, 0.075, 0.04));  // a bib
    return out;
}

double creature_distance(Vec3 p) {
    const Vec3 q = mirrored(p);
    double d = ellipsoid(p, {0, 0.125, 0}, {0.105, 0.100, 0.098});
    d = smooth_union(d, ellipsoid(q, {0.045, 0.020, 0.030}, {0.036, 0.020, 0.052}), 0.015);
    const std::array<Knot, 3> horn{{{{0.050, 0.205, 0.0}, 0.016},
                                    {{0.075, 0.245, 0.0}, 0.012},
                                    {{0.068, 0.285, 0.012}, 0.003}}};
    d = smooth_union(d, tapered_arc(q, horn), 0.008);
    const std::array<Knot, 3> arm{{{{0.095, 0.125, 0.01}, 0.022},
                                   {{0.130, 0.095, 0.03}, 0.019},
                                   {{0.128, 0.062, 0.06}, 0.020}}};
    return smooth_union(d, tapered_arc(q, arm), 0.012);
}

std::string creature_material(Vec3 p) {
    const Vec3 q = mirrored(p);
    if (q.y > 0.218 && q.x > 0.045) return "horn";
    if (q.y < 0.036 && q.z > 0.045) return "foot";
    return "coat";
}

int one_chart(Vec3, Vec3) { return 0; }
ChartPoint side_view(int, Vec3 p) { return {p.z, p.y}; }

Paint creature_paint(int, ChartPoint at) {
    const double y = at.y, z = at.x;
    Paint out;
    const std::array<double, 3> teal{0.30, 0.86, 0.83}, violet{0.66, 0.40, 0.95},
        pale{0.93, 0.98, 0.80};
    out.colour = teal;
    tint(out, violet, smooth_step(0.10, 0.215, y));
    tint(out, pale, 0.9 * spot(y, z, 0.075, 0.10, 0.085));
    out.length = 1.0;
    out.length = mix(out.length, 0.22, spot(y, z, 0.155, 0.088, 0.052));
    out.length = mix(out.length, 0.5, spot(y, z, 0.10, 0.10, 0.05));
    out.length = mix(out.length, 0.45, smooth_step(0.06, 0.02, y));
    return out;
}

}  // namespace

Animal bunny() {
    const std::array<double, 3> black{0.012, 0.009, 0.008}, white{0.95, 0.95, 0.95};
    Animal out{};
    out.distance = bunny_distance;
    out.material = bunny_material;
    out.chart_count = 2;
    out.chart = bunny_chart;
    out.to_chart = bunny_to_chart;
    out.paint = bunny_paint;
    out.low = {-0.112, -0.01, -0.175};
    out.high = {0.112, 0.37, 0.145};
    out.cell = 0.0070;
    for (const double side : {-1.0, 1.0}) {
        out.balls.push_back({"eye", {side * 0.0375, 0.199, 0.0835}, {0.0100, 0.0125, 0.0125}});
        out.balls.push_back({"glint", {side * 0.0422, 0.2050, 0.0915}, {0.0028, 0.0028, 0.0028}});
    }
    out.balls.push_back({"nose", {0, 0.1815, 0.1155}, {0.0080, 0.0054, 0.0050}});
    out.materials = {"coat", "eye", "glint", "nose"};
    out.colours = {{0.55, 0.42, 0.32}, black, white, {0.62, 0.20, 0.20}};
    return out;
}

Animal creature() {
    const std::array<double, 3> white{0.92, 0.92, 0.90}, black{0.01, 0.01, 0.015};
    Animal out{};
    out.distance = creature_distance;
    out.material = creature_material;
    out.chart_count = 1;
    out.chart = one_chart;
    out.to_chart = side_view;
    out.paint = creature_paint;
    out.low = {-0.17, -0.01, -0.115};
    out.high = {0.17, 0.31, 0.115};
    out.cell = 0.0094;
    for (const double side : {-1.0, 1.0}) {
        out.balls.push_back({"white", {side * 0.036, 0.158, 0.088}, {0.0300, 0.0320, 0.0260}});
        out.balls.push_back({"eye", {side * 0.033, 0.157, 0.1025}, {0.0150, 0.0170, 0.0140}});
        out.balls.push_back(
            {"white", {side * 0.033 - 0.005, 0.1645, 0.1145}, {0.0034, 0.0034, 0.0034}});
    }
    out.balls.push_back({"nose", {0, 0.125, 0.1025}, {0.0115, 0.0085, 0.0090}});
    out.materials = {"coat", "horn", "foot", "white", "eye", "nose"};
    out.colours = {{0.20, 0.45, 0.50}, {0.85, 0.75, 0.52}, {0.80, 0.42, 0.20}, white, black,
                   {0.75, 0.22, 0.30}};
    return out;
}
