#include "groom/growth.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

// Hair shorter than this share of groom.length is not grown.
constexpr float kShortest = 0.01f;

// How far inside the rule's shape a point is, in metres; negative outside.
float depth_inside(const GrowthRule& rule, Vec3f point) {
    if (rule.mirror && (point.x < 0) != (rule.centre.x < 0)) point.x = -point.x;
    const Vec3f d = point - rule.centre;
    switch (rule.shape) {
        case RuleShape::above:
            return point.y - rule.height;
        case RuleShape::below:
            return rule.height - point.y;
        case RuleShape::sphere:
            return rule.radius - norm(d);
        case RuleShape::capsule: {
            const Vec3f axis = rule.end - rule.centre;
            const float t = min(max(dot(d, axis) / max(dot(axis, axis), kTiny), 0.0f), 1.0f);
            return rule.radius - norm(d - axis * t);
        }
        case RuleShape::box:
            return min(min(0.5f * rule.size.x - std::abs(d.x), 0.5f * rule.size.y - std::abs(d.y)),
                       0.5f * rule.size.z - std::abs(d.z));
    }
    return 0;
}

float share_inside(const GrowthRule& rule, Vec3f point) {
    const float depth = depth_inside(rule, point);
    if (!(rule.edge > 0)) return depth >= 0 ? 1.0f : 0.0f;
    const float t = min(max(depth / rule.edge + 0.5f, 0.0f), 1.0f);
    return t * t * (3 - 2 * t);
}

// Rules apply in order. A first rule that includes starts from nothing, one that excludes from all.
float weight_of_rules(std::span<const GrowthRule> rules, Vec3f point) {
    if (rules.empty()) return 1;
    float weight = rules.front().action == RuleAction::include ? 0.0f : 1.0f;
    for (const GrowthRule& rule : rules) {
        const float share = share_inside(rule, point);
        weight = rule.action == RuleAction::include ? max(weight, share) : weight * (1 - share);
    }
    return weight;
}

// False if the weight of the rules is 0 everywhere within `reach` of a point.
bool may_include(std::span<const GrowthRule> rules, Vec3f point, float reach) {
    if (rules.empty() || rules.front().action == RuleAction::exclude) return true;
    return std::ranges::any_of(rules, [&](const GrowthRule& rule) {
        // Depths differ by no more than positions.
        return rule.action == RuleAction::include &&
               depth_inside(rule, point) > -reach - 0.5f * max(rule.edge, 0.0f);
    });
}

float channel_of(Vec3f colour, ColourChannel channel) {
    switch (channel) {
        case ColourChannel::none:
            return 1;
        case ColourChannel::red:
            return colour.x;
        case ColourChannel::green:
            return colour.y;
        case ColourChannel::blue:
            return colour.z;
        case ColourChannel::grey:
            return (colour.x + colour.y + colour.z) / 3;
    }
    return 1;
}

float grey_or_white(const Image* image, Vec2f uv) { return image ? sample_grey(*image, uv) : 1; }

}  // namespace

bool has_material_or_group(const Mesh& mesh, const std::string& name) {
    return std::any_of(mesh.materials.begin(), mesh.materials.end(),
                       [&](const Material& m) { return m.name == name; }) ||
           std::find(mesh.groups.begin(), mesh.groups.end(), name) != mesh.groups.end();
}

RootRules root_rules(const GroomSettings& settings, const GroomMaps& maps) {
    return {settings.scalp, settings.facing_up,    &maps.density,  settings.seed,
            &maps.length,   settings.scalp_colour, settings.rules, &maps.painted};
}

GrowthWeight::GrowthWeight(const Mesh& mesh, const RootRules& rules) : mesh_(mesh), rules_(rules) {
    if (rules.scalp != kAutoScalp || has_material_or_group(mesh, rules.scalp)) return;
    skull_ = find_skull(mesh);
    hairline_.emplace(*skull_);
}

bool GrowthWeight::belongs(int triangle) const {
    if (rules_.scalp.empty() || hairline_) return true;
    const auto t = static_cast<std::size_t>(triangle);
    const int material = mesh_.triangle_material[t], group = mesh_.triangle_group[t];
    return (material >= 0 &&
            mesh_.materials[static_cast<std::size_t>(material)].name == rules_.scalp) ||
           (group >= 0 && mesh_.groups[static_cast<std::size_t>(group)] == rules_.scalp);
}

bool GrowthWeight::may_grow(int triangle) const {
    // A brush can paint hair anywhere. The set of triangles stays the same while it does, so that
    // roots away from the brush stay where they are.
    if (rules_.painted && !rules_.painted->empty()) return true;
    if (!belongs(triangle)) return false;
    const Vec3f a = mesh_.corner(triangle, 0), b = mesh_.corner(triangle, 1),
                c = mesh_.corner(triangle, 2);
    const Vec3f middle = (a + b + c) * (1.0f / 3);
    const float radius = max(max(norm(a - middle), norm(b - middle)), norm(c - middle));
    if (!may_include(rules_.rules, middle, radius)) return false;
    constexpr float kIrregular = 0.005f;  // m, of the border
    return !hairline_ || hairline_->depth(middle) > -2 * radius - kIrregular;
}

float GrowthWeight::vertex_colour(const SkinPoint& point) const {
    if (rules_.colour == ColourChannel::none || mesh_.colours.empty()) return 1;
    const std::uint32_t* corner = &mesh_.indices[static_cast<std::size_t>(point.triangle) * 3];
    const Vec3f colour = mesh_.colours[corner[0]] * (1 - point.b - point.c) +
                         mesh_.colours[corner[1]] * point.b + mesh_.colours[corner[2]] * point.c;
    return min(max(channel_of(colour, rules_.colour), 0.0f), 1.0f);
}

Growth GrowthWeight::at(const SkinPoint& point) const {
    if (grey_or_white(rules_.length, point.uv) < kShortest) return {0, 0};
    Growth out;
    out.soft = vertex_colour(point) * weight_of_rules(rules_.rules, point.position);
    if (hairline_) out.soft *= hairline_->weight(point.position, point.normal);
    const bool inside = belongs(point.triangle) && point.normal.y >= rules_.facing_up;
    out.weight = inside ? out.soft * grey_or_white(rules_.density, point.uv) : 0;
    if (rules_.painted) {
        out.weight = rules_.painted->over(out.weight, point.position);
        out.soft = rules_.painted->over(out.soft, point.position);
    }
    return out;
}

}  // namespace ringlet
