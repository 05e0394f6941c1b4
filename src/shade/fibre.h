// How one hair scatters light: the model of Chiang, Bitterli, Tappan and Burley 2016 ("A Practical
// and Controllable Hair and Fur Model for Production Path Tracing"). Lobes p: 0 reflected (R), 1
// gone through (TT), 2 reflected inside once (TRT), 3 all the rest.
//
// Angles: theta is that between a direction and the plane across the fibre, towards its tip; phi
// that around the fibre; h in [-1, 1] where across its width light meets it. For one channel of
// colour: run it for each.
#pragma once

#include <array>

#include "math/vec3.h"

namespace ringlet {

inline constexpr int kFibreLobes = 4;

struct Fibre {
    float index = 1.55f;        // of refraction
    float rough_along = 0.3f;   // beta_m
    float rough_around = 0.3f;  // beta_n
    float tilt = 0.0349f;       // of the cuticle's scales, radians
};

// The fibre of a roughness along the strand from 0 to 1 (render.roughness).
Fibre fibre_of(float roughness);

// Absorption inside a hair, per radius, for which a head of such hair has the colour c (of one
// channel, in (0, 1)); their equation 9.
float absorption_of_colour(float c, float rough_around);
// Per radius, of hair with so much of the two pigments.
Vec3f absorption_of_pigments(float eumelanin, float pheomelanin);

using FibreLobes = std::array<float, kFibreLobes>;

// The share of the light that leaves in each lobe, met at h from inclination theta. They sum to 1
// where nothing is absorbed.
FibreLobes lobe_shares(const Fibre& fibre, float absorption, float h, float theta);
// Variance of the lobes along the fibre.
FibreLobes lobe_variances(const Fibre& fibre);
// How far from mirrored the lobes leave, along the fibre, radians.
FibreLobes lobe_tilts(const Fibre& fibre);
// Spread along the fibre: a density over theta_out with the weight cos(theta_out).
float spread_along(float theta_in, float theta_out, float variance);
// Spread around the fibre: a density over the angle `turn` = phi_out - phi_in.
float spread_around(const Fibre& fibre, int lobe, float turn, float h, float theta);

// Scattered radiance per irradiance on the fibre, met at h, times the cosine of theta_out: over all
// directions out it integrates to the sum of the shares.
float scattered(const Fibre& fibre, float absorption, float h, float theta_in, float theta_out,
                float turn);

}  // namespace ringlet
