// Rotations over a lane type: unit quaternions, orthonormal frames and rigid motions.
#pragma once

#include "math/elementary.h"
#include "math/vec3.h"

namespace ringlet {

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
// Returns the identity where |q| is zero.
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
// `axis` is a unit vector; `angle` is in radians.
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
    const Vec3<F> across = perpendicular(a);  // b = -a: rotate by pi about any perpendicular axis
    const auto opposite = w < F(1e-6f);
    return normalise(Quat<F>{select(opposite, across.x, axis.x), select(opposite, across.y, axis.y),
                             select(opposite, across.z, axis.z), select(opposite, F(0), w)});
}

// Three orthonormal axes. `tangent` points along the strand or out of the skin.
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
// Parallel transport: rotates the frame by the smallest rotation that takes its tangent to the
// given one, without twist about the strand.
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

template <class F>
RINGLET_KERNEL Vec3<F> apply(Rigid<F> motion, Vec3<F> a) {
    return rotate(motion.rotation, a) + motion.translation;
}

// The motion that maps pose a to pose b.
inline Rigidf motion_from(const Rigidf& a, const Rigidf& b) {
    const Quatf turn = b.rotation * conjugate(a.rotation);
    return {turn, b.translation - rotate(turn, a.translation)};
}

// Interpolates between pose a (t = 0) and pose b (t = 1).
template <class F>
RINGLET_KERNEL Rigid<F> between(const Rigid<F>& a, const Rigid<F>& b, F t) {
    const Quat<F> p = a.rotation, q = b.rotation;
    // q and -q are the same rotation.
    const F near = select(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < F(0), -t, t);
    const F far = F(1) - t;
    return {normalise(Quat<F>{p.x * far + q.x * near, p.y * far + q.y * near,
                              p.z * far + q.z * near, p.w * far + q.w * near}),
            a.translation + (b.translation - a.translation) * t};
}

// Composition: applies b first, then a.
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

template <class F, class M>
RINGLET_KERNEL Rigid<F> select(M mask, Rigid<F> yes, Rigid<F> no) {
    const Quat<F> a = yes.rotation, b = no.rotation;
    return {{select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z),
             select(mask, a.w, b.w)},
            select(mask, yes.translation, no.translation)};
}

}  // namespace ringlet
