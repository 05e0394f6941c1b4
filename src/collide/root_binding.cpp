#include "collide/root_binding.h"

#include "geom/bvh.h"
#include "math/elementary.h"

namespace ringlet {

namespace {

using Corners = RootBinding::Corners;

Vec3f normal_of(const Corners& at) {
    return unit_or(cross(at.b - at.a, at.c - at.a), Vec3f{0, 1, 0});
}

// The rotation that best maps a triangle to its present shape: it aligns the normals, then rotates
// about the normal by the angle that best fits the corners (Kabsch in the plane). The result does
// not depend on which side of the triangle a stretch or shear acts along.
Quatf rotation_of(const Corners& rest, const Corners& now) {
    const Vec3f normal = normal_of(now);
    const Quatf tilt = quat_between(normal_of(rest), normal);
    const float third = 1.0f / 3;
    const Vec3f from = (rest.a + rest.b + rest.c) * third, to = (now.a + now.b + now.c) * third;
    float along = 0, across = 0;
    const auto add = [&](Vec3f was, Vec3f is) {
        const Vec3f p = rotate(tilt, was - from), q = is - to;
        along += dot(p, q);
        across += dot(cross(p, q), normal);
    };
    add(rest.a, now.a);
    add(rest.b, now.b);
    add(rest.c, now.c);
    return normalise(quat_from_axis_angle(normal, atan2(across, along)) * tilt);
}

Mesh mesh_at_rest(const MeshSequence& sequence) {
    Mesh out;
    out.positions = sequence.rest;
    out.indices = sequence.indices;
    out.uvs.resize(sequence.rest.size());
    compute_smooth_normals(out);
    return out;
}

}  // namespace

Corners RootBinding::corners_of(const Binding& at, const std::vector<Vec3f>& positions) {
    return {positions[at.corner[0]], positions[at.corner[1]], positions[at.corner[2]]};
}

Vec3f RootBinding::point_of(const Binding& at, const Corners& corners) {
    return corners.a * at.weight[0] + corners.b * at.weight[1] + corners.c * at.weight[2];
}

RootBinding::RootBinding(const MeshSequence& mesh, std::span<const Vec3f> roots) : mesh_(&mesh) {
    const Bvh bvh(mesh_at_rest(mesh));
    for (const Vec3f& root : roots) {
        const ClosestPoint at = bvh.closest(root, 1e6f);
        if (at.triangle < 0) {  // the mesh has no triangles
            bindings_.clear();
            return;
        }
        Binding binding{};
        for (std::size_t k = 0; k < 3; ++k) {
            binding.weight[k] = at.weight[k];
            binding.corner[k] = mesh.indices[static_cast<std::size_t>(at.triangle) * 3 + k];
        }
        binding.rest = corners_of(binding, mesh.rest);
        bindings_.push_back(binding);
    }
}

std::vector<Rigidf> RootBinding::motions_at(double time, const TaskPool& pool) const {
    std::vector<Vec3f> now;
    mesh_->positions_at(time, now);
    return motions_to(now, pool);
}

std::vector<Rigidf> RootBinding::motions_to(const std::vector<Vec3f>& positions,
                                            const TaskPool& pool) const {
    std::vector<Rigidf> out(bindings_.size());
    pool.for_each(static_cast<int>(bindings_.size()), [&](int s) {
        const Binding& at = bindings_[static_cast<std::size_t>(s)];
        const Corners moved = corners_of(at, positions);
        const Quatf rotation = rotation_of(at.rest, moved);
        out[static_cast<std::size_t>(s)] = {
            rotation, point_of(at, moved) - rotate(rotation, point_of(at, at.rest))};
    });
    return out;
}

}  // namespace ringlet
