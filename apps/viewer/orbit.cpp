#include "viewer/orbit.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

constexpr float kSteepest = 1.5f;  // rad; looking straight up or down leaves "right" undefined
constexpr float kRadiansPerDegree = 3.14159265f / 180;

}  // namespace

Orbit::Orbit(const Camera& camera) : target_(camera.target), lens_(camera) {
    const Vec3f away = camera.eye - camera.target;
    distance_ = std::max(norm(away), 0.01f);
    yaw_ = std::atan2(away.x, away.z);
    pitch_ = std::asin(std::clamp(away.y / distance_, -1.0f, 1.0f));
}

void Orbit::turn(float yaw, float pitch) {
    yaw_ += yaw;
    pitch_ = std::clamp(pitch_ + pitch, -kSteepest, kSteepest);
}

void Orbit::zoom(float factor) { distance_ = std::clamp(distance_ * factor, 0.02f, 500.0f); }

void Orbit::pan(float right, float up) {
    const float span =
        2 * distance_ * std::tan(0.5f * lens_.field_of_view_degrees * kRadiansPerDegree);
    const Vec3f across{std::cos(yaw_), 0, -std::sin(yaw_)};
    const Vec3f above = cross(unit_or(camera().eye - target_, Vec3f{0, 0, 1}), across);
    target_ += across * (right * span) + above * (up * span);
}

void Orbit::raise(float metres) { target_.y += metres; }

Camera Orbit::camera() const {
    const Vec3f away{std::cos(pitch_) * std::sin(yaw_), std::sin(pitch_),
                     std::cos(pitch_) * std::cos(yaw_)};
    Camera out = lens_;
    out.eye = target_ + away * distance_;
    out.target = target_;
    return out;
}

}  // namespace ringlet
