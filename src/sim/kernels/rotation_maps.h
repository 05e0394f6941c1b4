// Rotation vectors (axis times angle, rad) and unit quaternions, without trigonometry.
//
// Both maps go through s = tan(angle/4), which is rational in the quaternion:
// s = Im q / (1 + Re q), q = (2 s, 1 - s.s) / (1 + s.s); the angle itself is a short series in s.
#pragma once

#include "math/quat.h"

namespace ringlet {

// The rotation vector of q, along the shorter arc. angle = 4 atan |s|: relative error below 1e-6 up
// to 1 rad, 1 % at 2 rad.
template <class F>
RINGLET_KERNEL Vec3<F> log_map(Quat<F> q) {
    const F sign = select(q.w < F(0), F(-1), F(1));
    const Vec3<F> s = Vec3<F>{q.x, q.y, q.z} * (sign * reciprocal_of_normal(F(1) + sign * q.w));
    const F s2 = dot(s, s);
    return s * (F(4) +
                s2 * (F(-4.0f / 3) + s2 * (F(4.0f / 5) + s2 * (F(-4.0f / 7) + s2 * F(4.0f / 9)))));
}

// The inverse of log_map. Angles are clamped to `max_angle` radians, which is at most 3.
template <class F>
RINGLET_KERNEL Quat<F> exp_map(Vec3<F> rotation, F max_angle) {
    const F angle2 = dot(rotation, rotation);
    F quarter = F(0.25f);
    if (any(angle2 > max_angle * max_angle))
        quarter = F(0.25f) * min(max_angle / sqrt(angle2), F(1));
    const Vec3<F> a = rotation * quarter;
    const F a2 = dot(a, a);
    const Vec3<F> s =
        a * (F(1) + a2 * (F(1.0f / 3) +
                          a2 * (F(2.0f / 15) + a2 * (F(17.0f / 315) + a2 * F(62.0f / 2835)))));
    const F s2 = dot(s, s), scale = reciprocal_of_normal(F(1) + s2);
    const F im = F(2) * scale;
    return {s.x * im, s.y * im, s.z * im, (F(1) - s2) * scale};
}

// Restores unit length of a quaternion with |q| close to 1, by one Newton step of 1/sqrt.
template <class F>
RINGLET_KERNEL Quat<F> renormalise(Quat<F> q) {
    const F s = F(1.5f) - F(0.5f) * (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return {q.x * s, q.y * s, q.z * s, q.w * s};
}

// The third axis of the frame q.
template <class F>
RINGLET_KERNEL Vec3<F> tangent_of(Quat<F> q) {
    return {F(2) * (q.x * q.z + q.w * q.y), F(2) * (q.y * q.z - q.w * q.x),
            F(1) - F(2) * (q.x * q.x + q.y * q.y)};
}

// The first axis of the frame q.
template <class F>
RINGLET_KERNEL Vec3<F> normal_of(Quat<F> q) {
    return {F(1) - F(2) * (q.y * q.y + q.z * q.z), F(2) * (q.x * q.y + q.w * q.z),
            F(2) * (q.x * q.z - q.w * q.y)};
}

// The torque conjugate to the rotation vector c between two frames, u being the derivative of the
// energy by c: J_r(c)^{-T} u = u - c x u / 2 + k c x (c x u), k = (1 - (a/2) cot(a/2)) / a^2 with
// a = |c|. The middle term matters wherever u is not along c: bend and twist stiffness differ.
template <class F>
RINGLET_KERNEL Vec3<F> conjugate_torque(Vec3<F> c, Vec3<F> u) {
    const Vec3<F> cu = cross(c, u);
    const F k = F(1.0f / 12) + dot(c, c) * F(1.0f / 720);
    return u - cu * F(0.5f) + cross(c, cu) * k;
}

template <class M, class F>
RINGLET_KERNEL Quat<F> select(M mask, Quat<F> yes, Quat<F> no) {
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z),
            select(mask, yes.w, no.w)};
}

}  // namespace ringlet
