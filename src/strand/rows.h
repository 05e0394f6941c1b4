// Access to the vertices of a strand in kernels, by vertex index. `at` points into a channel at the
// block and the first lane of the lane type.
#pragma once

#include "math/quat.h"
#include "strand/layout.h"

namespace ringlet {

// A lane type wider than a block uses rows that interleave two blocks.
template <class F>
inline constexpr int kRowWidthOf =
    LaneTraits<F>::width > kRowWidth ? LaneTraits<F>::width : kRowWidth;

// The offset in floats of a vertex's row.
RINGLET_KERNEL auto row_offset(int vertex, int components, int width = kRowWidth) {
#ifdef __CUDA_ARCH__
    return vertex * (components * width);
#else
    return static_cast<std::ptrdiff_t>(vertex) * (components * width);
#endif
}

// The first row of the slot-th strand, counted block by block including padding, of a channel with
// `rows` rows of one float per block.
RINGLET_KERNEL const float* slot_rows(const float* first_block, int slot, int rows) {
    return first_block + static_cast<std::size_t>(slot / kRowWidth) * rows * kRowWidth +
           slot % kRowWidth;
}

template <class F>
struct Rows1 {
    float* at;
    RINGLET_KERNEL F operator[](int vertex) const {
        return load<F>(at + row_offset(vertex, 1, kRowWidthOf<F>));
    }
    RINGLET_KERNEL void set(int vertex, F a) const {
        store(at + row_offset(vertex, 1, kRowWidthOf<F>), a);
    }
};

template <class F>
struct ConstRows1 {
    const float* at;
    RINGLET_KERNEL F operator[](int vertex) const {
        return load<F>(at + row_offset(vertex, 1, kRowWidthOf<F>));
    }
};

template <class F>
struct Rows3 {
    float* at;
    RINGLET_KERNEL Vec3<F> operator[](int vertex) const {
        return load_vec3<F>(at + row_offset(vertex, 3, kRowWidthOf<F>), kRowWidthOf<F>);
    }
    RINGLET_KERNEL void set(int vertex, Vec3<F> a) const {
        store_vec3(at + row_offset(vertex, 3, kRowWidthOf<F>), kRowWidthOf<F>, a);
    }
};

template <class F>
struct ConstRows3 {
    const float* at;
    RINGLET_KERNEL Vec3<F> operator[](int vertex) const {
        return load_vec3<F>(at + row_offset(vertex, 3, kRowWidthOf<F>), kRowWidthOf<F>);
    }
};

template <class F>
struct ConstRows4 {
    const float* at;
    RINGLET_KERNEL Quat<F> operator[](int vertex) const {
        const float* p = at + row_offset(vertex, 4);
        return {load<F>(p), load<F>(p + kRowWidth), load<F>(p + 2 * kRowWidth),
                load<F>(p + 3 * kRowWidth)};
    }
};

template <class F>
struct Rows4 {
    float* at;
    RINGLET_KERNEL Quat<F> operator[](int vertex) const { return ConstRows4<F>{at}[vertex]; }
    RINGLET_KERNEL void set(int vertex, Quat<F> a) const {
        float* p = at + row_offset(vertex, 4);
        store(p, a.x);
        store(p + kRowWidth, a.y);
        store(p + 2 * kRowWidth, a.z);
        store(p + 3 * kRowWidth, a.w);
    }
};

// Visits the components of a value in the order of their storage.
template <class F, class Visit>
RINGLET_KERNEL void each(F& a, const Visit& visit) {
    visit(a);
}
template <class F, class Visit>
RINGLET_KERNEL void each(Vec3<F>& a, const Visit& visit) {
    visit(a.x);
    visit(a.y);
    visit(a.z);
}
template <class F, class Visit>
RINGLET_KERNEL void each(Quat<F>& a, const Visit& visit) {
    visit(a.x);
    visit(a.y);
    visit(a.z);
    visit(a.w);
}

// Rows of any type that `each` supports.
template <class F, class T>
struct RowsOf {
    static constexpr int kCount = sizeof(T) / sizeof(F);
    float* at;

    RINGLET_KERNEL T operator[](int vertex) const {
        const float* from = at + row_offset(vertex, kCount, kRowWidthOf<F>);
        T out;
        each(out, [&from](F& a) {
            a = load<F>(from);
            from += kRowWidthOf<F>;
        });
        return out;
    }
    RINGLET_KERNEL void set(int vertex, T a) const {
        float* to = at + row_offset(vertex, kCount, kRowWidthOf<F>);
        each(a, [&to](const F& b) {
            store(to, b);
            to += kRowWidthOf<F>;
        });
    }
};

}  // namespace ringlet
