// Rotations over a lane type: unit quaternions and the frames they make.
#pragma once

#include "math/elementary.h"
#include "math/vec3.h"

namespace ringlet {

// w + xi + yj + zk.
template <class F>
struct Quat {
    F x, y, z, w;
};

using Quatf = Quat<float>;

template <class F>
RINGLET_KERNEL Quat<F> operator*(Quat<F> a, Quat<F> b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
template <class F>
RINGLET_KERNEL Quat<F> conjugate(Quat<F> q) {
    return {-q.x, -q.y, -q.z, q.w};
}
// The identity where q has no length.
template <class F>
RINGLET_KERNEL Quat<F> normalise(Quat<F> q) {
    const F length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    const auto good = length > F(kTiny);
    const F s = F(1) / max(length, F(kTiny));
    return {select(good, q.x * s, F(0)), select(good, q.y * s, F(0)), select(good, q.z * s, F(0)),
            select(good, q.w * s, F(1))};
}
template <class F>
RINGLET_KERNEL Vec3<F> rotate(Quat<F> q, Vec3<F> a) {
    const Vec3<F> u = {q.x, q.y, q.z};
    const Vec3<F> t = cross(u, a) * F(2);
    return a + t * q.w + cross(u, t);
}
// axis must be of unit length; angle in radians.
template <class F>
RINGLET_KERNEL Quat<F> quat_from_axis_angle(Vec3<F> axis, F angle) {
    const SinCos<F> half = sin_cos(angle * F(0.5f));
    return {axis.x * half.sin, axis.y * half.sin, axis.z * half.sin, half.cos};
}
// The smallest rotation that takes the unit vector a to the unit vector b.
template <class F>
RINGLET_KERNEL Quat<F> quat_between(Vec3<F> a, Vec3<F> b) {
    const Vec3<F> axis = cross(a, b);
    const F w = F(1) + dot(a, b);
    const Vec3<F> across = perpendicular(a);  // half a turn about any axis across, when b = -a
    const auto opposite = w < F(1e-6f);
    return normalise(Quat<F>{select(opposite, across.x, axis.x), select(opposite, across.y, axis.y),
                             select(opposite, across.z, axis.z), select(opposite, F(0), w)});
}

// Three orthonormal axes: `tangent` along the strand or out of the skin, the others across it.
template <class F>
struct Frame {
    Vec3<F> normal, binormal, tangent;
};

using Framef = Frame<float>;

template <class F>
RINGLET_KERNEL Frame<F> frame_along(Vec3<F> tangent) {
    const Vec3<F> normal = perpendicular(tangent);
    return {normal, cross(tangent, normal), tangent};
}
// The frame turned as little as possible so that its tangent becomes the given one (parallel
// transport: it does not spin about the strand).
template <class F>
RINGLET_KERNEL Frame<F> transport(Frame<F> frame, Vec3<F> tangent) {
    const Quat<F> turn = quat_between(frame.tangent, tangent);
    const Vec3<F> normal = rotate(turn, frame.normal);
    return {normal, cross(tangent, normal), tangent};
}
template <class F>
RINGLET_KERNEL Vec3<F> to_world(Frame<F> frame, Vec3<F> a) {
    return frame.normal * a.x + frame.binormal * a.y + frame.tangent * a.z;
}
template <class F>
RINGLET_KERNEL Vec3<F> to_local(Frame<F> frame, Vec3<F> a) {
    return {dot(frame.normal, a), dot(frame.binormal, a), dot(frame.tangent, a)};
}

// A rigid motion: a point a goes to rotation a + translation.
template <class F>
struct Rigid {
    Quat<F> rotation{F(0), F(0), F(0), F(1)};
    Vec3<F> translation{F(0), F(0), F(0)};
};

using Rigidf = Rigid<float>;

template <class F>
RINGLET_KERNEL Vec3<F> apply(Rigid<F> motion, Vec3<F> a) {
    return rotate(motion.rotation, a) + motion.translation;
}

// The motion that takes what is at rest in pose a to pose b.
inline Rigidf motion_from(const Rigidf& a, const Rigidf& b) {
    const Quatf turn = b.rotation * conjugate(a.rotation);
    return {turn, b.translation - rotate(turn, a.translation)};
}

// Of the way from pose a to pose b, the share t.
inline Rigidf between(const Rigidf& a, const Rigidf& b, float t) {
    const Quatf p = a.rotation, q = b.rotation;
    const float near = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0 ? -t : t;  // -q is q
    const auto mix = [&](float from, float to) { return from * (1 - t) + to * near; };
    return {normalise(Quatf{mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z), mix(p.w, q.w)}),
            a.translation + (b.translation - a.translation) * t};
}

// First b, then a.
template <class F>
RINGLET_KERNEL Rigid<F> operator*(Rigid<F> a, Rigid<F> b) {
    return {a.rotation * b.rotation, apply(a, b.translation)};
}

template <class F>
RINGLET_KERNEL Rigid<F> splat_rigid(const Rigidf& motion) {
    return {
        {F(motion.rotation.x), F(motion.rotation.y), F(motion.rotation.z), F(motion.rotation.w)},
        splat<F>(motion.translation)};
}

}  // namespace ringlet
