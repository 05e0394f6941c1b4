// Bodies that hair cannot enter: what a scene says of them, and where they are in a substep.
#pragma once

#include <memory>

#include "collide/ellipsoid.h"
#include "collide/sequence_files.h"
#include "math/quat.h"

namespace ringlet {

class MeshBody;
struct MeshSequence;

enum class ColliderShape { sphere, capsule, plane, ellipsoid, mesh };

// Where the surface of a mesh comes from; whoever can read files makes a MeshBody of it.
struct ColliderMesh {
    std::string file;          // OBJ; empty: the mesh hair grows on
    std::string group;         // only this material or group of it; empty: all
    float scale = 1;           // m per unit of the file
    float cell = 0;            // m, of its distance grid; 0: chosen
    float thickness = 0;       // m, of a sheet; 0: it is solid
    SequenceFiles sequence{};  // of its shapes, in units of the file
    std::string scene;         // where the collider was read, for errors
    int line = 0;
};

struct Collider {
    ColliderShape shape = ColliderShape::sphere;
    // m; of a sphere or ellipsoid, one end of a capsule's axis, a point of a plane, a mesh's origin
    Vec3f centre{0, 0, 0};
    Vec3f end{0, 0, 0};             // m; the other end of a capsule's axis
    Vec3f normal{0, 1, 0};          // of a plane, pointing to where hair may be
    float radius = 0.1f;            // m
    float friction = 0.3f;          // Coulomb coefficient of what slides
    float static_friction = 0;      // of what rests; where it is less, friction holds
    float restitution = 0;          // 0 does not bounce, 1 keeps its speed
    bool attached = true;           // moves with the head
    Vec3f radii{0.1f, 0.1f, 0.1f};  // m, of an ellipsoid
    Vec3f rotate_degrees{0, 0, 0};  // of an ellipsoid or mesh, about x, then y, then z
    ColliderMesh mesh{};
    std::shared_ptr<const MeshBody> body{};  // of a mesh; without it, nothing is there
    // In which it changes its shape, in the body's own frame; null: it stays as it is.
    std::shared_ptr<const MeshSequence> shapes{};
};

// A body's rigid motion once more, for rough estimates: from a place at the start of the substep to
// the body's own frame at its end, and how far the body takes it along at most.
struct MotionBound {
    Vec3f origin;                  // m, of the body's frame at the start of the substep
    Vec3f x, y, z;                 // in the body's frame, of the world's axes
    float moved, moved_per_metre;  // m, of the origin, and more for each metre away from it

    template <class F>
    RINGLET_KERNEL Vec3<F> to_body(Vec3<F> from_origin) const {
        return splat<F>(x) * from_origin.x + splat<F>(y) * from_origin.y +
               splat<F>(z) * from_origin.z;
    }
    template <class F>
    RINGLET_KERNEL F max_displacement(F away) const {
        return F(moved) + away * F(moved_per_metre);
    }
};

// A collider in one substep: placed as at its end, with the motion that brought it there.
struct PlacedCollider {
    ColliderShape shape;
    // Ends of the axis (equal for a sphere); a point and the unit normal of a plane; centre and
    // radii of an ellipsoid.
    Vec3f a, b;
    float radius;
    float friction, static_friction, restitution;
    Rigidf motion;  // takes a material point from its place at the start of the substep to its end
    Rigidf pose;    // of an ellipsoid or mesh: from its own frame to the world's
    DistanceGrid grid;  // of a mesh; borrowed from its MeshBody
    MotionBound motion_bound;
};

// `from` and `to` are the head's pose at the start and end of the substep.
PlacedCollider place(const Collider& collider, const Rigidf& from, const Rigidf& to);

// Where the body takes a material point at x in the substep: with its rigid motion, and with the
// surface nearest to it where the body changes its shape.
template <class F>
RINGLET_KERNEL Vec3<F> moved_with(const PlacedCollider& body, Vec3<F> x) {
    const Vec3<F> rigid = apply(splat_rigid<F>(body.motion), x);
    if (!body.grid.moves) return rigid;
    const Rigid<F> pose = splat_rigid<F>(body.pose);
    const Vec3<F> own = rotate(conjugate(pose.rotation), rigid - pose.translation);
    return rigid + rotate(pose.rotation, sample_moves(body.grid, own));
}

// Signed distance from p to a collider, and the outward normal there. Exact, or for a mesh as fine
// as its grid; never too large outside the grid, so that who walks by it steps over nothing.
template <class F>
RINGLET_KERNEL SurfacePoint<F> nearest_surface(const PlacedCollider& body, Vec3<F> p) {
    if (body.shape == ColliderShape::plane) {
        const Vec3<F> n = splat<F>(body.b);
        return {dot(p - splat<F>(body.a), n), n};
    }
    if (body.shape == ColliderShape::mesh || body.shape == ColliderShape::ellipsoid) {
        const Rigid<F> pose = splat_rigid<F>(body.pose);
        const Vec3<F> own = rotate(conjugate(pose.rotation), p - pose.translation);
        const SurfacePoint<F> found = body.shape == ColliderShape::mesh
                                          ? sample_grid(body.grid, own)
                                          : nearest_on_ellipsoid(body.b, own);
        return {found.distance, rotate(pose.rotation, found.normal)};
    }
    // A sphere is a capsule whose axis has no length.
    const Vec3<F> a = splat<F>(body.a);
    const Vec3<F> axis = splat<F>(body.b - body.a);
    const F along = dot(p - a, axis) / max(dot(axis, axis), F(kTiny));
    const Vec3<F> outward = p - (a + axis * min(max(along, F(0)), F(1)));
    const F distance = norm(outward);
    return {distance - F(body.radius), unit_or(outward, Vec3<F>{F(0), F(1), F(0)})};
}

}  // namespace ringlet
