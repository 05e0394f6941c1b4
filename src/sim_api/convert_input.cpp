#include "sim_api/convert_input.h"

#include "collide/deforming_body.h"
#include "sim_api/check_input.h"
#include "strand/even_order.h"

namespace ringlet {

StrandSet to_strand_set(const StrandArrays& strands, bool in_even_order) {
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
    if (in_even_order) {
        // The layout sorts by position. Positions on a line in the even order give that order.
        const std::vector<std::int32_t> places = even_order(roots);
        for (std::size_t s = 0; s < roots.size(); ++s)
            roots[s] = {static_cast<float>(places[s]), 0, 0};
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

Channel<4> to_frames(std::span<const float> from, const LayoutRef& layout) {
    if (from.empty()) return {};
    Channel<4> out(layout);
    const float* at = from.data();
    for (int s = 0; s < layout->strand_count(); ++s)
        for (int i = 0; i < layout->vertex_count(s); ++i, at += 4)
            out.set_quat(s, i, normalise(Quatf{at[0], at[1], at[2], at[3]}));
    return out;
}

Mesh to_mesh(const SimMesh& from) {
    Mesh out;
    out.positions.resize(from.positions.size() / 3);
    copy_positions(from.positions, out.positions);
    out.indices.assign(from.triangles.begin(), from.triangles.end());
    compute_smooth_normals(out);
    return out;
}

void copy_positions(std::span<const float> from, std::span<Vec3f> to) {
    for (std::size_t k = 0; k < to.size(); ++k)
        to[k] = {from[3 * k], from[3 * k + 1], from[3 * k + 2]};
}

namespace {

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

// By default, the shapes of a deforming mesh may exceed its first one by this share of its size.
constexpr float kUsualRoom = 0.25f;

Bounds room_of(const SimCollider& from, const Mesh& mesh) {
    Bounds out = bounds_of(mesh);
    const Vec3f size = out.high - out.low;
    const float room = from.room > 0 ? from.room : kUsualRoom * max(max(size.x, size.y), size.z);
    out.low = out.low - Vec3f{room, room, room};
    out.high += Vec3f{room, room, room};
    return out;
}

Result<void> add_body(const SimCollider& from, Collider& out, const TaskPool& pool) {
    Mesh mesh = to_mesh({from.mesh_positions, from.mesh_triangles});
    MeshBodySettings settings{.cell = from.cell, .thickness = from.thickness};
    if (from.deforms) {
        out.shapes = std::make_shared<const MeshSequence>();
        settings.samples = DeformingBody::kUsualSamples;
        settings.room = room_of(from, mesh);
    }
    Result<std::shared_ptr<const MeshBody>> body = MeshBody::make(std::move(mesh), settings, pool);
    if (!body) return body.error();
    out.body = *body;
    return {};
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
    if (const Result<void> done = add_body(from, out, pool); !done) return done.error();
    return out;
}

}  // namespace

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

}  // namespace ringlet
