// A collider that changes its shape, for tests.
#pragma once

#include "collide/deforming_body.h"
#include "sim/simulation.h"
#include "unit/sphere_mesh.h"

namespace ringlet {

// A world with a ball at the origin that grows from 5 cm to 10 cm in half a second.
inline World world_of_a_growing_ball() {
    const Mesh ball = sphere_mesh({0, 0, 0}, 0.05f, 24);
    auto shapes = std::make_shared<MeshSequence>();
    shapes->indices = ball.indices;
    shapes->rest = ball.positions;
    shapes->fps = 12;
    for (int frame = 0; frame < 7; ++frame) {
        shapes->frames.push_back(ball.positions);
        for (Vec3f& p : shapes->frames.back()) p = p * (1 + static_cast<float>(frame) / 6);
    }
    MeshBodySettings settings{.cell = 0.01f};
    settings.room = DeformingBody::bounds_of_all(*shapes);
    World out;
    Collider& collider = out.colliders.emplace_back();
    collider.shape = ColliderShape::mesh;
    collider.body = *MeshBody::make(ball, settings, TaskPool(1));
    collider.shapes = shapes;
    return out;
}

}  // namespace ringlet
