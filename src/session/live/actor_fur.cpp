#include "session/live/actor_fur.h"

#include <algorithm>
#include <atomic>

#include "fur/strand_field.h"
#include "session/assets/groom_source.h"
#include "sim/wind.h"

namespace ringlet {

namespace {

// Simulated strands if the groom sets no number; the others are children.
constexpr int kGuides = 2500;
constexpr double kMostStrands = 400000;

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

float unit_of(const FurSettings& fur, const Pelt& pelt) {
    return fur.unit > 0 ? fur.unit : pelt.rms_radius;
}

FurCoat::Air air_of(const WindUniforms& air) {
    return {{air.waves, static_cast<std::size_t>(air.wave_count)}, air.shelter};
}

}  // namespace

Result<std::unique_ptr<ActorFur>> ActorFur::make(const Scene& scene, const Mesh& body) {
    if (scene.fur.style == FurStyle::none) return std::unique_ptr<ActorFur>();
    auto out = std::make_unique<ActorFur>();
    Result<Pelt> pelt = make_pelt(body, scene.groom.scalp);
    if (!pelt)
        return Error{"fur: " + pelt.error().message + "; see groom.mesh and groom.scalp",
                     scene.name};
    Result<GroomMaps> maps = load_maps(scene);
    if (!maps) return maps.error();
    out->pelt_ = std::move(*pelt);
    out->pelt_number_ = next_number();
    for (std::size_t i = 0; i < out->pelt_.uvs.size(); ++i) {
        const Vec2f uv = out->pelt_.uvs[i];
        out->pelt_.lengths[i] = sample_grey(maps->length, uv) * sample_grey(maps->density, uv);
    }
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
        groom.strands = static_cast<int>(std::min(per_area * pelt_.area, kMostStrands));
    if (groom.guides == 0) groom.guides = std::min(kGuides, groom.strands);
    groom.vertices = std::min(groom.vertices, 6);
    // The fur's length is the maximum for shells, but the mean for strands.
    const float shorter = min(groom.length_variation, 0.45f);
    groom.length = scene.fur.length * unit * (1 - shorter);
    groom.length_variation = shorter / (1 - shorter);
    // A random cross-section of a ball is on average pi/4 as wide as the ball.
    groom.diameter = 0.785f * 2 * scene.fur.thickness * cell;
    groom.taper = 0.95f;
    groom.comb = {.variation = 0, .droop = 0, .droop_variation = 0, .lift = 0};
    out.render.width = 1;
    return out;
}

void ActorFur::bend(const Scene& scene, StrandSet& strands, const TaskPool& pool) const {
    const FurSettings& fur = scene.fur;
    const float least = sin_cos(fur.max_bend * (kPi / 180)).cos;
    const auto within = [](Vec3f direction, Vec3f normal, float cosine) {
        Vec3f still{0, 0, 0};
        keep_off_skin(cosine, normal, direction, still);
        return direction;
    };
    const Vec3f weight{0, -fur.gravity * unit_of(fur, pelt_), 0};
    pool.for_each(strands.strand_count(), [&](int s) {
        const int last = strands.layout->vertex_count(s) - 1;
        if (last < 1) return;
        const Vec3f root = strands.position.vec3(s, 0);
        const Vec3f up = strands.position.vec3(s, last) - root;
        const float length = max(norm(up), 1e-6f);
        const Vec3f normal = unit_or(up, Vec3f{0, 1, 0});
        const Vec3f lean = unit_or(normal + pelt_.comb, normal);
        const Vec3f towards =
            within(unit_or(lean * fur.stiffness + weight * (1 / length), normal), normal, least);
        for (int i = 1; i <= last; ++i)
            strands.position.set_vec3(s, i,
                                      arc_shell_point(root, normal, length, towards, last, i));
    });
}

void ActorFur::restart(const Scene& scene, const Simulation& simulation, LaneKind lanes,
                       double settle, const TaskPool& pool) {
    coat_.reset();
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

void ActorFur::step(const Scene& scene, const Simulation& simulation, const TaskPool& pool) {
    if (!coat_) return;
    coat_->set(with_few_steps(scene.fur));
    if (scene.world.shapes) {
        const double end = simulation.time() - static_cast<double>(scene.world.head.delay);
        scene.world.shapes->positions_at(end, shape_);
        for (std::size_t i = 0; i < pelt_.source.size(); ++i)
            pelt_.positions[i] = shape_[pelt_.source[i]];
        update_normals(pelt_);
        pelt_number_ = next_number();
        coat_->set_shape(pelt_);
    }
    const WindUniforms air = simulation.air_at(simulation.time());
    coat_->advance(step_inputs_, simulation.colliders(), air_of(air), pool);
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
    out.tip_rotation = to_world.rotation;
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
