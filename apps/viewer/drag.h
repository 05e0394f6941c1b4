// What a drag of the left button does, by what is under it when it begins.
#pragma once

#include "session/live/session_impl.h"
#include "viewer/picking.h"

namespace ringlet {

enum class Grip { none, orbit, hair, head, collider };

struct Grabbed {
    Grip grip = Grip::none;
    int actor = -1;
    int collider = -1;
    Vec3f point{0, 0, 0};  // m, in world space
    // Of the simulated strands: one that was hit or leads the one that was.
    int strand = -1, vertex = -1;
};

// What a ray meets first. `slope` as in pick_strand. Colliders count where they are shown.
Grabbed grab(const Session::Impl& parts, const Ray& ray, float slope);

// The head, dragged from one point to another, on top of what it does by itself.
Rigidf moved_head(const Rigidf& offset, const Actor& actor, Vec3f way);
// Turned about its pivot by the mouse; angles in rad, about +y and about the camera's right.
Rigidf turned_head(const Rigidf& offset, const Actor& actor, const Camera& camera, float about_y,
                   float about_right);

// A collider of the scene, moved by a way in the world.
void move_collider(Collider& collider, const Actor& actor, Vec3f way);

// A comb: hair within `radius` of the line of sight through `point` is taken along as the hand goes
// from there by `way` in `seconds`.
void comb_hair(Session::Impl& parts, const Camera& camera, Vec3f point, Vec3f way, double seconds,
               float radius);
void stop_combing(Session::Impl& parts);

}  // namespace ringlet
