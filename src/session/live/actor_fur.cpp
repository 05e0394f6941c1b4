#include "session/live/actor_fur.h"

#include <algorithm>
#include <atomic>

#include "fur/strand_field.h"
#include "groom/growth.h"
#include "groom/random_streams.h"
#include "math/noise.h"
#include "session/assets/groom_source.h"
#include "session/assets/growth_source.h"
#include "sim/wind.h"

namespace ringlet {

namespace {

// Simulated strands if the groom sets no number; the others are children.
constexpr int kGuides = 2500;
constexpr double kMostFurStrands = 400000;

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

float unit_of(const FurSettings& fur, const Pelt& pelt) {
    return fur.unit > 0 ? fur.unit : pelt.rms_radius;
}

// The tone at the root and at the tip of a strand (tone_of() of shaders/fur_light.glsl), given its
// length over that of the coat, and the relative length of the coat at its root.
Vec2f fur_tone(float reach, float relative_length) {
    const float depth = std::clamp(1.5f * relative_length, 0.3f, 1.0f);
    return {1 - depth, 1 - depth + depth * std::clamp(reach, 0.0f, 1.0f)};
}

// Turns `from` towards `to` by a share of the angle between them; both are unit. A strand that ends
// early follows the curve of the longest ones, so its chord turns by less.
Vec3f turned_by_share(Vec3f from, Vec3f to, float share) {
    const float along = dot(from, to);
    const Vec3f aside = to - from * along;
    const SinCos<float> turn = sin_cos(atan2(norm(aside), along) * share);
    return from * turn.cos + unit_or(aside, perpendicular(from)) * turn.sin;
}

// A shell shows spheres of the strand field, which shrink with height (fur_shell.frag). A strand of
// the groom is one of them, at this distance from the skin over its radius there: the farther away,
// the thinner is its cross-section, and the lower it ends.
float offset_of(const Scene& scene, int strand) {
    constexpr std::uint32_t kStream = 0xf0f5;
    return counter_uniform(scene.groom.seed, static_cast<std::uint32_t>(strand), kStream);
}

// Factor of the length of a strand. The groom draws lengths uniformly; the length of a strand of a
// shell is the mean of the strand's and its tuft's, with the weights of fur_shell.frag.
float length_factor(const Scene& scene, int strand) {
    constexpr std::uint32_t kStream = 0xf0f6;
    constexpr float kTuft = 0.4f;
    const auto id = static_cast<std::uint32_t>(strand);
    const float own = counter_signed(scene.groom.seed, id, kStreamLength);
    const float tuft = counter_signed(scene.groom.seed, id, kStream);
    const float variation = scene.groom.length_variation;
    return (1 + variation * (own + kTuft * (tuft - own))) / (1 + variation * own);
}

// For each triangle whether fur may grow on it; empty: on all.
std::vector<bool> grown(const Mesh& body, const GrowthWeight& growth) {
    std::vector<bool> out;
    for (int t = 0; t < body.triangle_count(); ++t)
        out.push_back(body.may_grow_hair(t) && growth.may_grow(t));
    return std::ranges::find(out, false) == out.end() ? std::vector<bool>() : out;
}

// The growth weight at each vertex of the pelt.
std::vector<float> weights_on(const Pelt& pelt, const Mesh& body, const GrowthWeight& growth) {
    // A corner at each vertex, of a triangle on which fur grows.
    std::vector<int> corner_of(body.positions.size(), 0);
    for (int k = 0; k < 3 * body.triangle_count(); ++k)
        if (growth.may_grow(k / 3)) corner_of[body.indices[static_cast<std::size_t>(k)]] = k;
    std::vector<float> out;
    for (std::size_t i = 0; i < pelt.positions.size(); ++i) {
        const int corner = corner_of[pelt.source[i]];
        Vec3f normal = pelt.normals[i];
        normal.y = max(normal.y, -1.0f);  // rounding must not make it less
        out.push_back(growth
                          .at({pelt.positions[i], normal, pelt.uvs[i], corner / 3,
                               corner % 3 == 1 ? 1.0f : 0.0f, corner % 3 == 2 ? 1.0f : 0.0f})
                          .weight);
    }
    return out;
}

// Over the area of the pelt.
double mean_weight(const Pelt& pelt, const std::vector<float>& weights) {
    if (std::ranges::all_of(weights, [](float weight) { return weight == 1; })) return 1;
    double sum = 0, area = 0;
    for (std::size_t t = 0; t < pelt.indices.size(); t += 3) {
        const std::uint32_t* corner = &pelt.indices[t];
        const Vec3f a = pelt.positions[corner[0]];
        const auto here = static_cast<double>(
            norm(cross(pelt.positions[corner[1]] - a, pelt.positions[corner[2]] - a)));
        area += here;
        sum += here *
               static_cast<double>(weights[corner[0]] + weights[corner[1]] + weights[corner[2]]) /
               3;
    }
    return area > 0 ? sum / area : 1;
}

FurCoat::Air air_of(const WindUniforms& air) {
    return {{air.waves, static_cast<std::size_t>(air.wave_count)}, air.shelter};
}

}  // namespace

Result<std::unique_ptr<ActorFur>> ActorFur::make(const Scene& scene, const Mesh& body) {
    if (scene.fur.style == FurStyle::none) return std::unique_ptr<ActorFur>();
    auto out = std::make_unique<ActorFur>();
    Result<GroomMaps> maps = load_maps(scene);
    if (!maps) return maps.error();
    Messages told_by_groom;
    const Result<GroomSettings> groom = fit_growth(scene, body, {}, told_by_groom);
    if (!groom) return groom.error();
    // The length image gives the length, and bare skin only where it is black.
    RootRules rules = root_rules(*groom, *maps);
    rules.length = nullptr;
    const GrowthWeight growth(body, rules);
    Result<Pelt> pelt = make_pelt(body, growth.skull() ? "" : groom->scalp, grown(body, growth));
    if (!pelt)
        return Error{"fur: " + pelt.error().message + "; see groom.mesh and groom.scalp",
                     scene.name};
    out->pelt_ = std::move(*pelt);
    out->pelt_number_ = next_number();
    const std::vector<float> weights = weights_on(out->pelt_, body, growth);
    out->pelt_.area *= mean_weight(out->pelt_, weights);
    for (std::size_t i = 0; i < weights.size(); ++i)
        out->pelt_.lengths[i] = sample_grey(maps->length, out->pelt_.uvs[i]) * weights[i];
    out->pelt_.comb = scene.groom.comb.direction;
    out->colour_ = std::make_shared<const Image>(std::move(maps->colour));
    return out;
}

Scene ActorFur::as_strands(const Scene& scene) const {
    if (scene.fur.style != FurStyle::strands) return scene;
    Scene out = scene;
    GroomSettings& groom = out.groom;
    const float unit = unit_of(scene.fur, pelt_), cell = strand_cell(scene.fur, unit);
    const double per_area = static_cast<double>(strands_per_cell(scene.fur.thickness)) /
                            static_cast<double>(cell * cell);
    if (groom.strands == 0)
        groom.strands = static_cast<int>(std::min(per_area * pelt_.area, kMostFurStrands));
    if (groom.guides == 0) groom.guides = std::min(kGuides, groom.strands);
    groom.vertices = std::min(groom.vertices, 6);
    // The fur's length is the maximum for shells, but the mean for strands.
    const float shorter = min(groom.length_variation, 0.45f);
    groom.length = scene.fur.length * unit * (1 - shorter);
    groom.length_mark = LengthMark::none;
    groom.length_variation = shorter / (1 - shorter);
    groom.diameter = 2 * scene.fur.thickness * cell;
    groom.comb = {.variation = 0, .droop = 0, .droop_variation = 0, .lift = 0};
    out.render.width = 1;
    return out;
}

Vec3f ActorFur::rest_tip(const FurSettings& fur, Vec3f normal, float length) const {
    const Vec3f weight{0, -fur.gravity * unit_of(fur, pelt_), 0};
    const Vec3f lean = unit_or(normal + pelt_.comb, normal);
    Vec3f out = unit_or(lean * fur.stiffness + weight * (1 / length), normal), still{0, 0, 0};
    keep_off_skin(sin_cos(fur.max_bend * (kPi / 180)).cos, normal, out, still);
    return out;
}

void ActorFur::bend(const Scene& scene, const GroomMaps& maps, StrandSet& strands,
                    const TaskPool& pool) const {
    const FurSettings& fur = scene.fur;
    const float coat_length = fur.length * unit_of(fur, pelt_);
    strands.fur_tone.assign(static_cast<std::size_t>(strands.strand_count()), Vec2f{0, 1});
    pool.for_each(strands.strand_count(), [&](int s) {
        const int last = strands.layout->vertex_count(s) - 1;
        if (last < 1) return;
        const Vec3f root = strands.position.vec3(s, 0);
        const Vec3f up = strands.position.vec3(s, last) - root;
        const float offset = offset_of(scene, s);
        const float tall = norm(up) * length_factor(scene, s);
        const float length = max(tall * (1 - offset * offset), 1e-6f);
        const Vec3f normal = unit_or(up, Vec3f{0, 1, 0});
        const auto own = static_cast<std::size_t>(s);
        const float relative = max(sample_grey(maps.length, strands.root_uv[own]), 1e-3f);
        const float full = max(coat_length * relative, 1e-6f), reach = min(length / full, 1.0f);
        strands.fur_tone[own] = fur_tone(reach, relative);
        const Vec3f shorter = turned_by_share(normal, rest_tip(fur, normal, full), reach);
        for (int i = 1; i <= last; ++i)
            strands.position.set_vec3(s, i,
                                      arc_shell_point(root, normal, length, shorter, last, i));
    });
}

void ActorFur::set_radii(const Scene& scene, StrandSet& strands) const {
    const float most = scene.fur.thickness * strand_cell(scene.fur, unit_of(scene.fur, pelt_));
    for (int s = 0; s < strands.strand_count(); ++s) {
        const float offset = offset_of(scene, s);
        const int last = strands.layout->vertex_count(s) - 1;
        const float root = most * sqrt(1 - offset * offset);
        // The radius is interpolated linearly between the vertices. At the tip it is such that the
        // last segment covers as much as the curve sqrt(left) does: 4/3 - 1 of the vertex before.
        for (int i = 0; i <= last; ++i) {
            const auto segments = static_cast<float>(std::max(last, 1));
            const float left = 1 - static_cast<float>(i) / segments;
            strands.radius.at(s, i) = root * (i < last ? sqrt(left) : sqrt(1 / segments) / 3);
        }
    }
}

void ActorFur::restart(const Scene& scene, const Simulation& simulation, LaneKind lanes,
                       double settle, const TaskPool& pool) {
    coat_.reset();
    displayed_.clear();
    if (scene.fur.style == FurStyle::strands)
        for (std::size_t i = 0; i < pelt_.normals.size(); ++i) {
            const float length = scene.fur.length * unit_of(scene.fur, pelt_) * pelt_.lengths[i];
            displayed_.push_back(
                packed_tip(rest_tip(scene.fur, pelt_.normals[i], max(length, 1e-6f))));
        }
    if (!has_shells(scene.fur)) return;
    const FurSettings fur = with_few_steps(scene.fur);
    const Rigidf head = simulation.head_pose();
    coat_ = std::make_unique<FurCoat>(pelt_, fur, head, lanes);
    const WindUniforms air = simulation.air_at(0);
    step_inputs_.assign(static_cast<std::size_t>(fur.steps), {head, air.wind});
    const int rounds = static_cast<int>(settle / static_cast<double>(scene.sim.dt));
    for (int k = 0; k < rounds; ++k) coat_->advance(step_inputs_, {}, air_of(air), pool);
    display(1, pool);
}

void ActorFur::prepare_step(const Scene& scene, const Simulation& simulation) {
    const int steps = with_few_steps(scene.fur).steps;
    const double dt = static_cast<double>(scene.sim.dt);
    step_inputs_.clear();
    for (int k = 1; k <= steps; ++k) {
        const double time = simulation.time() + dt * k / steps;
        const float share = static_cast<float>(k) / static_cast<float>(steps);
        step_inputs_.push_back({simulation.head_at(time, share), wind_at(scene.world.wind, time)});
    }
}

void ActorFur::set_shape(const Scene& scene, const Simulation& simulation) {
    const double end = simulation.time() - static_cast<double>(scene.world.head.delay);
    scene.world.shapes->positions_at(end, shape_);
    for (std::size_t i = 0; i < pelt_.source.size(); ++i)
        pelt_.positions[i] = shape_[pelt_.source[i]];
    update_normals(pelt_);
    pelt_number_ = next_number();
}

void ActorFur::step(const Scene& scene, const Simulation& simulation, const TaskPool& pool) {
    if (scene.world.shapes) set_shape(scene, simulation);
    if (!coat_) return;
    coat_->set(with_few_steps(scene.fur));
    if (scene.world.shapes) coat_->set_shape(pelt_);
    const WindUniforms air = simulation.air_at(simulation.time());
    coat_->advance(step_inputs_, simulation.colliders(), air_of(air), pool);
}

void ActorFur::restore(const Scene& scene, const Simulation& simulation) {
    if (scene.world.shapes && simulation.step_count() > 0) set_shape(scene, simulation);
}

void ActorFur::display(float t, const TaskPool& pool) {
    if (coat_) coat_->directions(t, displayed_, pool);
}

// The scene `bunny`, for which the lights of strands and shells were matched.
float ActorFur::body_scale(const Scene& scene) const {
    constexpr float kMatchedUnit = 0.122f;  // m
    return unit_of(scene.fur, pelt_) / kMatchedUnit;
}

FurView ActorFur::view(const Scene& scene, const Rigidf& to_world, const Rigidf& head) const {
    FurView out;
    out.pelt = &pelt_;
    out.pelt_number = pelt_number_;
    out.tips = displayed_;
    out.transform = to_world * head;
    // Strands follow the pelt's frame; simulated tips are in the actor's.
    out.tip_rotation = coat_ ? to_world.rotation : out.transform.rotation;
    out.settings = scene.fur;
    out.unit = unit_of(scene.fur, pelt_);
    out.root_colour = scene.groom.colour.root;
    out.tip_colour = scene.groom.colour.tip;
    out.colour_variation = scene.groom.colour.variation;
    out.length_variation = scene.groom.length_variation;
    out.colour = colour_;
    return out;
}

}  // namespace ringlet
