// Eight lanes do what one does, to the bit; and the vectors, rotations and frames built on them.
#include "math/lanes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "math/noise.h"
#include "math/quat.h"
#include "math/wide8.h"

namespace ringlet {
namespace {

using Wide = Wide8<IsaPortable>;
using WideInt = LaneInt<Wide>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Every pair of these meets in some lane.
const std::vector<float> kValues{0.0f,   -0.0f,   1.0f,      -1.0f,  1.5f,      -2.5f,
                                 1e-45f, -1e-40f, 3e38f,     -3e38f, kInfinity, -kInfinity,
                                 NAN,    0.1f,    123456.7f, 7.0f,   -7.0f};

std::uint32_t bits(float a) { return std::bit_cast<std::uint32_t>(a); }

// Calls body(a, b), two arrays of eight different values, until every pair was seen.
template <class Body>
void for_all_pairs(Body body) {
    const std::size_t n = kValues.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; j += 8) {
            float a[8], b[8];
            for (std::size_t k = 0; k < 8; ++k) {
                a[k] = kValues[(i + k) % n];
                b[k] = kValues[(i + j + 2 * k) % n];
            }
            body(a, b);
        }
}

// Compares an operation of two floats; results that are NaN may differ in payload.
template <class WideCall, class NarrowCall>
void compare(const char* name, WideCall wide, NarrowCall narrow, bool payload_too = false) {
    for_all_pairs([&](const float* a, const float* b) {
        float lanes[8];
        store(lanes, wide(load<Wide>(a), load<Wide>(b)));
        for (int k = 0; k < 8; ++k) {
            const float alone = narrow(a[k], b[k]);
            if (!payload_too && std::isnan(lanes[k]) && std::isnan(alone)) continue;
            EXPECT_EQ(bits(lanes[k]), bits(alone)) << name << " of " << a[k] << ", " << b[k];
        }
    });
}

TEST(lanes, arithmetic_of_eight_equals_that_of_one) {
    compare(
        "+", [](Wide a, Wide b) { return a + b; }, [](float a, float b) { return a + b; });
    compare(
        "-", [](Wide a, Wide b) { return a - b; }, [](float a, float b) { return a - b; });
    compare(
        "*", [](Wide a, Wide b) { return a * b; }, [](float a, float b) { return a * b; });
    compare(
        "/", [](Wide a, Wide b) { return a / b; }, [](float a, float b) { return a / b; });
    compare(
        "negate", [](Wide a, Wide) { return -a; }, [](float a, float) { return -a; }, true);
    compare(
        "sqrt", [](Wide a, Wide) { return sqrt(a); }, [](float a, float) { return sqrt(a); });
    compare(
        "abs", [](Wide a, Wide) { return abs(a); }, [](float a, float) { return abs(a); }, true);
}

TEST(lanes, min_and_max_choose_alike_even_with_nan_and_signed_zeros) {
    compare(
        "min", [](Wide a, Wide b) { return min(a, b); }, [](float a, float b) { return min(a, b); },
        true);
    compare(
        "max", [](Wide a, Wide b) { return max(a, b); }, [](float a, float b) { return max(a, b); },
        true);
    // A comparison with NaN is false, so the second argument comes out.
    EXPECT_EQ(min(NAN, 1.0f), 1.0f);
    EXPECT_EQ(max(NAN, 1.0f), 1.0f);
    EXPECT_TRUE(std::isnan(min(1.0f, NAN)));
    EXPECT_TRUE(std::isnan(max(1.0f, NAN)));
}

TEST(lanes, comparisons_and_select_agree) {
    compare(
        "<", [](Wide a, Wide b) { return select(a < b, Wide(1), Wide(2)); },
        [](float a, float b) { return select(a < b, 1.0f, 2.0f); });
    compare(
        ">", [](Wide a, Wide b) { return select(a > b, Wide(1), Wide(2)); },
        [](float a, float b) { return select(a > b, 1.0f, 2.0f); });
    compare(
        "<=", [](Wide a, Wide b) { return select(a <= b, Wide(1), Wide(2)); },
        [](float a, float b) { return select(a <= b, 1.0f, 2.0f); });
    compare(
        ">=", [](Wide a, Wide b) { return select(a >= b, Wide(1), Wide(2)); },
        [](float a, float b) { return select(a >= b, 1.0f, 2.0f); });
    compare(
        "select", [](Wide a, Wide b) { return select(a < b, a, b); },
        [](float a, float b) { return select(a < b, a, b); }, true);
}

TEST(lanes, masks_combine_as_truth_values_do) {
    compare(
        "and", [](Wide a, Wide b) { return select(a < b && a > Wide(0), a, b); },
        [](float a, float b) { return select(a < b && a > 0.0f, a, b); }, true);
    compare(
        "or", [](Wide a, Wide b) { return select(a < b || a > Wide(0), a, b); },
        [](float a, float b) { return select(a < b || a > 0.0f, a, b); }, true);
    compare(
        "not", [](Wide a, Wide b) { return select(!(a < b), a, b); },
        [](float a, float b) { return select(!(a < b), a, b); }, true);
    compare(
        "select of integers",
        [](Wide a, Wide b) { return from_bits(select(a < b, bits_of(a), bits_of(b))); },
        [](float a, float b) { return a < b ? a : b; }, true);
}

TEST(lanes, any_is_true_for_one_lane_alone) {
    EXPECT_FALSE(any(Wide(1) < Wide(0)));
    EXPECT_TRUE(any(Wide(0) < Wide(1)));
    for (int k = 0; k < 8; ++k) {
        float one[8] = {};
        one[k] = 1;
        EXPECT_TRUE(any(load<Wide>(one) > Wide(0))) << "lane " << k;
    }
    EXPECT_TRUE(any(true));
    EXPECT_FALSE(any(false));
}

TEST(lanes, truncate_goes_towards_zero_and_back) {
    const std::vector<float> values{
        0.0f, -0.0f, 0.9f,        -0.9f,         1.5f, -1.5f,  2.5f,        -2.5f,
        1e9f, -1e9f, 2147483520., -2147483648.f, 7.0f, 1e-40f, 16777215.0f, -16777216.0f};
    for (std::size_t i = 0; i + 8 <= values.size(); i += 4) {
        const Wide wide = load<Wide>(&values[i]);
        float back[8], marked[8];
        store(back, to_float(truncate(wide)));
        store(marked, select(is_odd(truncate(wide)), Wide(1), Wide(0)));
        for (std::size_t k = 0; k < 8; ++k) {
            const float a = values[i + k];
            EXPECT_EQ(bits(back[k]), bits(to_float(truncate(a)))) << a;
            EXPECT_EQ(to_float(truncate(a)), std::trunc(a));
            EXPECT_EQ(marked[k] == 1.0f, is_odd(truncate(a))) << a;
        }
    }
    EXPECT_TRUE(is_odd(-3));
    EXPECT_FALSE(is_odd(-4));
}

TEST(lanes, integer_work_on_the_bits_agrees) {
    compare(
        "bits", [](Wide a, Wide) { return from_bits(bits_of(a)); },
        [](float a, float) { return from_bits(bits_of(a)); }, true);
    compare(
        "shift right", [](Wide a, Wide) { return from_bits(bits_of(a) >> 3); },
        [](float a, float) { return from_bits(bits_of(a) >> 3); }, true);
    compare(
        "mask",
        [](Wide a, Wide b) {
            return from_bits((bits_of(a) & WideInt(0x00ff00ff)) |
                             (bits_of(b) & WideInt(0x7f00ff00)));
        },
        [](float a, float b) {
            return from_bits((bits_of(a) & 0x00ff00ff) | (bits_of(b) & 0x7f00ff00));
        },
        true);
    compare(
        "sum and difference",
        [](Wide a, Wide) {
            const WideInt small = bits_of(a) >> 4;
            return from_bits(((small + WideInt(127)) - WideInt(3)) << 2);
        },
        [](float a, float) {
            const auto small = static_cast<std::uint32_t>(bits_of(a) >> 4);
            return from_bits(static_cast<std::int32_t>((small + 124u) << 2));
        },
        true);
}

TEST(lanes, load_and_store_keep_order_bits_and_neighbours) {
    float memory[10] = {9, NAN, -0.0f, 1e-45f, 4, 5, 6, 7, 8, 9};
    float copy[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    store(copy + 1, load<Wide>(memory + 1));  // not aligned on purpose
    EXPECT_EQ(copy[0], 1);
    EXPECT_EQ(copy[9], 10);
    for (int k = 1; k < 9; ++k) EXPECT_EQ(bits(copy[k]), bits(memory[k]));
    float rows[48] = {};
    store_vec3(rows, 16, Vec3<Wide>{Wide(1), Wide(2), Wide(3)});
    EXPECT_EQ(rows[7], 1);
    EXPECT_EQ(rows[8], 0);
    EXPECT_EQ(rows[16], 2);
    EXPECT_EQ(rows[32 + 7], 3);
    const Vec3f lane_five = load_vec3<float>(rows + 5, 16);
    EXPECT_EQ(lane_five.z, 3);
}

class Directions {
public:
    float number() { return uniform_(random_); }
    Vec3f any() { return {number(), number(), number()}; }
    Vec3f unit() { return unit_or(any(), Vec3f{0, 0, 1}); }

private:
    std::mt19937 random_{5};
    std::uniform_real_distribution<float> uniform_{-1, 1};
};

double distance(Vec3f a, Vec3f b) {
    const auto sq = [](float x, float y) {
        const double d = static_cast<double>(x) - static_cast<double>(y);
        return d * d;
    };
    return std::sqrt(sq(a.x, b.x) + sq(a.y, b.y) + sq(a.z, b.z));
}

TEST(vec3, cross_is_right_handed_and_orthogonal) {
    EXPECT_LT(distance(cross(Vec3f{1, 0, 0}, Vec3f{0, 1, 0}), Vec3f{0, 0, 1}), 1e-9);
    EXPECT_LT(distance(cross(Vec3f{0, 1, 0}, Vec3f{0, 0, 1}), Vec3f{1, 0, 0}), 1e-9);
    Directions draw;
    for (int k = 0; k < 1000; ++k) {
        const Vec3f a = draw.any(), b = draw.any(), c = cross(a, b);
        EXPECT_NEAR(dot(a, c), 0, 1e-6f);
        EXPECT_NEAR(dot(b, c), 0, 1e-6f);
        // |a x b|^2 = |a|^2 |b|^2 - (a.b)^2
        EXPECT_NEAR(dot(c, c), dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b), 2e-6f);
    }
}

TEST(vec3, unit_or_falls_back_only_without_a_direction) {
    const Vec3f otherwise{0, 0, 7};
    EXPECT_EQ(unit_or(Vec3f{0, 0, 0}, otherwise).z, 7);
    EXPECT_EQ(unit_or(Vec3f{1e-20f, 0, 0}, otherwise).z, 7);
    EXPECT_LT(distance(unit_or(Vec3f{0, -3e-11f, 0}, otherwise), Vec3f{0, -1, 0}), 1e-6);
    EXPECT_LT(distance(unit_or(Vec3f{3e9f, 0, 0}, otherwise), Vec3f{1, 0, 0}), 1e-6);
}

void expect_perpendicular(Vec3f n) {
    const Vec3f across = perpendicular(n);
    EXPECT_NEAR(norm(across), 1, 2e-6f) << n.x << " " << n.y << " " << n.z;
    EXPECT_NEAR(dot(across, n), 0, 1e-6f) << n.x << " " << n.y << " " << n.z;
}

TEST(vec3, perpendicular_is_unit_and_across_for_all_directions) {
    for (const float s : {1.0f, -1.0f}) {
        expect_perpendicular({s, 0, 0});
        expect_perpendicular({0, s, 0});
        expect_perpendicular({0, 0, s});
        expect_perpendicular({s * 0.6f, 0.8f, -0.0f});
    }
    Directions draw;
    for (int k = 0; k < 20000; ++k) expect_perpendicular(draw.unit());
    for (float off = 1e-8f; off < 0.1f; off *= 3)  // close to the pole where the formula divides
        for (const float z : {1.0f, -1.0f})
            expect_perpendicular(unit_or(Vec3f{off, -0.5f * off, z}, Vec3f{0, 0, z}));
}

// A rotation about a unit axis as Rodrigues writes it, in double.
Vec3f rotated_by_matrix(Vec3f axis, double angle, Vec3f a) {
    const double c = std::cos(angle), s = std::sin(angle);
    const double n[3] = {static_cast<double>(axis.x), static_cast<double>(axis.y),
                         static_cast<double>(axis.z)};
    const double v[3] = {static_cast<double>(a.x), static_cast<double>(a.y),
                         static_cast<double>(a.z)};
    const double matrix[3][3] = {{c + n[0] * n[0] * (1 - c), n[0] * n[1] * (1 - c) - n[2] * s,
                                  n[0] * n[2] * (1 - c) + n[1] * s},
                                 {n[1] * n[0] * (1 - c) + n[2] * s, c + n[1] * n[1] * (1 - c),
                                  n[1] * n[2] * (1 - c) - n[0] * s},
                                 {n[2] * n[0] * (1 - c) - n[1] * s,
                                  n[2] * n[1] * (1 - c) + n[0] * s, c + n[2] * n[2] * (1 - c)}};
    double out[3];
    for (int i = 0; i < 3; ++i)
        out[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    return {static_cast<float>(out[0]), static_cast<float>(out[1]), static_cast<float>(out[2])};
}

TEST(quat, rotate_agrees_with_the_rotation_matrix) {
    Directions draw;
    for (int k = 0; k < 2000; ++k) {
        const Vec3f axis = draw.unit(), a = draw.any();
        const float angle = 7 * draw.number();
        const Vec3f got = rotate(quat_from_axis_angle(axis, angle), a);
        EXPECT_LT(distance(got, rotated_by_matrix(axis, static_cast<double>(angle), a)), 3e-6);
    }
}

TEST(quat, product_is_the_second_rotation_first) {
    Directions draw;
    for (int k = 0; k < 500; ++k) {
        const Quatf p = quat_from_axis_angle(draw.unit(), 3 * draw.number());
        const Quatf q = quat_from_axis_angle(draw.unit(), 3 * draw.number());
        const Vec3f a = draw.any();
        EXPECT_LT(distance(rotate(p * q, a), rotate(p, rotate(q, a))), 3e-6);
        EXPECT_LT(distance(rotate(conjugate(p), rotate(p, a)), a), 3e-6);
    }
}

TEST(quat, normalise_makes_the_identity_of_nothing) {
    const Quatf none = normalise(Quatf{0, 0, 0, 0});
    EXPECT_EQ(none.w, 1);
    EXPECT_EQ(none.x, 0);
    const Quatf q = normalise(Quatf{3, 0, 0, -4});
    EXPECT_NEAR(q.x, 0.6f, 1e-7f);
    EXPECT_NEAR(q.w, -0.8f, 1e-7f);
}

// How far the rotation from a to b misses b; its length is checked on the way.
double miss(Vec3f a, Vec3f b) {
    const Quatf q = quat_between(a, b);
    EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, 1e-6f);
    return distance(rotate(q, a), b);
}

TEST(quat, quat_between_takes_one_direction_to_the_other) {
    Directions draw;
    for (int k = 0; k < 5000; ++k) {
        const Vec3f a = draw.unit(), b = draw.unit();
        EXPECT_LT(miss(a, b), 2e-5);
        const Quatf same = quat_between(a, a);
        EXPECT_NEAR(same.w, 1, 1e-6f);
        EXPECT_LT(miss(a, a), 1e-6);
        EXPECT_LT(miss(a, -a), 2e-6) << a.x << " " << a.y << " " << a.z;
    }
    for (const Vec3f a : {Vec3f{1, 0, 0}, Vec3f{0, 1, 0}, Vec3f{0, 0, 1}, Vec3f{0, 0, -1}}) {
        EXPECT_LT(miss(a, -a), 1e-6);
        EXPECT_EQ(quat_between(a, a).w, 1);
    }
}

TEST(quat, quat_between_is_the_smallest_rotation) {
    Directions draw;
    for (int k = 0; k < 1000; ++k) {
        const Vec3f a = draw.unit(), b = draw.unit(), axis = cross(a, b);
        if (norm(axis) < 0.1f) continue;
        // A point on the axis of the smallest rotation does not move.
        EXPECT_LT(distance(rotate(quat_between(a, b), axis), axis), 3e-6);
    }
}

TEST(quat, quat_between_nearly_opposite_directions_misses_by_little) {
    // Within 1e-6 of the opposite any half turn is taken: off by sqrt(2e-6) = 1.4e-3 at most.
    Directions draw;
    for (int k = 0; k < 2000; ++k) {
        const Vec3f a = draw.unit(), side = draw.any();
        for (float off = 1e-6f; off < 0.1f; off *= 2)
            EXPECT_LT(miss(a, unit_or(-a + side * off, -a)), 2e-3);
    }
}

void expect_orthonormal(const Framef& f, float tolerance) {
    EXPECT_NEAR(norm(f.normal), 1, tolerance);
    EXPECT_NEAR(norm(f.binormal), 1, tolerance);
    EXPECT_NEAR(dot(f.normal, f.binormal), 0, tolerance);
    EXPECT_NEAR(dot(f.normal, f.tangent), 0, tolerance);
    EXPECT_NEAR(dot(f.binormal, f.tangent), 0, tolerance);
    EXPECT_GT(dot(cross(f.normal, f.binormal), f.tangent), 0.99f);
}

TEST(frame, transport_keeps_frames_orthonormal_over_a_long_strand) {
    Directions draw;
    Vec3f tangent = draw.unit();
    Framef frame = frame_along(tangent);
    for (int k = 0; k < 4096; ++k) {  // as many vertices as a strand may have
        tangent = unit_or(tangent + draw.any() * 0.7f, tangent);
        frame = transport(frame, tangent);
        expect_orthonormal(frame, 5e-5f);
        EXPECT_EQ(frame.tangent.x, tangent.x);
    }
}

TEST(frame, transport_does_not_spin_about_a_planar_arc) {
    // Along a circle in a plane, what stands on the plane keeps standing on it.
    for (const Vec3f up : {Vec3f{0, 1, 0}, Vec3f{0, 0, 1}, Vec3f{0.6f, 0, 0.8f}}) {
        const Vec3f u = perpendicular(up), v = cross(up, u);
        const auto tangent_at = [&](int k) {
            const SinCos<float> at = sin_cos(static_cast<float>(k) * 2 * kPi / 200);
            return u * at.cos + v * at.sin;
        };
        Framef frame{up, cross(tangent_at(0), up), tangent_at(0)};
        for (int k = 1; k <= 200; ++k) {
            frame = transport(frame, tangent_at(k));
            EXPECT_GT(dot(frame.normal, up), 0.99999f) << "step " << k;
        }
        expect_orthonormal(frame, 1e-4f);
    }
}

TEST(frame, to_local_undoes_to_world) {
    Directions draw;
    for (int k = 0; k < 500; ++k) {
        const Framef frame = frame_along(draw.unit());
        expect_orthonormal(frame, 2e-6f);
        const Vec3f a = draw.any();
        EXPECT_LT(distance(to_local(frame, to_world(frame, a)), a), 3e-6);
        EXPECT_LT(distance(to_world(frame, Vec3f{0, 0, 1}), frame.tangent), 1e-7);
    }
}

TEST(frame, a_rigid_motion_turns_and_then_moves) {
    const Rigidf motion{quat_from_axis_angle(Vec3f{0, 0, 1}, kPi / 2), {10, 0, 0}};
    EXPECT_LT(distance(apply(motion, Vec3f{1, 0, 0}), Vec3f{10, 1, 0}), 1e-5);
}

TEST(frame, rotations_and_frames_of_eight_lanes_have_the_bits_of_one) {
    Directions draw;
    for (int round = 0; round < 100; ++round) {
        float memory[4][3][8];  // a, b, point and result: component by component
        for (auto& vectors : {0, 1, 2})
            for (int lane = 0; lane < 8; ++lane) {
                Vec3f a = vectors < 2 ? draw.unit() : draw.any();
                if (vectors == 1 && lane == 3)  // one lane of opposite directions
                    a = -Vec3f{memory[0][0][3], memory[0][1][3], memory[0][2][3]};
                memory[vectors][0][lane] = a.x;
                memory[vectors][1][lane] = a.y;
                memory[vectors][2][lane] = a.z;
            }
        const auto wide = [&](int k) { return load_vec3<Wide>(memory[k][0], 8); };
        const auto one = [&](int k, int lane) { return load_vec3<float>(&memory[k][0][lane], 8); };
        const Frame<Wide> frame = transport(frame_along(wide(0)), wide(1));
        store_vec3(memory[3][0], 8, to_world(frame, wide(2)));
        for (int lane = 0; lane < 8; ++lane) {
            const Framef alone = transport(frame_along(one(0, lane)), one(1, lane));
            const Vec3f expected = to_world(alone, one(2, lane)), got = one(3, lane);
            EXPECT_EQ(bits(got.x), bits(expected.x)) << "lane " << lane;
            EXPECT_EQ(bits(got.y), bits(expected.y)) << "lane " << lane;
            EXPECT_EQ(bits(got.z), bits(expected.z)) << "lane " << lane;
        }
    }
}

}  // namespace
}  // namespace ringlet
