#pragma once

#include "vec3.h"

// The sculpture as an implicit surface, in metres: +Y up, the face towards +Z, symmetric about
// x = 0, standing on y = 0 with the crown near y = 0.5.

double bust_distance(Vec3 p);

// By central differences over the given step.
Vec3 bust_gradient(Vec3 p, double step);

// Unit outward direction.
Vec3 bust_normal(Vec3 p);

// The same, blurred to the scale of the mesh so that shading shows no bends finer than its edges.
Vec3 shading_normal(Vec3 p);

// Near surface point by Newton steps; p must already lie near the surface.
Vec3 project_to_bust(Vec3 p, int newton_steps);

// Positive where hair grows, negative on bare skin, zero on the hairline; about metres.
double scalp_side(Vec3 p);

// Change sign across the edges of the upper lip, the upper eyelid and the foot, and across the
// crest of the ear's rim; zero away from them. Vertices laid along these lines show them crisply in
// a mesh of modest size.
double crease_side(Vec3 p);
double ear_rim_side(Vec3 p);

// Edge length the mesh should have around p: fine on the features, coarse on the plain forms.
double target_spacing(Vec3 p);
