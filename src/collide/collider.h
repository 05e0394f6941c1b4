// Bodies that hair cannot enter: what a scene states about them, and where they are in a substep.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collide/sequence_files.h"
#include "collide/shapes.h"
#include "geom/placement_settings.h"

namespace ringlet {

class MeshBody;
struct DrawnShape;
struct Neck;
struct MeshSequence;

// The source of a mesh collider's surface. The session reads the file and builds the MeshBody.
struct ColliderMesh {
    std::string file;   // empty: the mesh the hair grows on
    std::string group;  // only this material or group; empty: all
    float scale = 1;    // m per unit of the file; 1: by `units`
    // Unit and axes of the file. Automatic: those of groom.mesh where metres are not plausible.
    LengthUnit units = LengthUnit::automatic;
    SignedAxis up = SignedAxis::automatic, facing = SignedAxis::automatic;
    float cell = 0;            // m, of the distance grid; 0: chosen from the size
    float thickness = 0;       // m, of a sheet; 0: solid
    SequenceFiles sequence{};  // deforming shapes, in units of the file
    std::string scene;         // file and line of the collider, for error messages
    int line = 0;
};

struct Collider {
    ColliderShape shape = ColliderShape::sphere;
    // m; centre of a sphere or ellipsoid, one end of a capsule's axis, point of a plane, origin of
    // a mesh
    Vec3f centre{0, 0, 0};
    Vec3f end{0, 0, 0};             // m; the other end of a capsule's axis
    Vec3f normal{0, 1, 0};          // of a plane, towards the side where hair may be
    float radius = 0.1f;            // m, of a sphere or capsule
    float friction = 0.3f;          // Coulomb coefficient of sliding friction
    float static_friction = 0;      // Coulomb coefficient of static friction; at least `friction`
    float restitution = 0;          // 0 does not bounce, 1 keeps the speed
    bool attached = true;           // moves with the head
    bool posed = false;             // moves by a pose of its own instead
    Rigidf pose{};                  // of a posed collider at the start
    Vec3f radii{0.1f, 0.1f, 0.1f};  // m, of an ellipsoid
    Vec3f rotate_degrees{0, 0, 0};  // of an ellipsoid or mesh, about x, then y, then z
    ColliderMesh mesh{};
    std::shared_ptr<const MeshBody> body{};  // of a mesh; null: the collider has no effect
    // The part of the mesh below the neck, where `body` is the part above it; null: `body` is all.
    std::shared_ptr<const MeshBody> shoulders{};
    bool on_shoulders = false;  // where attached: moves with the shoulders, not with the head
    // Deforming shapes in the body's own frame; null: the body is rigid.
    std::shared_ptr<const MeshSequence> shapes{};
    bool is_thin = false;  // by mark_thin_bodies()
};

// Marks spheres and capsules whose radius is less than the longest segment (m) of the hair: they
// collide with segments as well as with vertices.
void mark_thin_bodies(std::vector<Collider>& colliders, float longest_segment);

// The colliders of a mesh with a neck: attached ones move with the head or with the shoulders,
// whichever they are nearer to. The shoulders of the mesh itself follow as additional colliders, so
// indices stay valid.
std::vector<Collider> separate_at_neck(std::vector<Collider> colliders, const Neck& neck);

// `from` and `to` are the pose of the head or of the shoulders, or of a posed collider, at the
// start and end of the substep.
PlacedCollider place(const Collider& collider, const Rigidf& from, const Rigidf& to);

// From an ellipsoid's or mesh's own frame to the frame of the head, or of the world if detached.
Rigidf own_pose(const Collider& collider);

// The collider as a drawing, moved from the simulation's frame to the picture's. A mesh is empty.
DrawnShape drawn_shape(const PlacedCollider& body, const Rigidf& to_world);

// Where the material point of the body that is at x at the start of the substep is at its end. A
// deforming body moves it with the nearest surface, in addition to the rigid motion.
template <class F>
RINGLET_KERNEL Vec3<F> moved_with(const PlacedCollider& body, Vec3<F> x) {
    const Vec3<F> rigid = apply(splat_rigid<F>(body.motion), x);
    if (!body.grid.moves) return rigid;
    const Rigid<F> pose = splat_rigid<F>(body.pose);
    const Vec3<F> own = rotate(conjugate(pose.rotation), rigid - pose.translation);
    return rigid + rotate(pose.rotation, sample_moves(body.grid, own));
}

}  // namespace ringlet
