#include "shade/fibre.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace ringlet {

namespace {

// Fresnel reflectance of unpolarised light at a dielectric, from outside.
float fresnel(float cosine, float index) {
    const float c = std::clamp(cosine, 0.0f, 1.0f);
    const float sin2 = (1 - c * c) / (index * index);
    const float inner = std::sqrt(std::max(1 - sin2, 0.0f));
    const float parallel = (index * c - inner) / (index * c + inner);
    const float across = (c - index * inner) / (c + index * inner);
    return (parallel * parallel + across * across) / 2;
}

// The index of refraction projected into the normal plane (Marschner et al. 2003, section 4.3).
float projected_index(float index, float theta) {
    const float s = std::sin(theta), c = std::max(std::cos(theta), 1e-4f);
    return std::sqrt(std::max(index * index - s * s, 1e-6f)) / c;
}

// The logarithm of the modified Bessel function of the first kind of order 0.
float log_bessel(float x) {
    if (x > 12) return x + 0.5f * (-std::log(2 * kPi) + std::log(1 / x) + 1 / (8 * x));
    float sum = 0, term = 1;
    for (int i = 1; i < 40; ++i) {
        sum += term;
        // The terms rise up to i = x / 2. Later ones below half a unit in the last place of the
        // sum do not change it.
        if (term < sum * 2e-8f && static_cast<float>(2 * i) > x) break;
        term *= x * x / (4 * static_cast<float>(i) * static_cast<float>(i));
    }
    return std::log(sum);
}

float logistic(float x, float s) {
    const float e = std::exp(-std::abs(x) / s);
    return e / (s * (1 + e) * (1 + e));
}

float logistic_sum(float x, float s) { return 1 / (1 + std::exp(-x / s)); }

// The polynomial of Chiang et al. 2016, equation 9.
float colour_fit(float rough_around) {
    const float b = rough_around, b2 = b * b;
    return 5.969f - 0.215f * b + 2.532f * b2 - 10.73f * b2 * b + 5.574f * b2 * b2 +
           0.245f * b2 * b2 * b;
}

float wrapped_angle(float a) { return std::remainder(a, 2 * kPi); }

}  // namespace

Fibre fibre_of(float roughness) {
    Fibre fibre;
    fibre.rough_along = std::clamp(roughness, 0.05f, 1.0f);
    return fibre;
}

float absorption_of_colour(float c, float rough_around) {
    const float root = std::log(std::clamp(c, 1e-4f, 0.9999f)) / colour_fit(rough_around);
    return root * root;
}

float colour_of_absorption(float absorption, float rough_around) {
    // The project's own exp: a colour by pigment has the same bits everywhere.
    return ringlet::exp(-std::sqrt(std::max(absorption, 0.0f)) * colour_fit(rough_around));
}

Vec3f absorption_of_pigments(float eumelanin, float pheomelanin) {
    return Vec3f{0.419f, 0.697f, 1.37f} * eumelanin + Vec3f{0.187f, 0.4f, 1.05f} * pheomelanin;
}

FibreLobes lobe_shares(const Fibre& fibre, float absorption, float h, float theta) {
    const float across = std::sqrt(std::max(1 - h * h, 0.0f));
    const float f = fresnel(std::cos(theta) * across, fibre.index);
    const float inside = h / projected_index(fibre.index, theta);
    const float cos_gamma = std::sqrt(std::max(1 - inside * inside, 0.0f));
    const float sin_theta = std::sin(theta) / fibre.index;
    const float cos_theta = std::sqrt(std::max(1 - sin_theta * sin_theta, 1e-6f));
    const float t = std::exp(-2 * absorption * cos_gamma / cos_theta);
    FibreLobes a;
    a[0] = f;
    a[1] = (1 - f) * (1 - f) * t;
    a[2] = a[1] * t * f;
    a[3] = a[2] * f * t / std::max(1 - t * f, 1e-4f);
    return a;
}

FibreLobes lobe_variances(const Fibre& fibre) {
    const float b = fibre.rough_along;
    const float root = 0.726f * b + 0.812f * b * b + 3.7f * std::pow(b, 20.0f);
    const float v = root * root;
    return {v, v / 4, 4 * v, 4 * v};
}

FibreLobes lobe_tilts(const Fibre& fibre) {
    return {-2 * fibre.tilt, fibre.tilt, 4 * fibre.tilt, 0};
}

float spread_along(float theta_in, float theta_out, float variance) {
    return spread_along(std::sin(theta_in), std::cos(theta_in), std::sin(theta_out),
                        std::cos(theta_out), variance, log_spread_scale(variance));
}

// d'Eon et al. 2011, equation 7, in logarithms because its factors exceed the range of floats.
float spread_along(float sin_in, float cos_in, float sin_out, float cos_out, float variance,
                   float log_scale) {
    // The Bessel function is even; a tilted direction may have a negative cosine.
    const float a = std::abs(cos_in * cos_out / variance);
    // The sign of b follows from the mirror direction: sin(-theta_in) sin(theta_out).
    const float b = sin_in * sin_out / variance;
    return std::exp(log_bessel(a) - b + log_scale);
}

float log_spread_scale(float variance) {
    const float v = variance;
    return v > 0.1f ? -std::log(2 * v * std::sinh(1 / v))
                    : -1 / v + 0.6931f + std::log(1 / (2 * v));
}

float smooth_azimuth(const Fibre& fibre, int lobe, float h, float theta) {
    const float gamma = std::asin(std::clamp(h, -1.0f, 1.0f));
    const float inside =
        std::asin(std::clamp(h / projected_index(fibre.index, theta), -1.0f, 1.0f));
    const float p = static_cast<float>(lobe);
    return 2 * p * inside - 2 * gamma + p * kPi;
}

float azimuth_scale(const Fibre& fibre) {
    const float n = fibre.rough_around;
    return std::sqrt(kPi / 8) * (0.265f * n + 1.194f * n * n + 5.372f * std::pow(n, 22.0f));
}

float spread_around(const Fibre& fibre, int lobe, float azimuth, float h, float theta) {
    if (lobe == 3) return 1 / (2 * kPi);
    const float s = azimuth_scale(fibre);
    const float away = wrapped_angle(azimuth - smooth_azimuth(fibre, lobe, h, theta));
    return logistic(away, s) / (logistic_sum(kPi, s) - logistic_sum(-kPi, s));
}

float scattered(const Fibre& fibre, float absorption, float h, float theta_in, float theta_out,
                float azimuth) {
    const FibreLobes shares = lobe_shares(fibre, absorption, h, theta_in);
    const FibreLobes variances = lobe_variances(fibre), tilts = lobe_tilts(fibre);
    float sum = 0;
    for (int p = 0; p < kFibreLobes; ++p) {
        const auto i = static_cast<std::size_t>(p);
        sum += shares[i] * spread_along(theta_in - tilts[i], theta_out, variances[i]) *
               spread_around(fibre, p, azimuth, h, theta_in);
    }
    return sum * std::cos(theta_out);
}

}  // namespace ringlet
