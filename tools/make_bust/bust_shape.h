#pragma once

#include "vec3.h"

// The sculpture as an implicit surface, in metres: +Y up, the face towards +Z, symmetric about
// x = 0, standing on y = 0 with the crown near y = 0.5.

double bust_distance(Vec3 p);

// Gradient of bust_distance by central differences with the given step.
Vec3 bust_gradient(Vec3 p, double step);

// Unit outward direction.
Vec3 bust_normal(Vec3 p);

// Outward normal at the scale of the mesh edges, so that shading shows no detail finer than them.
Vec3 shading_normal(Vec3 p);

// Projects p onto the surface by Newton steps; p must already be near the surface.
Vec3 project_to_bust(Vec3 p, int newton_steps);

// Positive where hair grows, negative on bare skin, zero on the hairline; approximately in metres.
double scalp_side(Vec3 p);

// These functions change sign across the edges of the upper lip, the upper eyelid and the foot, and
// across the crest of the ear's rim; they are zero elsewhere. Vertices placed along these lines
// keep them sharp in a mesh of modest size.
double crease_side(Vec3 p);
double ear_rim_side(Vec3 p);

// Target edge length of the mesh at p in metres: fine on features, coarse on smooth regions.
double target_spacing(Vec3 p);
