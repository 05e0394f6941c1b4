// sin, cos, exp, log and atan2 in plain arithmetic, so that every machine computes the same bits.
// They use Taylor series, truncated where the next term is below float rounding.
// tests/unit/elementary_test.cpp measures the stated errors.
#pragma once

#include "math/lanes.h"

namespace ringlet {

inline constexpr float kPi = 3.14159265358979f;

template <class F>
struct SinCos {
    F sin, cos;
};

// Absolute error at most 1.2e-7 for |x| <= 1000, growing with |x| because the range reduction loses
// digits.
template <class F>
RINGLET_KERNEL SinCos<F> sin_cos(F x) {
    // Nearest multiple of pi/2, subtracted in three pieces of which the first two have spare low
    // bits, so that their products with a small integer are exact.
    const F turns = x * F(0.636619772f);
    const LaneInt<F> quadrant = truncate(turns + select(turns < F(0), F(-0.5f), F(0.5f)));
    const F k = to_float(quadrant);
    F r = x - k * F(1.5703125f);
    r = r - k * F(4.837512969970703125e-4f);
    r = r - k * F(7.549789948768648e-8f);

    const F r2 = r * r;
    const F s = r + r * r2 *
                        (F(-1.0f / 6) +
                         r2 * (F(1.0f / 120) + r2 * (F(-1.0f / 5040) + r2 * F(1.0f / 362880))));
    const F c =
        F(1) + r2 * (F(-0.5f) + r2 * (F(1.0f / 24) + r2 * (F(-1.0f / 720) + r2 * F(1.0f / 40320))));

    const auto swapped = is_odd(quadrant);
    const F sin_sign = select(is_odd(quadrant >> 1), F(-1), F(1));
    const F cos_sign = select(is_odd((quadrant + LaneInt<F>(1)) >> 1), F(-1), F(1));
    return {sin_sign * select(swapped, c, s), cos_sign * select(swapped, s, c)};
}

// Relative error at most 2e-7; inputs beyond [-87, 88] are clamped there.
template <class F>
RINGLET_KERNEL F exp(F x) {
    x = min(max(x, F(-87.0f)), F(88.0f));
    const F halves = x * F(1.44269504f);
    const LaneInt<F> n = truncate(halves + select(halves < F(0), F(-0.5f), F(0.5f)));
    const F k = to_float(n);
    const F r = (x - k * F(0.693145751953125f)) - k * F(1.42860677e-6f);
    const F series =
        F(1) +
        r * (F(1) + r * (F(0.5f) +
                         r * (F(1.0f / 6) + r * (F(1.0f / 24) +
                                                 r * (F(1.0f / 120) +
                                                      r * (F(1.0f / 720) + r * F(1.0f / 5040)))))));
    return series * from_bits((n + LaneInt<F>(127)) << 23);
}

// Natural logarithm. Absolute error at most 4e-7 for results within [-8, 8], otherwise relative
// error at most 1e-7; inputs below 1.2e-38 are clamped there.
template <class F>
RINGLET_KERNEL F log(F x) {
    // x = 2^n m with m in [sqrt(1/2), sqrt(2)), and log m = 2 artanh((m - 1)/(m + 1)).
    const LaneInt<F> bits = bits_of(max(x, F(1.17549435e-38f)));
    const LaneInt<F> n = (bits - LaneInt<F>(0x3f3504f3)) >> 23;
    const F m = from_bits(bits - (n << 23)), k = to_float(n);
    const F u = (m - F(1)) / (m + F(1)), u2 = u * u;
    const F series =
        F(2) + u2 * (F(2.0f / 3) + u2 * (F(0.4f) + u2 * (F(2.0f / 7) + u2 * F(2.0f / 9))));
    return k * F(0.693145751953125f) + (k * F(1.42860677e-6f) + u * series);
}

// The angle of (x, y) in [-pi, pi]; absolute error at most 3e-7; 0 for (0, 0).
template <class F>
RINGLET_KERNEL F atan2(F y, F x) {
    const F ax = abs(x), ay = abs(y);
    const auto steep = ay > ax;
    const F t = select(steep, ax, ay) / max(select(steep, ay, ax), F(1.17549435e-38f));
    // Above tan(pi/8), rotate by pi/4: the argument of the series is at most tan(pi/8) = 0.414.
    const auto far = t > F(0.414213562f);
    const F u = select(far, (t - F(1)) / (t + F(1)), t);
    const F u2 = u * u;
    F a =
        u * (F(1) +
             u2 * (F(-1.0f / 3) +
                   u2 * (F(0.2f) + u2 * (F(-1.0f / 7) +
                                         u2 * (F(1.0f / 9) +
                                               u2 * (F(-1.0f / 11) +
                                                     u2 * (F(1.0f / 13) + u2 * F(-1.0f / 15))))))));
    a = select(far, a + F(kPi / 4), a);
    a = select(steep, F(kPi / 2) - a, a);
    a = select(x < F(0), F(kPi) - a, a);
    return select(y < F(0), -a, a);
}

// base^(1/n) for base in [0, 1], in double precision by Newton's method.
inline double nth_root(double base, int n) {
    if (base <= 0 || n <= 0) return 0;
    double y = 1;
    for (int i = 0; i < 2000; ++i) {
        double power = 1;
        for (int j = 0; j < n - 1; ++j) power *= y;
        const double next = y - (y * power - base) / (n * power);
        if (next >= y) break;
        y = next;
    }
    return y;
}

}  // namespace ringlet
