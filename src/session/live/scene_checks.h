// Checks of a scene for results that a user hardly wants: nothing in view, hair beside the head,
// hair inside a body, strands that cannot move. None of them is an error.
#pragma once

#include "session/live/actor.h"

namespace ringlet {

// The warnings about the scene at time 0. Precondition: the actors are grown. Looks at a sample of
// the strands where there are many.
std::vector<Warning> check_scene(const Scene& scene, const std::vector<Actor>& actors,
                                 const TaskPool& pool);

// Positions of the tips of some strands, in the actor's frame.
std::vector<Vec3f> sampled_tips(const Channel<3>& positions, const Rigidf& pose);

// A warning if the wind blew, but none of the sampled tips has moved since the start.
std::vector<Warning> check_motion(const Actor& actor, int frames);

}  // namespace ringlet
