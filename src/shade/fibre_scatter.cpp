#include "shade/fibre_scatter.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"

namespace ringlet {

namespace {

constexpr int kLastLobe = kFibreLobes - 1;  // has a uniform azimuth

float logistic_below(float x, float s) { return 1 / (1 + std::exp(-x / s)); }

}  // namespace

FibreShape::FibreShape(const Fibre& of)
    : fibre(of),
      variances(lobe_variances(of)),
      scale(azimuth_scale(of)),
      lower(logistic_below(-kPi, scale)),
      inside(logistic_below(kPi, scale) - lower) {
    const FibreLobes tilts = lobe_tilts(of);
    for (std::size_t p = 0; p < kFibreLobes; ++p) {
        log_scales[p] = log_spread_scale(variances[p]);
        sin_tilts[p] = std::sin(tilts[p]);
        cos_tilts[p] = std::cos(tilts[p]);
    }
}

FibreScatter::FibreScatter(const FibreShape& shape, Vec3f absorption, float h, float theta)
    : shape_(&shape) {
    const FibreLobes red = lobe_shares(shape.fibre, absorption.x, h, theta);
    const FibreLobes green = lobe_shares(shape.fibre, absorption.y, h, theta);
    const FibreLobes blue = lobe_shares(shape.fibre, absorption.z, h, theta);
    const float s = std::sin(theta), c = std::cos(theta);
    float sum = 0;
    for (std::size_t p = 0; p < kFibreLobes; ++p) {
        shares_[p] = {red[p], green[p], blue[p]};
        chances_[p] = red[p] + green[p] + blue[p];
        sum += chances_[p];
        sin_in_[p] = s * shape.cos_tilts[p] - c * shape.sin_tilts[p];
        cos_in_[p] = c * shape.cos_tilts[p] + s * shape.sin_tilts[p];
    }
    for (float& chance : chances_) chance /= std::max(sum, kTiny);
    for (int p = 0; p < kLastLobe; ++p)
        centres_[static_cast<std::size_t>(p)] = smooth_azimuth(shape.fibre, p, h, theta);
}

FibreScatter::Evaluation FibreScatter::evaluate(const FibreDirection& out) const {
    Evaluation sum{{0, 0, 0}, 0};
    for (std::size_t p = 0; p < kFibreLobes; ++p) {
        const float along = spread_along(sin_in_[p], cos_in_[p], out.sin_theta, out.cos_theta,
                                         shape_->variances[p], shape_->log_scales[p]);
        float around = 1 / (2 * kPi);
        if (p < kLastLobe) {
            const float away = std::remainder(out.azimuth - centres_[p], 2 * kPi);
            const float e = std::exp(-std::abs(away) / shape_->scale);
            around = e / (shape_->scale * (1 + e) * (1 + e) * shape_->inside);
        }
        sum.value += shares_[p] * (along * around);
        sum.density += chances_[p] * along * around;
    }
    return sum;
}

Vec3f FibreScatter::value(const FibreDirection& out) const { return evaluate(out).value; }
float FibreScatter::density(const FibreDirection& out) const { return evaluate(out).density; }

// Pharr, Jakob and Humphreys 2023, section 9.9.6, without the clamp of the first number, which
// would cut off the lobes' tails.
FibreDirection FibreScatter::sample(const std::array<float, 4>& uniform) const {
    std::size_t p = 0;
    float rest = uniform[0];
    for (; p + 1 < kFibreLobes && rest >= chances_[p]; ++p) rest -= chances_[p];

    // d'Eon et al. 2013: the angle from the mirror direction, then the turn about it.
    const float v = shape_->variances[p], u = uniform[1];
    const float cosine =
        std::clamp(1 + v * std::log(std::max(u + (1 - u) * std::exp(-2 / v), 1e-38f)), -1.0f, 1.0f);
    const float sine = std::sqrt(std::max(1 - cosine * cosine, 0.0f));
    const float turned = std::cos(2 * kPi * uniform[2]);
    FibreDirection out{};
    out.sin_theta =
        std::clamp(-cosine * sin_in_[p] + sine * turned * std::abs(cos_in_[p]), -1.0f, 1.0f);
    out.cos_theta = std::sqrt(std::max(1 - out.sin_theta * out.sin_theta, 0.0f));

    if (p == kLastLobe) {
        out.azimuth = (2 * uniform[3] - 1) * kPi;
        return out;
    }
    const float share = std::clamp(shape_->lower + uniform[3] * shape_->inside, 1e-7f, 1 - 1e-7f);
    const float away = std::clamp(shape_->scale * std::log(share / (1 - share)), -kPi, kPi);
    out.azimuth = centres_[p] + away;
    return out;
}

Vec3f FibreScatter::albedo() const {
    Vec3f sum{0, 0, 0};
    for (const Vec3f& share : shares_) sum += share;
    return sum;
}

}  // namespace ringlet
