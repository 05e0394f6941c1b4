#include <cstdlib>
#include <cstring>
#include <new>

#include "ringlet/parameters.h"
#include "ringlet/ringlet_c.h"
#include "ringlet/sim.h"
#include "ringlet/version.h"
#include "sim_api/boundary.h"

using ringlet::Result;
using ringlet::Rigidf;

struct ringlet_settings {
    ringlet::SimSettings sim;
    ringlet::Wind wind;
};

struct ringlet_hair {
    ringlet::HairSim sim;
};

namespace {

constexpr std::size_t kLongestError = 1024;
thread_local char last_error[kLongestError] = "";

int fail(const char* text) {
    std::strncpy(last_error, text, kLongestError - 1);
    return 1;
}

int fail(const ringlet::Error& error) {
    try {
        return fail(error.text().c_str());
    } catch (...) {
        return fail("out of memory");
    }
}

template <class T>
int status_of(const Result<T>& result) {
    return result ? 0 : fail(result.error());
}

constexpr const char* kNull =
    "a pointer to an object is NULL; pass what its create function returned";

// Calls `body`, which returns a status, unless one of the pointers is null. The library returns its
// own failures; `body` may still fail to allocate a text.
template <class Body>
int guarded(std::initializer_list<const void*> pointers, const Body& body) {
    for (const void* pointer : pointers)
        if (!pointer) return fail(kNull);
    try {
        return body();
    } catch (...) {
        return fail(ringlet::sim_error_from_exception());
    }
}

ringlet::Vec3f from_c(ringlet_vec3 a) { return {a.x, a.y, a.z}; }
ringlet_vec3 to_c(ringlet::Vec3f a) { return {a.x, a.y, a.z}; }
Rigidf from_c(const ringlet_pose& a) { return {{a.x, a.y, a.z, a.w}, from_c(a.translation)}; }
ringlet_pose to_c(const Rigidf& a) {
    return {a.rotation.x, a.rotation.y, a.rotation.z, a.rotation.w, to_c(a.translation)};
}

ringlet::SimCollider from_c(const ringlet_collider& a) {
    ringlet::SimCollider out;
    out.shape = static_cast<ringlet::SimShape>(a.shape);
    out.motion = static_cast<ringlet::SimMotion>(a.motion);
    out.centre = from_c(a.centre);
    out.end = from_c(a.end);
    out.normal = from_c(a.normal);
    out.radii = from_c(a.radii);
    out.radius = a.radius;
    out.friction = a.friction;
    out.static_friction = a.static_friction;
    out.restitution = a.restitution;
    out.pose = from_c(a.pose);
    if (a.mesh_positions) out.mesh_positions = {a.mesh_positions, 3 * a.mesh_vertex_count};
    if (a.mesh_triangles) out.mesh_triangles = {a.mesh_triangles, 3 * a.mesh_triangle_count};
    out.thickness = a.thickness;
    out.cell = a.cell;
    out.deforms = a.deforms != 0;
    out.room = a.room;
    return out;
}

ringlet::SimOptions from_c(const ringlet_options& a) {
    ringlet::SimOptions out;
    out.head = from_c(a.head);
    out.seed = a.seed;
    out.threads = a.threads;
    out.keep_previous = a.keep_previous != 0;
    out.max_steps = a.max_steps;
    out.backend = a.use_gpu != 0 ? ringlet::Backend::cuda : ringlet::Backend::cpu;
    out.level_of_detail = a.level_of_detail != 0;
    out.jobs = {a.parallel_for, a.concurrency, a.user};
    out.allocator = {a.allocate, a.release, a.user};
    return out;
}

ringlet::SimMesh head_mesh_of(const ringlet_options& a) {
    ringlet::SimMesh out;
    if (a.head_mesh_positions)
        out.positions = {a.head_mesh_positions, 3 * a.head_mesh_vertex_count};
    if (a.head_mesh_triangles)
        out.triangles = {a.head_mesh_triangles, 3 * a.head_mesh_triangle_count};
    return out;
}

ringlet_view to_c(const ringlet::VectorView& view) {
    if (view.memory().empty()) return {};
    return {view.memory().data(),
            view.memory().size(),
            view.offsets().data(),
            view.counts().data(),
            view.strand_count(),
            static_cast<int>(ringlet::StrandVectors::kVertexStride),
            static_cast<int>(ringlet::StrandVectors::kComponentStride)};
}

int set(ringlet_settings* settings, const char* key, const ringlet::ParameterValue& value) {
    return status_of(ringlet::set_parameter(settings->sim, settings->wind, key, value));
}

// Null arguments have been refused, except settings and options.
int create(ringlet_hair*& out, const float* positions, const int* counts, std::size_t strand_count,
           const ringlet_settings* settings, std::span<const ringlet_collider> colliders,
           const ringlet_options* options) {
    std::size_t vertices = 0;
    for (std::size_t s = 0; s < strand_count; ++s)
        vertices += counts[s] > 0 ? static_cast<std::size_t>(counts[s]) : 0;
    std::vector<ringlet::SimCollider> bodies;
    for (const ringlet_collider& collider : colliders) bodies.push_back(from_c(collider));
    ringlet::SimOptions how;
    if (options) how = from_c(*options);
    if (settings) how.wind = settings->wind;
    ringlet::StrandArrays strands{{positions, 3 * vertices}, {counts, strand_count}};
    if (options) strands.head_mesh = head_mesh_of(*options);
    if (options && options->widths) strands.widths = {options->widths, vertices};
    if (options && options->rest_frames) strands.rest_frames = {options->rest_frames, 4 * vertices};
    Result<ringlet::HairSim> made = ringlet::HairSim::create(
        strands, settings ? settings->sim : ringlet::scene_defaults(), bodies, how);
    if (!made) return fail(made.error());
    out = new ringlet_hair{std::move(*made)};
    return 0;
}

}  // namespace

const char* ringlet_version(void) { return ringlet::version(); }

const char* ringlet_last_error(void) { return last_error; }

ringlet_settings* ringlet_settings_create(void) {
    ringlet_settings* const out =
        new (std::nothrow) ringlet_settings{ringlet::scene_defaults(), {}};
    if (!out) fail("out of memory");
    return out;
}

void ringlet_settings_destroy(ringlet_settings* settings) { delete settings; }

int ringlet_settings_set_number(ringlet_settings* settings, const char* key, double value) {
    return guarded({settings, key}, [&] { return set(settings, key, value); });
}

int ringlet_settings_set_flag(ringlet_settings* settings, const char* key, int value) {
    return guarded({settings, key}, [&] { return set(settings, key, value != 0); });
}

int ringlet_settings_set_word(ringlet_settings* settings, const char* key, const char* word) {
    return guarded({settings, key, word}, [&] { return set(settings, key, std::string(word)); });
}

int ringlet_settings_set_vector(ringlet_settings* settings, const char* key, ringlet_vec3 value) {
    return guarded({settings, key}, [&] { return set(settings, key, from_c(value)); });
}

ringlet_collider ringlet_collider_default(void) {
    const ringlet::SimCollider usual;
    ringlet_collider out{};
    out.centre = to_c(usual.centre);
    out.end = to_c(usual.end);
    out.normal = to_c(usual.normal);
    out.radii = to_c(usual.radii);
    out.radius = usual.radius;
    out.friction = usual.friction;
    out.static_friction = usual.static_friction;
    out.restitution = usual.restitution;
    out.pose = to_c(usual.pose);
    return out;
}

ringlet_options ringlet_options_default(void) {
    const ringlet::SimOptions usual;
    ringlet_options out{};
    out.head = to_c(usual.head);
    out.seed = usual.seed;
    out.threads = usual.threads;
    out.keep_previous = usual.keep_previous;
    out.max_steps = usual.max_steps;
    out.concurrency = usual.jobs.concurrency;
    return out;
}

ringlet_hair* ringlet_hair_create(const float* positions, const int* counts, int strand_count,
                                  const ringlet_settings* settings,
                                  const ringlet_collider* colliders, int collider_count,
                                  const ringlet_options* options) {
    if (strand_count < 0 || collider_count < 0) {
        fail("strand_count and collider_count must not be negative");
        return nullptr;
    }
    if ((strand_count > 0 && (!positions || !counts)) || (collider_count > 0 && !colliders)) {
        fail("an array is NULL");
        return nullptr;
    }
    ringlet_hair* out = nullptr;
    guarded({}, [&] {
        return create(out, positions, counts, static_cast<std::size_t>(strand_count), settings,
                      {colliders, static_cast<std::size_t>(collider_count)}, options);
    });
    return out;
}

void ringlet_hair_destroy(ringlet_hair* hair) { delete hair; }

int ringlet_hair_set_head(ringlet_hair* hair, ringlet_pose pose) {
    return guarded({hair}, [&] { return status_of(hair->sim.set_head(from_c(pose))); });
}

int ringlet_hair_set_collider_pose(ringlet_hair* hair, int collider, ringlet_pose pose) {
    return guarded({hair},
                   [&] { return status_of(hair->sim.set_collider_pose(collider, from_c(pose))); });
}

int ringlet_hair_set_head_vertices(ringlet_hair* hair, const float* positions,
                                   size_t vertex_count) {
    return guarded({hair, positions}, [&] {
        return status_of(hair->sim.set_head_vertices({positions, 3 * vertex_count}));
    });
}

int ringlet_hair_set_collider_vertices(ringlet_hair* hair, int collider, const float* positions,
                                       size_t vertex_count) {
    return guarded({hair, positions}, [&] {
        return status_of(hair->sim.set_collider_vertices(collider, {positions, 3 * vertex_count}));
    });
}

int ringlet_hair_set_gravity(ringlet_hair* hair, ringlet_vec3 gravity) {
    return guarded({hair}, [&] { return status_of(hair->sim.set_gravity(from_c(gravity))); });
}

int ringlet_hair_set_wind(ringlet_hair* hair, const ringlet_settings* settings) {
    return guarded({hair, settings}, [&] { return status_of(hair->sim.set_wind(settings->wind)); });
}

int ringlet_hair_set_push(ringlet_hair* hair, const ringlet_push* push) {
    return guarded({hair}, [&] {
        if (!push) return status_of(hair->sim.set_push(std::nullopt));
        return status_of(hair->sim.set_push(ringlet::SimPush{
            from_c(push->from), from_c(push->to), push->radius, from_c(push->acceleration)}));
    });
}

int ringlet_hair_set_active_strands(ringlet_hair* hair, int count, int* active) {
    return guarded({hair}, [&] {
        const Result<int> done = hair->sim.set_active_strands(count);
        if (done && active) *active = *done;
        return status_of(done);
    });
}

int ringlet_hair_step(ringlet_hair* hair, double seconds, ringlet_stepped* stepped) {
    return guarded({hair}, [&] {
        const Result<ringlet::SimStepped> done = hair->sim.step(seconds);
        if (done && stepped) *stepped = {done->steps, done->interpolation, done->dropped_seconds};
        return status_of(done);
    });
}

int ringlet_hair_teleport(ringlet_hair* hair, ringlet_pose head) {
    return guarded({hair}, [&] { return status_of(hair->sim.teleport(from_c(head))); });
}

int ringlet_hair_reset(ringlet_hair* hair) {
    return guarded({hair}, [&] { return status_of(hair->sim.reset()); });
}

void* ringlet_hair_save(const ringlet_hair* hair, size_t* size) {
    void* out = nullptr;
    guarded({hair, size}, [&] {
        const Result<std::vector<std::byte>> bytes = hair->sim.save();
        if (!bytes) return fail(bytes.error());
        out = std::malloc(bytes->size());
        if (!out) return fail("out of memory");
        std::memcpy(out, bytes->data(), bytes->size());
        *size = bytes->size();
        return 0;
    });
    return out;
}

void ringlet_bytes_destroy(void* bytes) { std::free(bytes); }

int ringlet_hair_load(ringlet_hair* hair, const void* bytes, size_t size) {
    return guarded({hair, bytes}, [&] {
        return status_of(hair->sim.load({static_cast<const std::byte*>(bytes), size}));
    });
}

ringlet_view ringlet_hair_positions(const ringlet_hair* hair) {
    return hair ? to_c(hair->sim.positions()) : ringlet_view{};
}

ringlet_view ringlet_hair_velocities(const ringlet_hair* hair) {
    return hair ? to_c(hair->sim.velocities()) : ringlet_view{};
}

ringlet_view ringlet_hair_previous_positions(const ringlet_hair* hair) {
    return hair ? to_c(hair->sim.previous_positions()) : ringlet_view{};
}

ringlet_view ringlet_hair_widths(const ringlet_hair* hair) {
    if (!hair || hair->sim.widths().empty()) return {};
    const ringlet::NumberView view = hair->sim.widths();
    return {view.memory().data(),
            view.memory().size(),
            view.offsets().data(),
            view.counts().data(),
            view.strand_count(),
            static_cast<int>(ringlet::NumberView::kVertexStride),
            0};
}

int ringlet_hair_device_positions(const ringlet_hair* hair, ringlet_view* view) {
    return guarded({hair, view}, [&] {
        const Result<ringlet::DeviceVectors> from = hair->sim.device_positions();
        if (!from) return fail(from.error());
        *view = {static_cast<const float*>(from->memory),
                 from->size,
                 from->offsets.data(),
                 from->counts.data(),
                 static_cast<int>(from->counts.size()),
                 static_cast<int>(from->vertex_stride),
                 static_cast<int>(from->component_stride)};
        return 0;
    });
}

int ringlet_hair_hash(const ringlet_hair* hair, char text[17]) {
    return guarded({hair, text}, [&] {
        const Result<std::string> hash = hair->sim.hash();
        if (hash) std::memcpy(text, hash->c_str(), hash->size() + 1);
        return status_of(hash);
    });
}

int ringlet_hair_report(ringlet_hair* hair, ringlet_report* report) {
    return guarded({hair, report}, [&] {
        const Result<ringlet::SimReport> from = hair->sim.report();
        if (!from) return fail(from.error());
        *report = {from->strands,
                   from->vertices,
                   from->steps,
                   from->seconds,
                   from->max_stretch,
                   from->mean_stretch,
                   from->max_penetration,
                   from->penetrating_vertices,
                   from->nonfinite_vertices,
                   from->repaired_strand,
                   from->repaired_vertex};
        return 0;
    });
}
