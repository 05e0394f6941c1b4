// Chooses the values of a scene that are "auto": camera, ground, the pivot of the head's motion,
// its neck and the substeps. Scenes whose heads are all built in, or have no mesh, keep the
// defaults of their settings, which fit the built-in bust.
#pragma once

#include "session/live/actor.h"

namespace ringlet {

// x of the plane that divides the head into left and right, in the mesh's frame.
float middle_x(const HeadMesh& head);

// Sets head.pivot of a scene for the mesh that it is about to move, and sim.substeps for its model.
void choose_motion_values(const HeadMesh& head, Scene& scene);

// Sets the neck of a scene with head.neck = "auto", whose shapes and pivot are known. Without
// shoulders there is none, which becomes an assumption in `messages`.
void choose_neck(HeadMesh& head, Scene& scene, Messages& messages);

// Sets camera and ground so that all heads and their hair at rest are in view. Precondition: the
// actors are grown. `scene` is the enclosing scene.
void choose_view(const std::vector<Actor>& actors, const TaskPool& pool, Scene& scene);

// The camera that looks at `target` from `away` of it, from the smallest distance at which all
// points are in view, with a margin. If `recentre` is true, moves the target across the view so
// that the margins on opposite sides are equal. `aspect` is width over height.
Camera framed(Camera camera, Vec3f target, Vec3f away, const std::vector<Vec3f>& points,
              float aspect, bool recentre);

}  // namespace ringlet
