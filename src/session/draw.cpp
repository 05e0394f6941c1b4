#include "session/draw.h"

#include "session/parts.h"

namespace ringlet {

namespace {

BodyShape shape_of(const PlacedCollider& body) {
    BodyShape out;
    out.a = body.a;
    out.b = body.b;
    out.radius = body.radius;
    switch (body.shape) {
        case ColliderShape::sphere:
            out.kind = BodyShape::Kind::sphere;
            break;
        case ColliderShape::capsule:
            out.kind = BodyShape::Kind::capsule;
            break;
        case ColliderShape::plane:
            out.kind = BodyShape::Kind::plane;
            out.radius = 0.5f;
            break;
    }
    return out;
}

}  // namespace

Picture picture_of(const Session& session) {
    const Session::Parts& parts = session.parts();
    Picture out;
    if (parts.body.triangle_count() > 0) out.body = &parts.body;
    out.body_motion = parts.head_shown;
    out.strands = parts.shown_strands();
    out.camera = parts.scene.camera;
    out.light = parts.scene.light;
    out.look = parts.scene.look;
    if (parts.scene.show_colliders)
        for (const Collider& collider : parts.scene.world.colliders)
            out.shapes.push_back(shape_of(place(collider, parts.head_shown, parts.head_shown)));
    return out;
}

}  // namespace ringlet
