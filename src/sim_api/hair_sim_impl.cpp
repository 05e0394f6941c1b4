#include "sim_api/hair_sim_impl.h"

#include <algorithm>
#include <cmath>

#include "collide/mesh_body.h"
#include "sim_api/backend.h"
#include "sim_api/check_input.h"
#include "sim_api/convert_input.h"

namespace ringlet {

namespace {

// The length of a step in seconds. A float stands for the fraction that was meant: 1/60 s is not
// the nearest float, by which a minute would be short of a step.
double seconds_of(float dt) {
    const double rate = 1 / static_cast<double>(dt), whole = std::round(rate);
    return std::abs(rate - whole) < 1e-6 * rate ? 1 / whole : static_cast<double>(dt);
}

// Makes `now` use the memory of `former`, to which views may refer.
void keep_memory(SimState& now, SimState& former) {
    former = now;
    std::swap(now, former);
}

bool are_equal(const std::vector<Vec3f>& a, const std::vector<Vec3f>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](Vec3f p, Vec3f q) { return p.x == q.x && p.y == q.y && p.z == q.z; });
}

}  // namespace

HairSim::Impl::Impl(const StrandArrays& strands, const SimSettings& from, const SimOptions& how)
    : rest(to_strand_set(strands, how.level_of_detail)),
      frames(to_frames(strands.rest_frames, rest.layout)),
      settings(from),
      options(how),
      pool(how.jobs.parallel_for ? TaskPool(how.jobs) : TaskPool(how.threads)),
      counts(strands.vertex_counts.begin(), strands.vertex_counts.end()) {
    world.wind = options.wind;
    for (int s = 0; s < rest.strand_count(); ++s) first.push_back(rest.layout->index(s, 0, 0, 3));
    if (!strands.widths.empty()) set_widths(strands.widths);
    clock.active_strands = rest.strand_count();
    if (!strands.head_mesh.empty()) set_head_mesh(strands.head_mesh);
    compute_fingerprint(strands);
    clock.head.before = clock.head.now = with_unit_rotation(options.head);
}

void HairSim::Impl::set_widths(std::span<const float> from) {
    widths = Channel<1>(rest.layout);
    std::size_t next = 0;
    for (int s = 0; s < rest.strand_count(); ++s) {
        first_number.push_back(rest.layout->index(s, 0, 0, 1));
        for (int i = 0; i < rest.layout->vertex_count(s); ++i) widths.at(s, i) = from[next++];
    }
}

void HairSim::Impl::set_head_mesh(const SimMesh& mesh) {
    Mesh own = to_mesh(mesh);
    auto shapes = std::make_shared<MeshSequence>();
    shapes->indices = std::move(own.indices);
    shapes->rest = std::move(own.positions);
    head_shape = FrameShape(shapes->rest);
    world.shapes = std::move(shapes);
}

void HairSim::Impl::compute_fingerprint(const StrandArrays& strands) {
    Hash hash = hash_of(rest.position, rest.position);
    for (const int count : counts) hash.add(static_cast<std::uint32_t>(count));
    hash.add(static_cast<std::uint32_t>(settings.model));
    hash.add(settings.dt);
    hash.add(static_cast<std::uint32_t>(settings.substeps));
    for (const float coordinate : strands.head_mesh.positions) hash.add(coordinate);
    for (const std::uint32_t corner : strands.head_mesh.triangles) hash.add(corner);
    for (const float number : strands.rest_frames) hash.add(number);
    fingerprint = hash.value();
}

void HairSim::Impl::add_colliders(std::vector<Collider> colliders) {
    for (const Collider& body : colliders) {
        collider_poses.push_back({body.pose, body.pose});
        collider_shapes.emplace_back(body.shapes ? body.body->surface().positions
                                                 : std::vector<Vec3f>());
    }
    world.colliders = std::move(colliders);
}

void HairSim::Impl::start() {
    World from = world;
    from.head_offset = clock.head.now;
    for (std::size_t k = 0; k < from.colliders.size(); ++k)
        from.colliders[k].pose = collider_poses[k].now;
    std::unique_ptr<Device> device;
    if (options.backend == Backend::cuda) {
        device = open_device_or_throw();
        first_on_device = device->root_offsets(rest.layout);
    }
    auto made = std::make_unique<Simulation>(rest, settings, std::move(from), options.seed,
                                             lane_kind(options.lanes), 0, std::move(device), pool,
                                             frames.empty() ? nullptr : &frames);
    made->set_push(push);
    if (options.level_of_detail) made->enable_level_of_detail(rest.position);
    if (simulation) keep_memory(made->state(), simulation->state());
    simulation = std::move(made);
    clock = {.head = {clock.head.now, clock.head.now}, .active_strands = clock.active_strands};
    is_lost = true;  // until all of the following is done
    set_shapes(1);
    if (!is_in_first_shape()) simulation->teleport(clock.head.now, pool);
    if (options.level_of_detail && clock.active_strands < rest.strand_count())
        simulation->set_active_strands(clock.active_strands, pool);
    if (options.keep_previous) previous = std::as_const(*simulation).state().x;
    end_frame();
    is_lost = false;
}

int HairSim::Impl::set_active_strands(int count) {
    clock.active_strands = std::min(count, rest.strand_count());
    return simulation->set_active_strands(clock.active_strands, pool);
}

DeviceVectors HairSim::Impl::device_view(const Channel<3>& channel) const {
    const float* const memory = channel.on(*simulation->device());
    return {memory,
            channel.device_buffer()->byte_count() / sizeof(float),
            first_on_device,
            counts,
            Device::kVertexStride,
            Device::kComponentStride,
            0};
}

bool HairSim::Impl::is_in_first_shape() const {
    if (!head_shape.empty() && !are_equal(head_shape.now, world.shapes->rest)) return false;
    for (std::size_t k = 0; k < collider_shapes.size(); ++k)
        if (!collider_shapes[k].empty() &&
            !are_equal(collider_shapes[k].now, world.colliders[k].body->surface().positions))
            return false;
    return true;
}

void HairSim::Impl::set_shapes(double share) {
    if (!head_shape.empty()) simulation->set_head_shape(head_shape.at(share));
    for (std::size_t k = 0; k < collider_shapes.size(); ++k)
        if (!collider_shapes[k].empty())
            simulation->set_collider_shape(static_cast<int>(k), collider_shapes[k].at(share));
}

void HairSim::Impl::end_frame() {
    clock.head.before = clock.head.now;
    for (FramePose& pose : collider_poses) pose.before = pose.now;
    head_shape.end_frame();
    for (FrameShape& shape : collider_shapes) shape.end_frame();
}

// Takes one step; `share` is the fraction of the frame that has passed at its end.
void HairSim::Impl::take_step(double share) {
    simulation->set_head_offset(clock.head.at(share));
    for (std::size_t k = 0; k < collider_poses.size(); ++k)
        if (world.colliders[k].posed)
            simulation->set_collider_pose(static_cast<int>(k), collider_poses[k].at(share));
    set_shapes(share);
    simulation->step(pool);
    if (simulation->device()) simulation->device()->finish();
    ++clock.steps;
    // On a GPU the flags stay there until a report needs them.
    if (!simulation->device()) collect_flags();
}

void HairSim::Impl::collect_flags() {
    const auto [strand, vertex] = simulation->collect_repaired();
    if (clock.repaired_strand < 0 && strand >= 0) {
        clock.repaired_strand = strand;
        clock.repaired_vertex = vertex;
    }
    clock.strain_limited += simulation->collect_strain_limited();
}

SimStepped HairSim::Impl::step(double seconds) {
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
    double total = clock.ahead + frame;
    out.steps = static_cast<int>(std::floor(total + kSameStep));
    for (int k = 1; k <= out.steps; ++k) {
        if (k > 1 && options.stop_requested && options.stop_requested()) {
            out.steps = k - 1;
            out.dropped_seconds += (total - out.steps) * dt;
            total = out.steps;
            break;
        }
        if (options.keep_previous && k == out.steps)
            previous = std::as_const(*simulation).state().x;
        take_step((k - clock.ahead) / frame);
    }
    clock.ahead = total - out.steps;
    end_frame();
    out.interpolation = static_cast<float>(std::clamp(clock.ahead, 0.0, 1.0));
    return out;
}

void HairSim::Impl::teleport(const Rigidf& head) {
    clock.head.now = head;
    for (std::size_t k = 0; k < collider_poses.size(); ++k)
        if (world.colliders[k].posed)
            simulation->set_collider_pose(static_cast<int>(k), collider_poses[k].now);
    set_shapes(1);
    end_frame();
    simulation->teleport(head, pool);
    if (options.keep_previous) previous = std::as_const(*simulation).state().x;
}

MemorySpans HairSim::Impl::changing_memory(StateAccess use) {
    MemorySpans out = simulation->changing_memory(use);
    const auto add = [&](auto& value) {
        out.push_back(std::as_writable_bytes(std::span(&value, 1)));
    };
    const auto add_shape = [&](FrameShape& shape) {
        for (std::vector<Vec3f>* positions : {&shape.before, &shape.now})
            out.push_back(std::as_writable_bytes(std::span(*positions)));
    };
    add(clock);
    for (FramePose& pose : collider_poses) add(pose);
    add_shape(head_shape);
    for (FrameShape& shape : collider_shapes) add_shape(shape);
    if (!previous.empty()) out.push_back(state_memory(previous, use));
    return out;
}

}  // namespace ringlet
