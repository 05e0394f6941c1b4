#include <algorithm>
#include <cmath>

#include "collide/mesh_body.h"
#include "ringlet/sim.h"
#include "sim/models/registry.h"
#include "sim/simulation.h"
#include "sim_api/backend.h"
#include "sim_api/boundary.h"
#include "sim_api/check_input.h"
#include "sim_api/sim_parameters.h"
#include "sim_api/state_bytes.h"

namespace ringlet {

namespace {

// A time within this many steps of a whole number of steps counts as that number.
constexpr double kSameStep = 1e-6;

// The length of a step in seconds. A float stands for the fraction that was meant: 1/60 s is not
// the nearest float, by which a minute would be short of a step.
double seconds_of(float dt) {
    const double rate = 1 / static_cast<double>(dt), whole = std::round(rate);
    return std::abs(rate - whole) < 1e-6 * rate ? 1 / whole : static_cast<double>(dt);
}

StrandSet to_strand_set(const StrandArrays& strands) {
    std::vector<Vec3f> roots;
    roots.reserve(strands.vertex_counts.size());
    const auto vertex = [&](std::size_t k) {
        const float* const at = strands.positions.data() + 3 * k;
        return Vec3f{at[0], at[1], at[2]};
    };
    std::size_t first = 0;
    for (const int count : strands.vertex_counts) {
        roots.push_back(vertex(first));
        first += static_cast<std::size_t>(count);
    }
    StrandSet out;
    out.layout = std::make_shared<const StrandLayout>(strands.vertex_counts, roots);
    out.position = Channel<3>(out.layout);
    std::size_t next = 0;
    for (int s = 0; s < out.strand_count(); ++s)
        for (int i = 0; i < out.layout->vertex_count(s); ++i)
            out.position.set_vec3(s, i, vertex(next++));
    return out;
}

ColliderShape shape_of(SimShape shape) {
    switch (shape) {
        case SimShape::capsule:
            return ColliderShape::capsule;
        case SimShape::plane:
            return ColliderShape::plane;
        case SimShape::ellipsoid:
            return ColliderShape::ellipsoid;
        case SimShape::mesh:
            return ColliderShape::mesh;
        default:
            return ColliderShape::sphere;
    }
}

Result<Collider> to_collider(const SimCollider& from, const TaskPool& pool) {
    if (const Result<void> fine = check_collider(from); !fine) return fine.error();
    Collider out;
    out.shape = shape_of(from.shape);
    out.centre = from.centre;
    out.end = from.end;
    out.normal = from.normal;
    out.radius = from.radius;
    out.radii = from.radii;
    out.friction = from.friction;
    out.static_friction = from.static_friction;
    out.restitution = from.restitution;
    out.attached = from.motion == SimMotion::with_head;
    out.posed = from.motion == SimMotion::posed;
    out.pose = with_unit_rotation(from.pose);
    if (from.shape != SimShape::mesh) return out;
    Mesh mesh;
    for (std::size_t k = 0; k < from.mesh_positions.size(); k += 3)
        mesh.positions.push_back(
            {from.mesh_positions[k], from.mesh_positions[k + 1], from.mesh_positions[k + 2]});
    mesh.indices.assign(from.mesh_triangles.begin(), from.mesh_triangles.end());
    compute_smooth_normals(mesh);
    Result<std::shared_ptr<const MeshBody>> body =
        MeshBody::make(std::move(mesh), {.cell = from.cell, .thickness = from.thickness}, pool);
    if (!body) return body.error();
    out.body = *body;
    return out;
}

Result<std::vector<Collider>> to_colliders(std::span<const SimCollider> colliders,
                                           const TaskPool& pool) {
    std::vector<Collider> out;
    for (std::size_t k = 0; k < colliders.size(); ++k) {
        Result<Collider> made = to_collider(colliders[k], pool);
        if (!made) return Error{"collider " + std::to_string(k) + ": " + made.error().message};
        out.push_back(std::move(*made));
    }
    return out;
}

// Makes `now` use the memory of `former`, to which views may refer.
void keep_memory(SimState& now, SimState& former) {
    former = now;
    std::swap(now, former);
}

// A pose that the caller sets once per frame.
struct FramePose {
    Rigidf before, now;  // at the caller's time before and after the frame

    Rigidf at(double share) const {
        return share >= 1 - kSameStep ? now : between(before, now, static_cast<float>(share));
    }
};

}  // namespace

struct HairSim::Impl {
    StrandSet rest;
    SimSettings settings;
    World world;
    SimOptions options;
    TaskPool pool;
    std::unique_ptr<Simulation> simulation;
    Channel<3> previous;  // empty unless options.keep_previous
    std::optional<Push> push;
    std::vector<std::size_t> first;  // index of each strand's root in a channel
    std::vector<int> counts;
    std::uint64_t fingerprint = 0;
    bool is_lost = false;
    // The part of the state that a Simulation does not have.
    struct Clock {
        double ahead = 0;  // the caller's time minus that of the last step, in steps
        std::int64_t steps = 0;
        std::int64_t repaired_strand = -1, repaired_vertex = -1, strain_limited = 0;
        FramePose head;
    } clock;
    std::vector<FramePose> collider_poses;

    Impl(const StrandArrays& strands, const SimSettings& from, const SimOptions& how)
        : rest(to_strand_set(strands)),
          settings(from),
          options(how),
          pool(how.threads),
          counts(strands.vertex_counts.begin(), strands.vertex_counts.end()) {
        world.wind = options.wind;
        Hash hash = hash_of(rest.position, rest.position);
        for (std::size_t s = 0; s < counts.size(); ++s) {
            first.push_back(rest.layout->index(static_cast<int>(s), 0, 0, 3));
            hash.add(static_cast<std::uint32_t>(counts[s]));
        }
        hash.add(static_cast<std::uint32_t>(settings.model));
        hash.add(settings.dt);
        hash.add(static_cast<std::uint32_t>(settings.substeps));
        fingerprint = hash.value();
        clock.head.before = clock.head.now = with_unit_rotation(options.head);
    }

    // Starts at rest with the head and the colliders at their poses of now.
    void start() {
        World from = world;
        from.head_offset = clock.head.now;
        for (std::size_t k = 0; k < from.colliders.size(); ++k)
            from.colliders[k].pose = collider_poses[k].now;
        std::unique_ptr<Device> device;
        if (options.backend == Backend::cuda) device = open_device_or_throw();
        auto made =
            std::make_unique<Simulation>(rest, settings, std::move(from), options.seed,
                                         lane_kind(options.lanes), 0, std::move(device), pool);
        made->set_push(push);
        if (options.keep_previous) previous = std::as_const(*made).state().x;
        if (simulation) keep_memory(made->state(), simulation->state());
        simulation = std::move(made);
        clock = {.head = {clock.head.now, clock.head.now}};
        for (FramePose& pose : collider_poses) pose.before = pose.now;
        is_lost = false;
    }

    // Takes one step; `share` is the fraction of the frame that has passed at its end.
    void take_step(double share) {
        simulation->set_head_offset(clock.head.at(share));
        for (std::size_t k = 0; k < collider_poses.size(); ++k)
            if (world.colliders[k].posed)
                simulation->set_collider_pose(static_cast<int>(k), collider_poses[k].at(share));
        simulation->step(pool);
        if (simulation->device()) simulation->device()->finish();
        ++clock.steps;
        const auto [strand, vertex] = simulation->collect_repaired();
        if (clock.repaired_strand < 0 && strand >= 0) {
            clock.repaired_strand = strand;
            clock.repaired_vertex = vertex;
        }
        clock.strain_limited += simulation->collect_strain_limited();
    }

    SimStepped step(double seconds) {
        const double dt = seconds_of(settings.dt);
        double frame = seconds / dt;  // in steps
        const double whole = std::round(frame);
        if (std::abs(frame - whole) <= kSameStep * std::max(whole, 1.0)) frame = whole;
        SimStepped out;
        const double most = static_cast<double>(options.max_steps) + 1 - kSameStep - clock.ahead;
        if (frame > most) {
            const double kept = std::floor(most);
            out.dropped_seconds = (frame - kept) * dt;
            frame = kept;
        }
        const double total = clock.ahead + frame;
        out.steps = static_cast<int>(std::floor(total + kSameStep));
        for (int k = 1; k <= out.steps; ++k) {
            if (options.keep_previous && k == out.steps)
                previous = std::as_const(*simulation).state().x;
            take_step((k - clock.ahead) / frame);
        }
        clock.ahead = total - out.steps;
        clock.head.before = clock.head.now;
        for (FramePose& pose : collider_poses) pose.before = pose.now;
        out.interpolation = static_cast<float>(std::clamp(clock.ahead, 0.0, 1.0));
        return out;
    }

    // Everything that save() stores.
    MemorySpans changing_memory() {
        MemorySpans out = simulation->changing_memory();
        const auto add = [&](auto& value) {
            out.push_back(std::as_writable_bytes(std::span(&value, 1)));
        };
        add(clock);
        for (FramePose& pose : collider_poses) add(pose);
        if (!previous.empty()) out.push_back(previous.edit().memory_to_write());
        return out;
    }

    VectorView view(const Channel<3>& channel) const {
        return channel.empty() ? VectorView() : VectorView(channel.memory(), first, counts);
    }
};

namespace {

const Error& lost() {
    static const Error error{"state lost"};  // short enough to need no allocation
    return error;
}

void add_warnings(SimReport& report) {
    if (report.nonfinite_vertices > 0)
        report.warnings.push_back(
            {std::to_string(report.nonfinite_vertices) + " vertices are NaN or infinite", "",
             "lower SimSettings::dt or raise SimSettings::substeps"});
    if (report.repaired_strand >= 0)
        report.warnings.push_back({"a state that was not finite was repaired",
                                   "strand " + std::to_string(report.repaired_strand) +
                                       ", vertex " + std::to_string(report.repaired_vertex),
                                   "lower SimSettings::dt or raise SimSettings::substeps"});
}

}  // namespace

HairSim::HairSim(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HairSim::~HairSim() = default;
HairSim::HairSim(HairSim&&) noexcept = default;
HairSim& HairSim::operator=(HairSim&&) noexcept = default;

Result<HairSim> HairSim::create(const StrandArrays& strands, const SimSettings& settings,
                                std::span<const SimCollider> colliders,
                                const SimOptions& options) try {
    for (const Result<void>& fine :
         {check_strands(strands), check_parameters(settings, options.wind), check_options(options),
          check_pose(options.wind.to_air_frame, "Wind::to_air_frame"),
          check_backend(options.backend)})
        if (!fine) return fine.error();
    auto impl = std::make_unique<Impl>(strands, settings, options);
    Result<std::vector<Collider>> bodies = to_colliders(colliders, impl->pool);
    if (!bodies) return bodies.error();
    for (const Collider& body : *bodies) impl->collider_poses.push_back({body.pose, body.pose});
    impl->world.colliders = std::move(*bodies);
    impl->start();
    return HairSim(std::move(impl));
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_head(const Rigidf& pose) try {
    if (const Result<void> fine = check_pose(pose, "head"); !fine) return fine;
    impl_->clock.head.now = with_unit_rotation(pose);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_collider_pose(int collider, const Rigidf& pose) try {
    const std::vector<Collider>& colliders = impl_->world.colliders;
    const auto at = static_cast<std::size_t>(collider);
    if (collider < 0 || at >= colliders.size())
        return Error{"there is no collider " + std::to_string(collider)};
    if (!colliders[at].posed)
        return Error{"collider " + std::to_string(collider) +
                     " has no pose; create it with SimMotion::posed"};
    if (const Result<void> fine = check_pose(pose, "collider pose"); !fine) return fine;
    impl_->collider_poses[at].now = with_unit_rotation(pose);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_gravity(Vec3f gravity) try {
    SimSettings changed = impl_->settings;
    changed.gravity = gravity;
    if (const Result<void> fine = check_parameters(changed, impl_->world.wind); !fine) return fine;
    impl_->settings.gravity = gravity;
    impl_->simulation->set_gravity(gravity);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_wind(const Wind& wind) try {
    for (const Result<void>& fine : {check_parameters(impl_->settings, wind),
                                     check_pose(wind.to_air_frame, "Wind::to_air_frame")})
        if (!fine) return fine;
    impl_->simulation->set_wind(wind);
    impl_->world.wind = wind;
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_push(const std::optional<SimPush>& push) try {
    std::optional<Push> own;
    if (push) {
        for (const Vec3f part : {push->from, push->to, push->acceleration})
            if (const Result<void> fine = check_vector(part, "push"); !fine) return fine;
        if (!(push->radius > 0)) return Error{"push: the radius must be positive"};
        own = {push->from, push->to, push->radius, push->acceleration};
    }
    impl_->push = own;
    impl_->simulation->set_push(own);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<SimStepped> HairSim::step(double seconds) try {
    if (impl_->is_lost) return lost();
    if (!(seconds >= 0) || !std::isfinite(seconds))
        return Error{"step: the frame time must be finite and not negative"};
    return impl_->step(seconds);
} catch (...) {
    impl_->is_lost = true;
    return sim_error_from_exception();
}

Result<void> HairSim::teleport(const Rigidf& head) try {
    if (impl_->is_lost) return lost();
    if (const Result<void> fine = check_pose(head, "head"); !fine) return fine;
    const Rigidf pose = with_unit_rotation(head);
    for (std::size_t k = 0; k < impl_->collider_poses.size(); ++k) {
        FramePose& own = impl_->collider_poses[k];
        own.before = own.now;
        if (impl_->world.colliders[k].posed)
            impl_->simulation->set_collider_pose(static_cast<int>(k), own.now);
    }
    impl_->clock.head = {pose, pose};
    impl_->simulation->teleport(pose, impl_->pool);
    if (impl_->options.keep_previous) impl_->previous = std::as_const(*impl_->simulation).state().x;
    return {};
} catch (...) {
    impl_->is_lost = true;
    return sim_error_from_exception();
}

Result<void> HairSim::reset() try {
    impl_->start();
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<std::vector<std::byte>> HairSim::save() const try {
    if (impl_->is_lost) return lost();
    return to_bytes(impl_->changing_memory(), impl_->fingerprint);
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::load(std::span<const std::byte> state) try {
    const Result<void> done = from_bytes(state, impl_->changing_memory(), impl_->fingerprint);
    if (done) impl_->is_lost = false;
    return done;
} catch (...) {
    return sim_error_from_exception();
}

VectorView HairSim::positions() const {
    if (impl_->is_lost) return {};
    return impl_->view(std::as_const(*impl_->simulation).state().x);
}

VectorView HairSim::velocities() const {
    if (impl_->is_lost) return {};
    return impl_->view(std::as_const(*impl_->simulation).state().v);
}

VectorView HairSim::previous_positions() const {
    if (impl_->is_lost) return {};
    return impl_->view(impl_->previous);
}

int HairSim::strand_count() const { return static_cast<int>(impl_->counts.size()); }

double HairSim::time() const { return impl_->simulation->time(); }

Result<std::string> HairSim::hash() const try {
    if (impl_->is_lost) return lost();
    const SimState& state = std::as_const(*impl_->simulation).state();
    return hash_of(state.x, state.v).hex();
} catch (...) {
    return sim_error_from_exception();
}

Result<SimReport> HairSim::report() try {
    if (impl_->is_lost) return lost();
    const Measurement measured = impl_->simulation->measure(impl_->pool);
    const Impl::Clock& clock = impl_->clock;
    SimReport out;
    out.model = model_name(impl_->settings.model);
    out.strands = strand_count();
    out.vertices = impl_->rest.layout->vertex_total();
    out.steps = clock.steps;
    out.seconds = time();
    out.max_stretch = measured.max_stretch;
    if (measured.segment_count > 0)
        out.mean_stretch = measured.sum_stretch / static_cast<double>(measured.segment_count);
    out.max_penetration = measured.max_penetration;
    out.penetrating_vertices = measured.penetrating_vertices;
    out.nonfinite_vertices = measured.nonfinite_vertices;
    out.repaired_strand = clock.repaired_strand;
    out.repaired_vertex = clock.repaired_vertex;
    out.strain_limited_strands = clock.strain_limited;
    out.bytes =
        impl_->simulation->byte_count() + impl_->rest.byte_count() + impl_->previous.byte_count();
    add_warnings(out);
    return out;
} catch (...) {
    return sim_error_from_exception();
}

SimSettings scene_defaults() { return default_sim_settings(); }

int model_count() { return static_cast<int>(all_models().size()); }

const char* model_name(int model) {
    if (model < 0 || model >= model_count()) return "";
    return all_models()[static_cast<std::size_t>(model)].name;
}

Result<int> model_named(std::string_view name) try {
    std::string known;
    for (int k = 0; k < model_count(); ++k) {
        if (name == model_name(k)) return k;
        known += (k > 0 ? ", " : "") + std::string(model_name(k));
    }
    return Error{"there is no model \"" + std::string(name) + "\"; the models are " + known};
} catch (...) {
    return sim_error_from_exception();
}

}  // namespace ringlet
