// How a kernel reaches the vertices of the strands it works on: by vertex number, nothing else.
// `at` points into a channel at the block and the first lane concerned.
#pragma once

#include "math/vec3.h"
#include "strand/layout.h"

namespace ringlet {

template <class F>
struct Rows1 {
    float* at;
    RINGLET_KERNEL F operator[](int vertex) const { return load<F>(at + vertex * kLanes); }
    RINGLET_KERNEL void set(int vertex, F a) const { store(at + vertex * kLanes, a); }
};

template <class F>
struct ConstRows1 {
    const float* at;
    RINGLET_KERNEL F operator[](int vertex) const { return load<F>(at + vertex * kLanes); }
};

template <class F>
struct Rows3 {
    float* at;
    RINGLET_KERNEL Vec3<F> operator[](int vertex) const {
        return load_vec3<F>(at + vertex * 3 * kLanes, kLanes);
    }
    RINGLET_KERNEL void set(int vertex, Vec3<F> a) const {
        store_vec3(at + vertex * 3 * kLanes, kLanes, a);
    }
};

template <class F>
struct ConstRows3 {
    const float* at;
    RINGLET_KERNEL Vec3<F> operator[](int vertex) const {
        return load_vec3<F>(at + vertex * 3 * kLanes, kLanes);
    }
};

}  // namespace ringlet
