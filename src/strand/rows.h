// How a kernel reaches the vertices of the strands it works on: by vertex number, nothing else.
// `at` points into a channel at the block and the first lane concerned.
#pragma once

#include "math/quat.h"
#include "strand/layout.h"

namespace ringlet {

template <class F>
struct Rows1 {
    float* at;
    RINGLET_KERNEL F operator[](int vertex) const { return load<F>(at + vertex * kRowWidth); }
    RINGLET_KERNEL void set(int vertex, F a) const { store(at + vertex * kRowWidth, a); }
};

template <class F>
struct ConstRows1 {
    const float* at;
    RINGLET_KERNEL F operator[](int vertex) const { return load<F>(at + vertex * kRowWidth); }
};

template <class F>
struct Rows3 {
    float* at;
    RINGLET_KERNEL Vec3<F> operator[](int vertex) const {
        return load_vec3<F>(at + vertex * 3 * kRowWidth, kRowWidth);
    }
    RINGLET_KERNEL void set(int vertex, Vec3<F> a) const {
        store_vec3(at + vertex * 3 * kRowWidth, kRowWidth, a);
    }
};

template <class F>
struct ConstRows3 {
    const float* at;
    RINGLET_KERNEL Vec3<F> operator[](int vertex) const {
        return load_vec3<F>(at + vertex * 3 * kRowWidth, kRowWidth);
    }
};

template <class F>
struct ConstRows4 {
    const float* at;
    RINGLET_KERNEL Quat<F> operator[](int vertex) const {
        const float* p = at + vertex * 4 * kRowWidth;
        return {load<F>(p), load<F>(p + kRowWidth), load<F>(p + 2 * kRowWidth),
                load<F>(p + 3 * kRowWidth)};
    }
};

template <class F>
struct Rows4 {
    float* at;
    RINGLET_KERNEL Quat<F> operator[](int vertex) const { return ConstRows4<F>{at}[vertex]; }
    RINGLET_KERNEL void set(int vertex, Quat<F> a) const {
        float* p = at + vertex * 4 * kRowWidth;
        store(p, a.x);
        store(p + kRowWidth, a.y);
        store(p + 2 * kRowWidth, a.z);
        store(p + 3 * kRowWidth, a.w);
    }
};

}  // namespace ringlet
