// Evaluation and importance sampling of the fibre model for path tracers, in three colour channels.
// All functions are const and thread-safe.
#pragma once

#include "shade/fibre.h"

namespace ringlet {

// The part of the model that is the same at every point of a fibre.
struct FibreShape {
    explicit FibreShape(const Fibre& fibre);

    Fibre fibre;
    FibreLobes variances, log_scales, sin_tilts, cos_tilts;
    float scale;          // azimuth_scale()
    float lower, inside;  // of the trimmed logistic: the sums below -pi and from -pi to pi
};

// A direction relative to a fibre and to the direction for which FibreScatter was made.
struct FibreDirection {
    float sin_theta, cos_theta;
    float azimuth;  // radians, from that direction's azimuth
};

// The fibre at one point, for one known direction. A path tracer knows the direction towards the
// eye and the offset h at which its ray hits, and samples the direction towards the light; the
// model is used with the two exchanged. `shape` must outlive it.
class FibreScatter {
public:
    // `absorption` is per channel and fibre radius.
    FibreScatter(const FibreShape& shape, Vec3f absorption, float h, float theta);

    // The share of the light scattered per solid angle. Its integral over all directions is the sum
    // of the lobes' shares.
    Vec3f value(const FibreDirection& out) const;
    // The probability density of sample() per solid angle.
    float density(const FibreDirection& out) const;
    // Draws a direction from four uniform numbers in [0, 1). value() / density() is at most
    // max_channel / mean_channel of the shares, and 1 for a fibre without absorption.
    FibreDirection sample(const std::array<float, 4>& uniform) const;

    // Both of the above at once.
    struct Evaluation {
        Vec3f value;
        float density;
    };
    Evaluation evaluate(const FibreDirection& out) const;

    // The sum of the lobes' shares: the albedo.
    Vec3f albedo() const;

private:
    const FibreShape* shape_;
    std::array<Vec3f, kFibreLobes> shares_;
    FibreLobes chances_;            // of the lobes, sum 1
    FibreLobes sin_in_, cos_in_;    // of the tilted inclination, per lobe
    std::array<float, 3> centres_;  // azimuths of R, TT and TRT
};

}  // namespace ringlet
