// Simulates strands from the caller's own arrays: the library ringlet::sim, which reads no files
// and draws nothing. A complete program:
//
//     #include <ringlet/sim.h>
//
//     const float xyz[] = {0, 1, 0,  0, 0.9f, 0,  0, 0.8f, 0};  // one strand, root first
//     const int counts[] = {3};                                 // vertices of each strand
//     auto hair = ringlet::HairSim::create({xyz, counts}, {});
//     if (!hair) return fail(hair.error().text());
//     for (;;) {
//         hair->set_head(head_pose());                  // at the end of this frame
//         if (auto done = hair->step(frame_seconds()); !done) return fail(done.error().text());
//         draw(hair->positions());                      // the library's own memory, not a copy
//     }
//
// Conventions that hold for this header:
// - Units are SI: metres, kilograms, seconds, radians. Right-handed coordinates, +Y up.
// - No function throws, prints or exits. Every failure, lack of memory included, is returned as
//   Result<T>, and leaves the object as it was unless the function says otherwise.
// - A HairSim is not thread-safe: calls on one object must not overlap. Calls on different objects
//   may. Each object uses worker threads of its own.
// - Results are bit-identical for any number of threads and any instruction set.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringlet/backend.h"
#include "ringlet/export.h"
#include "ringlet/hooks.h"
#include "ringlet/result.h"
#include "ringlet/settings.h"
#include "ringlet/vectors.h"
#include "ringlet/warning.h"

namespace ringlet {

// The models, by the number that SimSettings::model holds. model_name() returns a text that is
// never freed, or "" for a number out of range; model_named() returns an Error that lists the
// models. Thread-safe.
RINGLET_API int model_count();
RINGLET_API const char* model_name(int model);
RINGLET_API Result<int> model_named(std::string_view name);

// The settings of a scene file that says nothing: the rod with two substeps. SimSettings{} is the
// model pbd with eight. Thread-safe. Cannot fail.
RINGLET_API SimSettings scene_defaults();

// A triangle mesh in the caller's arrays. HairSim::create() copies them.
struct SimMesh {
    std::span<const float> positions{};          // x, y, z of each vertex in metres
    std::span<const std::uint32_t> triangles{};  // three indices of vertices per triangle

    bool empty() const { return positions.empty() && triangles.empty(); }
};

// The strands to simulate, at rest, in the head's own frame. HairSim::create() copies the arrays.
struct StrandArrays {
    // x, y, z of every vertex in metres: strand after strand, from root to tip.
    std::span<const float> positions;
    // The number of vertices of each strand, root included; at least 1.
    std::span<const int> vertex_counts;
    // The surface that the strands grow on, at rest in the head's frame. Needed only if it deforms:
    // each root is then bound to the closest triangle, and HairSim::set_head_vertices() moves it.
    SimMesh head_mesh{};
    // The width of the strand (m) at every vertex, in the order of the positions; empty: none. Only
    // stored, for HairSim::widths(): the models take their thickness from SimSettings.
    std::span<const float> widths{};
    // The orientation of the cross section at rest, in the head's frame: a quaternion x, y, z, w
    // per vertex, in the order of the positions, of the segment towards the next vertex; that of a
    // tip is ignored. Its third axis lies along the segment: the smallest rotation that aligns it
    // is added. Its first axis is the wide one of RodSettings::aspect_ratio. Has an effect only on
    // the rod with an aspect ratio below 1, and replaces RodSettings::section_angle. Quaternions
    // need not have length 1. Empty: derived from the curl of each strand.
    std::span<const float> rest_frames{};
};

// The shape of a collider.
enum class SimShape { sphere, capsule, plane, ellipsoid, mesh };

// How a collider moves. fixed: not at all. with_head: rigidly with the head. posed: as
// HairSim::set_collider_pose() says.
enum class SimMotion { fixed, with_head, posed };

// A body that strands cannot enter. Its points are in the frame of the world (fixed), of the head
// (with_head), or of its own pose (posed). HairSim::create() copies it with its arrays.
struct SimCollider {
    SimShape shape = SimShape::sphere;
    SimMotion motion = SimMotion::fixed;
    Vec3f centre{0, 0, 0};  // m, of a sphere or ellipsoid; one end of a capsule; a point of a plane
    Vec3f end{0, 0, 0};     // m, the other end of a capsule
    Vec3f normal{0, 1, 0};  // of a plane, towards the side where hair may be
    float radius = 0.1f;    // m, of a sphere or capsule
    Vec3f radii{0.1f, 0.1f, 0.1f};  // m, of an ellipsoid, along x, y and z
    float friction = 0.3f;          // Coulomb coefficient of sliding friction
    float static_friction = 0;      // Coulomb coefficient of static friction; at least `friction`
    float restitution = 0;          // 0 does not bounce, 1 keeps the speed
    Rigidf pose{};                  // of a posed collider at the start

    // A mesh: x, y, z of its vertices (m), and three indices per triangle. A closed mesh is
    // solid. An open one needs a thickness.
    std::span<const float> mesh_positions{};
    std::span<const std::uint32_t> mesh_triangles{};
    float thickness = 0;  // m, of a sheet; 0: the mesh is solid
    float cell = 0;       // m, of the grid of distances; 0: chosen from the size of the mesh
    // True: HairSim::set_collider_vertices() changes the shape of the mesh, in the frame in which
    // its points are. The pose of a posed collider applies in addition: prefer it for large
    // motions, because the grid of distances covers the room of all shapes.
    bool deforms = false;
    // m, by which later shapes may exceed the bounds of mesh_positions on each side; 0: a quarter
    // of the longest side.
    float room = 0;
};

// How a HairSim runs. A plain value.
struct SimOptions {
    Rigidf head{};                   // pose of the head at the start
    Wind wind{};                     // see HairSim::set_wind()
    std::uint32_t seed = 1;          // of random variations between strands
    int threads = 0;                 // number of worker threads; 0: all of the machine's
    Lanes lanes = Lanes::automatic;  // usually automatic
    Backend backend = Backend::cpu;  // cuda: the first GPU
    // True keeps the positions before the last step (24 bytes per vertex), so that a renderer can
    // interpolate. See HairSim::previous_positions().
    bool keep_previous = false;
    // The most steps of one HairSim::step(). A longer frame time is cut off, so that a slow frame
    // does not make the next one slower.
    int max_steps = 16;
    // Called between the steps of one HairSim::step(), on its thread. Return true to end it: the
    // time that is left counts as SimStepped::dropped_seconds. Must not throw. May be empty.
    std::function<bool()> stop_requested{};
    // True allows HairSim::set_active_strands(). The memory of neighbouring strands is then spread,
    // which makes steps slower where many colliders or hair-hair coupling read by position.
    bool level_of_detail = false;
    SimJobs jobs{};            // replaces `threads` if it has a function
    SimAllocator allocator{};  // replaces the C library's allocator if it has functions
};

// A local push of hair, for example by a hand: full acceleration on the axis between two points,
// falling to zero at the distance `radius`. In world space.
struct SimPush {
    Vec3f from{0, 0, 0}, to{0, 0, 0};  // m
    float radius = 0.05f;              // m
    Vec3f acceleration{0, 0, 0};       // m/s^2
};

// The outcome of HairSim::step().
struct SimStepped {
    int steps = 0;  // number of steps of length SimSettings::dt that were taken; may be 0
    // The fraction of a step, from 0 to 1, by which the caller's time is ahead of the last step.
    // Draw previous + (current - previous) * interpolation: motion is then smooth at any frame
    // rate, one step late.
    float interpolation = 0;
    // Frame time that SimOptions::max_steps or stop_requested cut off.
    double dropped_seconds = 0;
};

// The vectors of one strand, in the memory of the library: x of the root, then x of the other
// vertices every kVertexStride floats; y and z are kComponentStride and 2 * kComponentStride floats
// behind x.
struct StrandVectors {
    static constexpr std::ptrdiff_t kVertexStride = 24, kComponentStride = 8;

    const float* first = nullptr;  // not owned
    int count = 0;                 // number of vertices

    // Precondition: 0 <= vertex < count.
    Vec3f operator[](int vertex) const {
        const float* const at = first + vertex * kVertexStride;
        return {at[0], at[kComponentStride], at[2 * kComponentStride]};
    }
};

// The unit tangent at a vertex of a strand, towards the tip: of the segments before and after it
// together. Zero if these have no length. Preconditions: the vectors are positions, and
// 0 <= vertex < count.
inline Vec3f tangent_at(const StrandVectors& positions, int vertex) {
    const Vec3f a = positions[vertex > 0 ? vertex - 1 : 0];
    const Vec3f b = positions[vertex + 1 < positions.count ? vertex + 1 : vertex];
    const Vec3f d{b.x - a.x, b.y - a.y, b.z - a.z};
    const float length = std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    const float by = length > 0 ? 1 / length : 0;
    return {d.x * by, d.y * by, d.z * by};
}

// One vector per vertex of all strands, in the memory of the library. Nothing is copied. The
// pointers stay the same until the HairSim is destroyed; the values change with every step. A copy
// of a view refers to the same memory.
class VectorView {
public:
    VectorView() = default;
    VectorView(std::span<const float> values, std::span<const std::size_t> first,
               std::span<const int> counts)
        : values_(values), first_(first), counts_(counts) {}

    // In the order of StrandArrays. Precondition of operator[]: 0 <= strand < strand_count().
    int strand_count() const { return static_cast<int>(counts_.size()); }
    StrandVectors operator[](int strand) const {
        const auto at = static_cast<std::size_t>(strand);
        return {values_.data() + first_[at], counts_[at]};
    }
    // The whole memory, padding included, to be copied to a GPU in one piece. Strands are not in
    // order: offsets()[strand] is the index of the x of a strand's root. Offsets never change.
    std::span<const float> memory() const { return values_; }
    std::span<const std::size_t> offsets() const { return first_; }
    // The number of vertices of each strand.
    std::span<const int> counts() const { return counts_; }

private:
    std::span<const float> values_;
    std::span<const std::size_t> first_;
    std::span<const int> counts_;
};

// One number per vertex of all strands, in the memory of the library: that of a strand's vertex i
// is memory()[offsets()[strand] + 8 * i]. Otherwise as VectorView.
class NumberView {
public:
    static constexpr std::ptrdiff_t kVertexStride = 8;

    NumberView() = default;
    NumberView(std::span<const float> values, std::span<const std::size_t> first,
               std::span<const int> counts)
        : values_(values), first_(first), counts_(counts) {}

    bool empty() const { return values_.empty(); }
    int strand_count() const { return static_cast<int>(counts_.size()); }
    // Precondition: the strand has this vertex.
    float at(int strand, int vertex) const {
        return values_[first_[static_cast<std::size_t>(strand)] +
                       static_cast<std::size_t>(kVertexStride * vertex)];
    }
    std::span<const float> memory() const { return values_; }
    std::span<const std::size_t> offsets() const { return first_; }
    std::span<const int> counts() const { return counts_; }

private:
    std::span<const float> values_;
    std::span<const std::size_t> first_;
    std::span<const int> counts_;
};

// One vector per vertex in the memory of a GPU, with its own order of strands: component c of
// vertex i of strand s is the float memory[offsets[s] + i * vertex_stride + c * component_stride].
struct DeviceVectors {
    const void* memory = nullptr;  // a pointer of CUDA, not owned
    std::size_t size = 0;          // floats, padding included
    std::span<const std::size_t> offsets{};
    std::span<const int> counts{};
    std::ptrdiff_t vertex_stride = 0, component_stride = 0;  // floats
    int device = 0;                                          // the number of the GPU in CUDA
};

// Measurements of the current state, and what happened since the start or the last reset(). A plain
// value. Stretch is |length - rest length| / rest length of a segment.
struct SimReport {
    std::string model;  // "rod"
    int strands = 0;
    std::int64_t vertices = 0;
    std::int64_t steps = 0;                 // since the start
    double seconds = 0;                     // simulated time
    double max_stretch = 0;                 // now, of all segments
    double mean_stretch = 0;                // now
    double max_penetration = 0;             // m, now: depth of a vertex below a collider's surface
    std::int64_t penetrating_vertices = 0;  // now
    std::int64_t nonfinite_vertices = 0;    // now: NaN or infinite coordinates
    // The first strand, and its vertex, whose non-finite state was replaced by a finite one since
    // the start; -1: none. The simulation continues after a repair.
    std::int64_t repaired_strand = -1, repaired_vertex = -1;
    // Since the start, summed over steps; on a GPU, over reports.
    std::int64_t strain_limited_strands = 0;
    std::size_t bytes = 0;  // memory of all per-vertex data
    // Bytes copied between the host and a GPU since the last report, without those of reports.
    std::int64_t transferred_bytes = 0;
    std::vector<Warning> warnings;  // one for each problem above, with a remedy
};

// Strands that are being simulated.
//
// Movable, not copyable. Owns everything it uses, including GPU memory. A moved-from object may
// only be destroyed or assigned to.
class RINGLET_API HairSim {
public:
    // Places the strands on the head at SimOptions::head, at rest. Nothing refers to an argument
    // afterwards. Returns an Error that names the entry at fault if an array, a setting or a
    // collider is invalid, if the backend is unavailable, or if memory runs out.
    static Result<HairSim> create(const StrandArrays& strands, const SimSettings& settings,
                                  std::span<const SimCollider> colliders = {},
                                  const SimOptions& options = {});
    ~HairSim();
    HairSim(HairSim&&) noexcept;
    HairSim& operator=(HairSim&&) noexcept;

    // Sets the pose of the head at the end of the next step(). Between two calls of step() the head
    // moves evenly from the old pose to the new one, in all steps and substeps. Returns an Error if
    // a number is not finite; a rotation need not have length 1.
    Result<void> set_head(const Rigidf& pose);
    // The same for a posed collider, by its index in create()'s list.
    Result<void> set_collider_pose(int collider, const Rigidf& pose);
    // The same for the shape of the head's mesh: x, y, z of all vertices of StrandArrays::head_mesh
    // in the frame of the head, to which set_head() adds its pose. Each vertex moves on a straight
    // line, and each root moves and turns with its triangle. Returns an Error without effect if
    // there is no such mesh, the count differs, or a number is not finite.
    Result<void> set_head_vertices(std::span<const float> positions);
    // The same for a collider that deforms, by its index in create()'s list; its distances are
    // measured once per step. Also fails if a vertex leaves the room (SimCollider::room).
    Result<void> set_collider_vertices(int collider, std::span<const float> positions);
    // Take effect at the next step. Wind::shelter has an effect only if create() had a wind with
    // shelter, or SimSettings::hair_hair a strength.
    Result<void> set_gravity(Vec3f gravity);
    Result<void> set_wind(const Wind& wind);
    // Pushes hair from the next step on; nullopt ends the push.
    Result<void> set_push(const std::optional<SimPush>& push);

    // Simulates about this many strands from the next step on: whole blocks of eight, at least one,
    // chosen in a fixed order that is even over the head. The others keep their shape and follow
    // the skin under their roots rigidly, at a fraction of the cost; they resume without a whip.
    // Without hair-hair coupling, those that stay active compute the same bits. Returns the number
    // of active strands, or an Error unless SimOptions::level_of_detail is set and the CPU
    // simulates.
    Result<int> set_active_strands(int count);
    int active_strand_count() const;
    // Precondition: 0 <= strand < strand_count().
    bool is_active(int strand) const;

    // Advances by the caller's frame time (s): takes as many whole steps of SimSettings::dt as fit
    // into the time that has passed, and keeps the rest for the next call. A frame time within a
    // millionth of a multiple of dt counts as that multiple. Non-finite states are repaired and
    // counted in the report.
    //
    // Fails without effect if `seconds` is negative or not finite. If memory or the GPU fails, the
    // state is lost: all functions but reset(), load() and the destructor then return the same
    // Error, and views refer to unspecified values.
    Result<SimStepped> step(double seconds);

    // Moves head and hair to a new pose at once: the hair keeps its shape and its velocity relative
    // to the head, and does not whip. Poses and vertices that were set since the last step also
    // take effect at once, and the hair moves with its roots.
    Result<void> teleport(const Rigidf& head);

    // Returns to time 0: the strands are at rest on the head where it is now.
    Result<void> reset();

    // Returns the whole state as bytes: load() and the same steps afterwards give the same bits. It
    // contains no settings, gravity, wind or push: these belong to the caller. The bytes are valid
    // for this version of Ringlet, the same backend and machines of the same byte order.
    Result<std::vector<std::byte>> save() const;
    // Restores a state that save() of an object with the same strands, settings and colliders
    // returned. Returns an Error without effect if the bytes do not fit this object. Views stay
    // valid.
    Result<void> load(std::span<const std::byte> state);

    // The state after the last step, in world space. On a GPU, the first call after a step copies
    // from it. Empty views if the state is lost.
    VectorView positions() const;   // m
    VectorView velocities() const;  // m/s
    // The positions before the last step; those of now before the first step. An empty view unless
    // SimOptions::keep_previous is set.
    VectorView previous_positions() const;
    // StrandArrays::widths, in the order of the other views; empty if there were none.
    NumberView widths() const;

    // Where positions() and velocities() keep the strands, without a copy from a GPU: the number of
    // floats of VectorView::memory(), and VectorView::offsets().
    std::size_t memory_size() const;
    std::span<const std::size_t> offsets() const;
    std::span<const int> vertex_counts() const;

    // The state in the memory of the GPU, without a copy. Valid until the next call of another
    // function; complete when step() returns. An Error if the CPU simulates.
    Result<DeviceVectors> device_positions() const;   // m
    Result<DeviceVectors> device_velocities() const;  // m/s
    // Copies the positions on the GPU into an OpenGL buffer: attach a buffer of the context that is
    // current on this thread, of at least 4 * memory_size() bytes, on the same GPU; write after
    // each step; detach before the buffer is deleted, with its context current. The buffer has the
    // order of VectorView::memory(), and later OpenGL commands wait for the copy. One buffer at a
    // time. An Error if the CPU simulates, or the driver refuses.
    Result<void> attach_gl_buffer(unsigned buffer);
    Result<void> write_gl_buffer();
    void detach_gl_buffer();

    int strand_count() const;
    // Simulated time (s) after the last step.
    double time() const;
    // Identifies positions and velocities by 16 hexadecimal digits. Equal for equal inputs,
    // whatever the number of threads, the lanes or the backend.
    Result<std::string> hash() const;
    // Measures the current state.
    Result<SimReport> report();

private:
    struct Impl;
    explicit HairSim(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace ringlet
