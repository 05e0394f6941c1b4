#include "sim_api/check_input.h"

#include <cmath>
#include <limits>

#include "math/quat.h"

namespace ringlet {

namespace {

// Coordinates beyond this (m) lose millimetres in a float.
constexpr float kFarthest = 1e4f;
constexpr std::int64_t kMostVertices = std::numeric_limits<std::int32_t>::max() / 32;

bool is_finite(Vec3f a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

std::string at(const char* what, std::size_t index) {
    return std::string(what) + "[" + std::to_string(index) + "]";
}

// Whether a coordinate is finite and near enough for a float.
bool is_coordinate(float a) { return std::abs(a) <= kFarthest; }

// `vertices` quaternions, or none.
Result<void> check_frames(std::span<const float> frames, std::int64_t vertices) {
    if (!frames.empty() && frames.size() != 4 * static_cast<std::size_t>(vertices))
        return Error{"rest_frames: " + std::to_string(frames.size()) + " numbers, but there are " +
                     std::to_string(vertices) + " vertices with x, y, z, w each"};
    for (std::size_t k = 0; k < frames.size(); k += 4) {
        float square = 0;
        for (const float a : frames.subspan(k, 4)) square += a * a;
        if (!std::isfinite(square) || square < kTiny)
            return Error{"rest_frames: numbers " + std::to_string(k) + " to " +
                         std::to_string(k + 3) + " are not a quaternion"};
    }
    return {};
}

constexpr const char* kNoCoordinate = " is not a coordinate in metres within 10 km of the origin";

}  // namespace

Result<void> check_mesh(const SimMesh& mesh, const char* positions, const char* triangles) {
    if (mesh.positions.size() % 3 != 0 || mesh.positions.empty())
        return Error{std::string(positions) + ": pass x, y and z of each vertex"};
    if (mesh.triangles.size() % 3 != 0 || mesh.triangles.empty())
        return Error{std::string(triangles) + ": pass three indices per triangle"};
    const std::size_t count = mesh.positions.size() / 3;
    for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
        if (mesh.triangles[k] >= count)
            return Error{at(triangles, k) + " is " + std::to_string(mesh.triangles[k]) +
                         ", but the mesh has " + std::to_string(count) + " vertices"};
    for (std::size_t k = 0; k < mesh.positions.size(); ++k)
        if (!is_coordinate(mesh.positions[k])) return Error{at(positions, k) + kNoCoordinate};
    return {};
}

Result<void> check_strands(const StrandArrays& strands) {
    std::int64_t total = 0;
    for (std::size_t k = 0; k < strands.vertex_counts.size(); ++k) {
        if (strands.vertex_counts[k] < 1)
            return Error{at("vertex_counts", k) + " is " +
                         std::to_string(strands.vertex_counts[k]) +
                         "; a strand has at least its root"};
        total += strands.vertex_counts[k];
        if (total > kMostVertices)
            return Error{"vertex_counts: more than " + std::to_string(kMostVertices) +
                         " vertices; use several objects"};
    }
    if (strands.positions.size() != static_cast<std::size_t>(total) * 3)
        return Error{"positions: " + std::to_string(strands.positions.size()) +
                     " numbers, but vertex_counts needs " + std::to_string(total * 3)};
    for (std::size_t k = 0; k < strands.positions.size(); ++k)
        if (!is_coordinate(strands.positions[k])) return Error{at("positions", k) + kNoCoordinate};
    if (!strands.widths.empty() && strands.widths.size() != static_cast<std::size_t>(total))
        return Error{"widths: " + std::to_string(strands.widths.size()) +
                     " numbers, but there are " + std::to_string(total) + " vertices"};
    for (std::size_t k = 0; k < strands.widths.size(); ++k)
        if (!(strands.widths[k] >= 0 && std::isfinite(strands.widths[k])))
            return Error{at("widths", k) + " is not a width in metres"};
    if (const Result<void> fine = check_frames(strands.rest_frames, total); !fine) return fine;
    if (strands.head_mesh.empty()) return {};
    return check_mesh(strands.head_mesh, "head_mesh.positions", "head_mesh.triangles");
}

Result<void> check_vertices(std::span<const float> positions, std::size_t count, const char* what) {
    if (positions.size() != 3 * count)
        return Error{std::string(what) + ": " + std::to_string(positions.size()) +
                     " numbers, but its mesh needs " + std::to_string(3 * count)};
    for (std::size_t k = 0; k < positions.size(); ++k)
        if (!is_coordinate(positions[k]))
            return Error{std::string(what) + ": " + at("positions", k) + kNoCoordinate};
    return {};
}

Result<void> check_options(const SimOptions& options) {
    if (options.threads < 0) return Error{"SimOptions::threads must not be negative"};
    if (options.max_steps < 1) return Error{"SimOptions::max_steps must be at least 1"};
    if (options.level_of_detail && options.backend == Backend::cuda)
        return Error{"SimOptions::level_of_detail: only the CPU can simulate fewer strands"};
    if (options.jobs.parallel_for && options.jobs.concurrency < 1)
        return Error{"SimJobs::concurrency must be at least 1"};
    if ((options.allocator.allocate == nullptr) != (options.allocator.release == nullptr))
        return Error{"SimAllocator: set both functions or none"};
    return check_pose(options.head, "SimOptions::head");
}

Result<void> check_collider(const SimCollider& collider) {
    for (const Vec3f point : {collider.centre, collider.end, collider.normal, collider.radii})
        if (!is_finite(point)) return Error{"a coordinate is not finite"};
    if (!(collider.radius >= 0)) return Error{"radius must not be negative"};
    if (!(collider.friction >= 0 && collider.static_friction >= 0))
        return Error{"friction must not be negative"};
    if (!(collider.restitution >= 0 && collider.restitution <= 1))
        return Error{"restitution must be between 0 and 1"};
    if (collider.shape == SimShape::plane && norm(collider.normal) < kTiny)
        return Error{"normal: the vector of a plane must not be zero"};
    if (!(collider.thickness >= 0 && collider.cell >= 0))
        return Error{"thickness and cell must not be negative"};
    if (const Result<void> fine = check_pose(collider.pose, "pose"); !fine) return fine;
    if (!(collider.room >= 0)) return Error{"room must not be negative"};
    if (collider.shape == SimShape::mesh)
        return check_mesh({collider.mesh_positions, collider.mesh_triangles}, "mesh_positions",
                          "mesh_triangles");
    return collider.deforms ? Error{"only a mesh can deform"} : Result<void>{};
}

Result<void> check_pose(const Rigidf& pose, const char* what) {
    const Quatf q = pose.rotation;
    const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!std::isfinite(square) || square < kTiny)
        return Error{std::string(what) + ": the rotation is not a quaternion"};
    return check_vector(pose.translation, what);
}

Result<void> check_vector(Vec3f vector, const char* what) {
    if (is_finite(vector)) return {};
    return Error{std::string(what) + ": a number is not finite"};
}

Rigidf with_unit_rotation(const Rigidf& pose) {
    const Quatf q = pose.rotation;
    // A rotation that has length 1 keeps its bits.
    const float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square == 1 ? pose : Rigidf{normalise(q), pose.translation};
}

}  // namespace ringlet
