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

Result<void> check_mesh(const SimCollider& collider) {
    if (collider.mesh_positions.size() % 3 != 0 || collider.mesh_positions.empty())
        return Error{"mesh_positions: pass x, y and z of each vertex"};
    if (collider.mesh_triangles.size() % 3 != 0 || collider.mesh_triangles.empty())
        return Error{"mesh_triangles: pass three indices per triangle"};
    const std::size_t count = collider.mesh_positions.size() / 3;
    for (std::size_t k = 0; k < collider.mesh_triangles.size(); ++k)
        if (collider.mesh_triangles[k] >= count)
            return Error{at("mesh_triangles", k) + " is " +
                         std::to_string(collider.mesh_triangles[k]) + ", but the mesh has " +
                         std::to_string(count) + " vertices"};
    return {};
}

}  // namespace

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
        if (!(std::abs(strands.positions[k]) <= kFarthest))
            return Error{at("positions", k) +
                         " is not a coordinate in metres within 10 km of the origin"};
    return {};
}

Result<void> check_options(const SimOptions& options) {
    if (options.threads < 0) return Error{"SimOptions::threads must not be negative"};
    if (options.max_steps < 1) return Error{"SimOptions::max_steps must be at least 1"};
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
    return collider.shape == SimShape::mesh ? check_mesh(collider) : Result<void>{};
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
