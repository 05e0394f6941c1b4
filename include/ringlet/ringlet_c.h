// The simulation of ringlet/sim.h for C, and for languages that call C. Part of the library
// ringlet::sim. A complete program:
//
//     ringlet_hair* hair = ringlet_hair_create(xyz, counts, strand_count, NULL, NULL, 0, NULL);
//     if (!hair) return fail(ringlet_last_error());
//     while (running) {
//         if (ringlet_hair_step(hair, 1.0 / 60, NULL) != 0) return fail(ringlet_last_error());
//         ringlet_view view = ringlet_hair_positions(hair);
//     }
//     ringlet_hair_destroy(hair);
//
// Conventions that hold for this header:
// - Units are SI: metres, kilograms, seconds, radians. Right-handed coordinates, +Y up.
// - Functions that return int return 0 on success and 1 on failure; those that return a pointer
//   return NULL on failure. ringlet_last_error() then tells the cause and the remedy.
// - No function throws, prints or exits.
// - Calls on one object must not overlap; calls on different objects may.
// - Arrays that are passed in are copied. Passing NULL for an object is an error, except to the
//   functions that destroy.
#ifndef RINGLET_C_H
#define RINGLET_C_H

#include <stddef.h>
#include <stdint.h>

#include "ringlet/export.h"

#ifdef __cplusplus
extern "C" {
#endif

// Opaque objects. The caller destroys what it creates.
typedef struct ringlet_settings ringlet_settings;
typedef struct ringlet_hair ringlet_hair;

typedef struct ringlet_vec3 {
    float x, y, z;
} ringlet_vec3;

// A rigid motion: rotates by the quaternion w + xi + yj + zk, then translates (m).
typedef struct ringlet_pose {
    float x, y, z, w;
    ringlet_vec3 translation;
} ringlet_pose;

// The shape of a collider and how it moves; see SimCollider in ringlet/sim.h.
typedef enum ringlet_shape {
    RINGLET_SPHERE,
    RINGLET_CAPSULE,
    RINGLET_PLANE,
    RINGLET_ELLIPSOID,
    RINGLET_MESH
} ringlet_shape;
typedef enum ringlet_motion { RINGLET_FIXED, RINGLET_WITH_HEAD, RINGLET_POSED } ringlet_motion;

// A body that strands cannot enter. Start from ringlet_collider_default(). The members are those of
// SimCollider.
typedef struct ringlet_collider {
    ringlet_shape shape;
    ringlet_motion motion;
    ringlet_vec3 centre, end, normal, radii;
    float radius;
    float friction, static_friction, restitution;
    ringlet_pose pose;
    const float* mesh_positions;  // x, y, z of each vertex
    size_t mesh_vertex_count;
    const uint32_t* mesh_triangles;  // three indices per triangle
    size_t mesh_triangle_count;
    float thickness, cell;
    int deforms;  // 0 or 1; of a mesh: ringlet_hair_set_collider_vertices() changes its shape
    float room;
} ringlet_collider;

// How a simulation runs. Start from ringlet_options_default(). The members are those of SimOptions.
typedef struct ringlet_options {
    ringlet_pose head;
    uint32_t seed;
    int threads;
    int keep_previous;  // 0 or 1
    int max_steps;
    int use_gpu;  // 0: the CPU; 1: the first GPU
    // The surface that the strands grow on, if it deforms; see StrandArrays::head_mesh. Copied.
    const float* head_mesh_positions;  // x, y, z of each vertex; NULL: the head is rigid
    size_t head_mesh_vertex_count;
    const uint32_t* head_mesh_triangles;  // three indices per triangle
    size_t head_mesh_triangle_count;
    const float* widths;       // m, one per vertex, only stored; NULL: none. Copied.
    const float* rest_frames;  // StrandArrays::rest_frames, four per vertex; NULL: none. Copied.
    int level_of_detail;       // 0 or 1; allows ringlet_hair_set_active_strands()
    // The program's job system and allocator; see SimJobs and SimAllocator in ringlet/hooks.h. NULL
    // functions: the library's own.
    void (*parallel_for)(void* user, int count, void (*task)(void* context, int index),
                         void* context);
    int concurrency;
    void* (*allocate)(void* user, size_t bytes, size_t alignment);
    void (*release)(void* user, void* memory, size_t bytes);
    void* user;  // passed to all three
} ringlet_options;

// The outcome of ringlet_hair_step(); see SimStepped.
typedef struct ringlet_stepped {
    int steps;
    float interpolation;
    double dropped_seconds;
} ringlet_stepped;

// One vector per vertex, in the memory of the library. Valid until the object is destroyed; the
// values change with every step. Component c of vertex i of strand s is
// memory[offsets[s] + i * vertex_stride + c * component_stride]. All members are 0 if there is
// nothing to see.
typedef struct ringlet_view {
    const float* memory;
    size_t size;            // floats, padding included
    const size_t* offsets;  // per strand
    const int* counts;      // vertices per strand
    int strand_count;
    int vertex_stride, component_stride;  // floats
} ringlet_view;

// A local push; see SimPush.
typedef struct ringlet_push {
    ringlet_vec3 from, to;
    float radius;
    ringlet_vec3 acceleration;
} ringlet_push;

// Measurements; see SimReport.
typedef struct ringlet_report {
    int strands;
    int64_t vertices, steps;
    double seconds, max_stretch, mean_stretch, max_penetration;
    int64_t penetrating_vertices, nonfinite_vertices, repaired_strand, repaired_vertex;
} ringlet_report;

// The version of the library, such as "0.1.0". Never freed.
RINGLET_API const char* ringlet_version(void);
// The cause of the last failure on the calling thread, one line; "" if there was none. Valid until
// the next failure on this thread.
RINGLET_API const char* ringlet_last_error(void);

// The settings of a simulation and its wind, at their defaults. docs/scene_keys.md lists the keys
// that start with sim, hair_hair and wind.
RINGLET_API ringlet_settings* ringlet_settings_create(void);
RINGLET_API void ringlet_settings_destroy(ringlet_settings* settings);
// Set one entry by its key: "sim.rod.radius", "sim.hold_tips" (0 or 1), "sim.model", "sim.gravity".
// Fail without effect if the key is unknown or the value is out of range.
RINGLET_API int ringlet_settings_set_number(ringlet_settings* settings, const char* key,
                                            double value);
RINGLET_API int ringlet_settings_set_flag(ringlet_settings* settings, const char* key, int value);
RINGLET_API int ringlet_settings_set_word(ringlet_settings* settings, const char* key,
                                          const char* word);
RINGLET_API int ringlet_settings_set_vector(ringlet_settings* settings, const char* key,
                                            ringlet_vec3 value);

RINGLET_API ringlet_collider ringlet_collider_default(void);
RINGLET_API ringlet_options ringlet_options_default(void);

// Starts a simulation; see HairSim::create(). `positions` holds x, y, z of all vertices, strand
// after strand from root to tip; `counts` the number of vertices of each strand. `settings` and
// `options` may be NULL for the defaults; `colliders` may be NULL if there are none.
RINGLET_API ringlet_hair* ringlet_hair_create(const float* positions, const int* counts,
                                              int strand_count, const ringlet_settings* settings,
                                              const ringlet_collider* colliders, int collider_count,
                                              const ringlet_options* options);
RINGLET_API void ringlet_hair_destroy(ringlet_hair* hair);

// The functions of HairSim of the same names.
//
// Sets the pose of the head at the end of the next step: the head moves there evenly. A collider's
// index is that in the array of ringlet_hair_create(); its motion must be RINGLET_POSED.
RINGLET_API int ringlet_hair_set_head(ringlet_hair* hair, ringlet_pose pose);
RINGLET_API int ringlet_hair_set_collider_pose(ringlet_hair* hair, int collider, ringlet_pose pose);
// Set the shape of the head's mesh or of a collider that deforms, at the end of the next step: x,
// y, z of all vertices.
RINGLET_API int ringlet_hair_set_head_vertices(ringlet_hair* hair, const float* positions,
                                               size_t vertex_count);
RINGLET_API int ringlet_hair_set_collider_vertices(ringlet_hair* hair, int collider,
                                                   const float* positions, size_t vertex_count);
RINGLET_API int ringlet_hair_set_gravity(ringlet_hair* hair, ringlet_vec3 gravity);
// Uses the wind of the settings; ignores all other entries.
RINGLET_API int ringlet_hair_set_wind(ringlet_hair* hair, const ringlet_settings* settings);
// Pushes hair from the next step on; NULL ends the push.
RINGLET_API int ringlet_hair_set_push(ringlet_hair* hair, const ringlet_push* push);
// Simulates about `count` strands from the next step on; the others follow the head rigidly. Sets
// *active, unless it is NULL, to the number that is simulated.
RINGLET_API int ringlet_hair_set_active_strands(ringlet_hair* hair, int count, int* active);
// Advances by the caller's frame time (s) in whole steps and keeps the rest for the next call.
// `stepped` may be NULL. If memory or the GPU fails, the state is lost: only reset, load and
// destroy succeed then.
RINGLET_API int ringlet_hair_step(ringlet_hair* hair, double seconds, ringlet_stepped* stepped);
// Moves head and hair at once, without a whip; or back to the start, at rest.
RINGLET_API int ringlet_hair_teleport(ringlet_hair* hair, ringlet_pose head);
RINGLET_API int ringlet_hair_reset(ringlet_hair* hair);

// Returns the whole state in memory that the caller frees with ringlet_bytes_destroy(), and sets
// *size to its number of bytes.
RINGLET_API void* ringlet_hair_save(const ringlet_hair* hair, size_t* size);
RINGLET_API void ringlet_bytes_destroy(void* bytes);
// Fails without effect if the bytes belong to other strands, settings or colliders.
RINGLET_API int ringlet_hair_load(ringlet_hair* hair, const void* bytes, size_t size);

// The state after the last step, in world space; previous positions only with keep_previous.
RINGLET_API ringlet_view ringlet_hair_positions(const ringlet_hair* hair);           // m
RINGLET_API ringlet_view ringlet_hair_velocities(const ringlet_hair* hair);          // m/s
RINGLET_API ringlet_view ringlet_hair_previous_positions(const ringlet_hair* hair);  // m
// One number per vertex, with a component stride of 0; only if there were widths.
RINGLET_API ringlet_view ringlet_hair_widths(const ringlet_hair* hair);  // m
// The positions in the memory of the GPU: view->memory is a pointer of CUDA, valid until the next
// call of another function. Fails if the CPU simulates.
RINGLET_API int ringlet_hair_device_positions(const ringlet_hair* hair, ringlet_view* view);
// Writes 16 hexadecimal digits and a zero to `text`.
RINGLET_API int ringlet_hair_hash(const ringlet_hair* hair, char text[17]);
RINGLET_API int ringlet_hair_report(ringlet_hair* hair, ringlet_report* report);

#ifdef __cplusplus
}
#endif

#endif
