// A lane type that counts arithmetic. Kernels compute the same bits as with float; every addition,
// subtraction, multiplication, division and square root is counted. Comparisons, selections and
// moves are not. `ringlet bench` uses it to measure the arithmetic of a model.
#pragma once

#include "math/lanes.h"

namespace ringlet {

// Operations of the calling thread since the counter was last set to zero.
inline thread_local std::int64_t counted_operations = 0;

struct Counted {
    float v;
    Counted() = default;
    Counted(float a) : v(a) {}

    friend Counted operator+(Counted a, Counted b) { return counted(a.v + b.v); }
    friend Counted operator-(Counted a, Counted b) { return counted(a.v - b.v); }
    friend Counted operator*(Counted a, Counted b) { return counted(a.v * b.v); }
    friend Counted operator/(Counted a, Counted b) { return counted(a.v / b.v); }
    friend Counted operator-(Counted a) { return -a.v; }
    friend bool operator<(Counted a, Counted b) { return a.v < b.v; }
    friend bool operator>(Counted a, Counted b) { return a.v > b.v; }
    friend bool operator<=(Counted a, Counted b) { return a.v <= b.v; }
    friend bool operator>=(Counted a, Counted b) { return a.v >= b.v; }

    friend Counted min(Counted a, Counted b) { return min(a.v, b.v); }
    friend Counted max(Counted a, Counted b) { return max(a.v, b.v); }
    friend Counted abs(Counted a) { return abs(a.v); }
    friend Counted select(bool mask, Counted yes, Counted no) { return mask ? yes : no; }
    friend Counted sqrt(Counted a) { return counted(sqrt(a.v)); }

    friend std::int32_t bits_of(Counted a) { return bits_of(a.v); }
    friend std::int32_t truncate(Counted a) { return truncate(a.v); }
    friend void store(float* at, Counted a) { *at = a.v; }

private:
    static Counted counted(float a) {
        ++counted_operations;
        return a;
    }
};

template <>
struct LaneTraits<Counted> {
    using Int = std::int32_t;
    static constexpr int width = 1;
    static Counted load(const float* at) { return *at; }
};

}  // namespace ringlet
