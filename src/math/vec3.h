// Vectors of three components over a lane type.
#pragma once

#include "math/lanes.h"
#include "ringlet/vectors.h"

namespace ringlet {

// Lengths below this count as zero. Its square is still a normal float.
inline constexpr float kTiny = 1e-12f;

template <class F>
RINGLET_KERNEL Vec3<F> operator+(Vec3<F> a, Vec3<F> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class F>
RINGLET_KERNEL Vec3<F> operator-(Vec3<F> a, Vec3<F> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class F>
RINGLET_KERNEL Vec3<F> operator-(Vec3<F> a) {
    return {-a.x, -a.y, -a.z};
}
template <class F>
RINGLET_KERNEL Vec3<F> operator*(Vec3<F> a, F s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class F>
RINGLET_KERNEL Vec3<F>& operator+=(Vec3<F>& a, Vec3<F> b) {
    return a = a + b;
}
template <class F>
RINGLET_KERNEL Vec3<F>& operator-=(Vec3<F>& a, Vec3<F> b) {
    return a = a - b;
}
template <class F>
RINGLET_KERNEL F dot(Vec3<F> a, Vec3<F> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class F>
RINGLET_KERNEL Vec3<F> cross(Vec3<F> a, Vec3<F> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class F>
RINGLET_KERNEL F norm(Vec3<F> a) {
    return sqrt(dot(a, a));
}
template <class M, class F>
RINGLET_KERNEL Vec3<F> select(M mask, Vec3<F> yes, Vec3<F> no) {
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}

// Returns the unit vector along a, or `otherwise` where |a| is zero.
template <class F>
RINGLET_KERNEL Vec3<F> unit_or(Vec3<F> a, Vec3<F> otherwise) {
    const F length = norm(a);
    return select(length > F(kTiny), a * (F(1) / max(length, F(kTiny))), otherwise);
}

// Returns a unit vector perpendicular to the unit vector n, continuous in each half-space of z
// (Duff et al. 2017, "Building an orthonormal basis, revisited").
template <class F>
RINGLET_KERNEL Vec3<F> perpendicular(Vec3<F> n) {
    const F sign = select(n.z >= F(0), F(1), F(-1));
    const F a = F(-1) / (sign + n.z);
    return {F(1) + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x};
}

// Loads and stores a vector whose components are `stride` floats apart, as in strand memory.
template <class F>
RINGLET_KERNEL Vec3<F> load_vec3(const float* at, int stride) {
    return {load<F>(at), load<F>(at + stride), load<F>(at + 2 * stride)};
}
template <class F>
RINGLET_KERNEL void store_vec3(float* at, int stride, Vec3<F> a) {
    store(at, a.x);
    store(at + stride, a.y);
    store(at + 2 * stride, a.z);
}

template <class F>
RINGLET_KERNEL Vec3<F> zero_vec3() {
    return {F(0), F(0), F(0)};
}

// Broadcasts a vector to all lanes.
template <class F>
RINGLET_KERNEL Vec3<F> splat(Vec3f a) {
    return {F(a.x), F(a.y), F(a.z)};
}

}  // namespace ringlet
