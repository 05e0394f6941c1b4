// [[collider]]: bodies that hair cannot enter.
#include "scene/parameters/declarations.h"

namespace ringlet {

namespace {

void declare_shape(ParameterGroup<Collider>& collider) {
    collider.choice("shape", &Collider::shape).says("Shape of the collider.");
    collider.vector("centre", &Collider::centre)
        .unit("m")
        .range(-1000, 1000)
        .says(
            "Centre of a sphere or ellipsoid, one end of a capsule's axis, a point of a plane, the "
            "origin of a mesh.");
    collider.vector("end", &Collider::end)
        .unit("m")
        .range(-1000, 1000)
        .says("Other end of a capsule's axis.");
    collider.vector("normal", &Collider::normal)
        .range(-1000, 1000)
        .says("Normal of a plane; it points to the side of the hair.");
    collider.real("radius", &Collider::radius)
        .unit("m")
        .range(0, 1000)
        .says("Radius of a sphere or capsule.");
    collider.vector("radii", &Collider::radii)
        .unit("m")
        .range(0, 1000)
        .says("Radii of an ellipsoid along its own x, y and z; at least 0.1 mm is used.");
    collider.vector("rotate", &Collider::rotate_degrees)
        .unit("degrees")
        .range(-36000, 36000)
        .says("Rotation of an ellipsoid or mesh: about x, then y, then z.");
}

void declare_mesh(ParameterGroup<ColliderMesh> mesh) {
    mesh.text("file", &ColliderMesh::file)
        .names_file()
        .says("File of a mesh, relative to the scene file, or builtin:NAME; empty: groom.mesh.");
    mesh.text("group", &ColliderMesh::group)
        .says("Material or group of the mesh to use; empty: the whole mesh.");
    mesh.real("scale", &ColliderMesh::scale)
        .unit("m")
        .range(1e-6, 1e6)
        .says("Metres per unit of the mesh; 1: by units.");
    mesh.choice("units", &ColliderMesh::units)
        .says("Unit of length of the mesh; auto: metres where plausible, else that of groom.mesh.");
    mesh.choice("up", &ColliderMesh::up)
        .says("Axis of the mesh that points up; auto: +y, or as in groom.mesh.");
    mesh.choice("facing", &ColliderMesh::facing)
        .says("Axis of the mesh that points to the front; auto: +z, or as in groom.mesh.");
    mesh.real("cell", &ColliderMesh::cell)
        .unit("m")
        .range(0, 10)
        .says("Cell size of the mesh's distance grid; 0: chosen by the mesh's size.");
    mesh.real("thickness", &ColliderMesh::thickness)
        .unit("m")
        .range(0, 1)
        .says("Thickness of a mesh that is a sheet; 0: the mesh encloses a solid.");
}

void declare_surface(ParameterGroup<Collider>& collider) {
    collider.real("friction", &Collider::friction)
        .range(0, 10)
        .says("Coulomb coefficient of sliding friction.");
    collider.real("static_friction", &Collider::static_friction)
        .range(0, 10)
        .says("Coulomb coefficient of static friction (rod only); at least friction is used.");
    collider.real("restitution", &Collider::restitution)
        .range(0, 1)
        .says("Fraction of the approach speed after a bounce.");
    collider.flag("attached", &Collider::attached).says("Moves with the head.");
}

void declare_collider_entry(ParameterGroup<Collider> collider) {
    declare_shape(collider);
    declare_mesh(collider.members(&Collider::mesh));
    declare_surface(collider);
    declare_sequence(collider.members(&Collider::mesh).members(&ColliderMesh::sequence),
                     "OBJ files of a deforming collider mesh, one per frame, named like those of "
                     "head.sequence.");
}

}  // namespace

void declare_collider(ParameterTable& table, Scene& scene) {
    std::vector<Collider>& colliders = scene.world.colliders;
    table.lists.push_back(declare_list("collider", colliders, 256, "A body that hair cannot enter.",
                                       declare_collider_entry));
    table.lists.back().set_source = [&colliders](const std::string& file, int line) {
        colliders.back().mesh.scene = file;
        colliders.back().mesh.line = line;
    };
}

}  // namespace ringlet
