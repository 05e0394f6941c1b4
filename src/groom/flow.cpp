#include "groom/flow.h"

#include <cmath>

#include "groom/smooth_step.h"
#include "groom/space_noise.h"
#include "math/elementary.h"
#include "math/quat.h"

namespace ringlet {

namespace {

// The part of a vector along the skin, as a unit vector; `otherwise` if there is none.
Vec3f tangential(Vec3f v, Vec3f normal, Vec3f otherwise) {
    return unit_or(v - normal * dot(v, normal), otherwise);
}

float triangle(float turns) {
    const float t = turns - std::floor(turns);
    return t < 0.5f ? 4 * t - 1 : 3 - 4 * t;
}

}  // namespace

HairFlow::HairFlow(const GroomSettings& settings, const Mesh& mesh, const Image& comb_map)
    : settings_(settings), comb_map_(mesh, comb_map), hairline_(skull_) {
    if (!is_field() && !(settings.fringe.length > 0) && settings.layers == 0) return;
    skull_ = find_skull(mesh);
    hairline_ = Hairline(skull_);
    // The whorl lies behind the top of the head, a little to one side.
    crown_ = unit_or(Vec3f{settings.comb.whorl < 0 ? -0.08f : 0.08f, 0.85f, -0.5f}, {0, 1, 0});
    front_ = skull_.centre + Vec3f{0, 0.27f, 0.46f} * skull_.length;
}

float HairFlow::holds(Vec3f position, Vec3f root) const {
    const float outside = -hairline_.depth(position);
    if (outside <= 0) return 1;
    const bool stays_on_skin = is_in_fringe(root) || hairline_.depth(root) < 0;
    return stays_on_skin ? 1 : 1 - smooth_step(0, 0.02f, outside);
}

float HairFlow::along_parting(Vec3f position) const {
    const float back = skull_.centre.z - 0.2f * skull_.length;
    return (position.z - back) / max(front_.z - back, kTiny);
}

float HairFlow::parting_x(float along, float z) const {
    const CombSettings& comb = settings_.comb;
    const float t = min(max(along, 0.0f), 1.0f);
    const float zigzag = comb.part_zigzag * triangle(z / 0.024f) * smooth_step(0, 0.3f, t);
    return comb.part * smooth_step(0, 0.7f, t) + comb.part_curve * 4 * t * (1 - t) + zigzag;
}

int HairFlow::side_of_parting(Vec3f root) const {
    const CombSettings& comb = settings_.comb;
    if (comb.part_strength <= 0) return 0;
    if (!is_field()) return root.x < comb.part ? -1 : 1;
    const float along = along_parting(root);
    if (along < 0.02f || root.y < skull_.centre.y) return 0;
    const float jitter = comb.part_soft * space_noise(root, 0.006f, settings_.seed);
    return root.x + jitter < parting_x(along, root.z) ? -1 : 1;
}

bool HairFlow::is_in_fringe(Vec3f root) const {
    const FringeSettings& fringe = settings_.fringe;
    if (fringe.length <= 0 || root.y < skull_.centre.y) return false;
    // A triangle with its base on the hairline, which bends round the forehead.
    const Vec3f arm = root - skull_.centre;
    const float round = norm(Vec3f{1.25f * arm.x, 0, arm.z});
    const float behind =
        arm.z < 0 ? 1.0f : (front_.z - skull_.centre.z - round) / max(fringe.depth, kTiny);
    const float jitter = 0.003f * space_noise(root, 0.008f, settings_.seed + 1);
    return behind < 1 &&
           std::abs(root.x - skull_.centre.x + jitter) < fringe.width * (1 - max(behind, 0.0f));
}

Vec3f HairFlow::over_shoulder(Vec3f position, Vec3f root) const {
    const float share = smooth_step(0, 0.03f, skull_.chin() - position.y);
    const float side = root.z > skull_.centre.z - 0.1f * skull_.length ? 1.0f : -1.0f;
    return Vec3f{0, -0.4f, 0.9f * side} * (share / std::sqrt(0.97f));
}

float HairFlow::height_on_skull(Vec3f root) const {
    const float rise = skull_.top - skull_.centre.y;
    return min(max((root.y - skull_.centre.y) / max(rise, kTiny), 0.0f), 1.0f);
}

Vec3f HairFlow::style_direction(Vec3f outward) const {
    switch (settings_.comb.style) {
        case CombStyle::direction:
        case CombStyle::fall:  // away from the crown
            return outward * dot(crown_, outward) - crown_;
        case CombStyle::back:
            return {0, -0.35f, -1};
        case CombStyle::forward:
            return {0, -0.25f, 1};
        case CombStyle::left:
            return {1, -0.3f, -0.15f};
        case CombStyle::right:
            return {-1, -0.3f, -0.15f};
        case CombStyle::up:  // to the crest of the head
            return {-min(max(4 * outward.x, -1.0f), 1.0f), 1, -0.25f};
    }
    return {0, -1, 0};
}

Vec3f HairFlow::follow_map(Vec3f position, Vec3f normal, Vec3f flow) const {
    if (comb_map_.empty()) return flow;
    const Vec3f painted = comb_map_.at(position);
    return tangential(flow * (1 - norm(painted)) + painted, normal, flow);
}

Vec3f HairFlow::add_strokes(Vec3f position, Vec3f normal, Vec3f flow) const {
    Vec3f sum = flow;
    for (const CombStroke& stroke : settings_.strokes) {
        const Vec3f run = stroke.to - stroke.from;
        const float t =
            min(max(dot(position - stroke.from, run) / max(dot(run, run), kTiny), 0.0f), 1.0f);
        const float distance = norm(position - stroke.from - run * t);
        const float weight = stroke.strength * (1 - smooth_step(0, stroke.reach, distance));
        if (weight > 0) sum += tangential(run, normal, flow) * weight;
    }
    return tangential(sum, normal, flow);
}

Vec3f HairFlow::at(Vec3f position, Vec3f normal) const {
    const CombSettings& comb = settings_.comb;
    const Vec3f outward = unit_or(position - skull_.centre, normal);
    const Vec3f down = tangential({0, -1, 0}, normal, Vec3f{0, 0, -1});
    Vec3f out = tangential(style_direction(outward), normal, down);
    if (const int side = side_of_parting(position); side != 0) {
        // Hair leaves the parting sideways and a little backwards.
        const float share = min(comb.part_strength, 1.0f) *
                            smooth_step(0, 0.35f, along_parting(position)) *
                            smooth_step(0, 0.03f, position.y - skull_.centre.y);
        const Vec3f away{static_cast<float>(side), -0.25f, -0.55f};
        out = tangential(out * (1 - share) + tangential(away, normal, down) * share, normal, down);
    }
    if (is_in_fringe(position))
        out = tangential(Vec3f{settings_.fringe.sweep, -0.4f, 1}, normal, down);
    // The whorl turns the directions round the crown into a spiral.
    const float angle2 = 2 * (1 - dot(outward, crown_));  // the square of the angle from the crown
    const float turn = comb.whorl * exp(-angle2 / (0.4f * 0.4f));
    if (turn != 0) out = rotate(quat_from_axis_angle(normal, turn), out);
    return add_strokes(position, normal, follow_map(position, normal, out));
}

}  // namespace ringlet
