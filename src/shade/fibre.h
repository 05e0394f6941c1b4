// Light scattering by one hair fibre: the model of Chiang, Bitterli, Tappan and Burley 2016 ("A
// Practical and Controllable Hair and Fur Model for Production Path Tracing"). Lobes p: 0
// reflection (R), 1 transmission (TT), 2 one internal reflection (TRT), 3 all further ones.
//
// Angles in radians: theta is the inclination of a direction to the fibre's normal plane, positive
// towards the tip; phi is its azimuth; h in [-1, 1] is the offset across the fibre's width at which
// light arrives. Functions compute one colour channel.
#pragma once

#include <array>

#include "math/vec3.h"

namespace ringlet {

inline constexpr int kFibreLobes = 4;

struct Fibre {
    float index = 1.55f;        // index of refraction
    float rough_along = 0.3f;   // longitudinal roughness beta_m
    float rough_around = 0.3f;  // azimuthal roughness beta_n
    float tilt = 0.0349f;       // of the cuticle's scales, radians (2 degrees)
};

// The default fibre with a longitudinal roughness from 0 to 1 (render.roughness).
Fibre fibre_of(float roughness);

// The absorption coefficient, per fibre radius, at which a head of such hair has the colour c in
// (0, 1) (Chiang et al., equation 9).
float absorption_of_colour(float c, float rough_around);
// The inverse of absorption_of_colour.
float colour_of_absorption(float absorption, float rough_around);
// The absorption coefficient, per fibre radius, of given concentrations of the two pigments.
Vec3f absorption_of_pigments(float eumelanin, float pheomelanin);

using FibreLobes = std::array<float, kFibreLobes>;

// The attenuation A_p: the share of the light, arriving at h with inclination theta, that leaves in
// each lobe. The shares sum to 1 without absorption.
FibreLobes lobe_shares(const Fibre& fibre, float absorption, float h, float theta);
// The longitudinal variance of each lobe.
FibreLobes lobe_variances(const Fibre& fibre);
// The longitudinal shift of each lobe from the mirror direction, radians.
FibreLobes lobe_tilts(const Fibre& fibre);
// The longitudinal scattering M_p: a density over theta_out with the weight cos(theta_out).
float spread_along(float theta_in, float theta_out, float variance);
// The same from sines and cosines, for callers that evaluate many directions. `log_scale` is
// log_spread_scale(variance).
float spread_along(float sin_in, float cos_in, float sin_out, float cos_out, float variance,
                   float log_scale);
// The logarithm of the factor that makes spread_along() a density.
float log_spread_scale(float variance);
// The azimuth at which a lobe leaves a perfectly smooth fibre.
float smooth_azimuth(const Fibre& fibre, int lobe, float h, float theta);
// The scale s of the logistic distribution of azimuths around smooth_azimuth().
float azimuth_scale(const Fibre& fibre);
// The azimuthal scattering N_p: a density over `azimuth` = phi_out - phi_in.
float spread_around(const Fibre& fibre, int lobe, float azimuth, float h, float theta);

// The scattering function for light arriving at h, times the cosine of theta_out. Its integral over
// all outgoing directions is the sum of the lobe shares.
float scattered(const Fibre& fibre, float absorption, float h, float theta_in, float theta_out,
                float azimuth);

}  // namespace ringlet
