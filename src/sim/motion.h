// Head motion by keyframes and named motions: a rigid pose as a function of time.
#pragma once

#include <string_view>
#include <vector>

#include "collide/sequence_files.h"
#include "math/quat.h"

namespace ringlet {

struct HeadKey {
    float time = 0;                 // s
    Vec3f translate{0, 0, 0};       // m
    Vec3f rotate_degrees{0, 0, 0};  // about x (nod), y (turn), z (tilt), applied in that order
};

enum class MotionKind { none, nod, turn, shake, spin };
constexpr std::string_view word_of(MotionKind kind) {
    switch (kind) {
        case MotionKind::none:
            return "none";
        case MotionKind::nod:
            return "nod";
        case MotionKind::turn:
            return "turn";
        case MotionKind::shake:
            return "shake";
        case MotionKind::spin:
            return "spin";
    }
    return {};
}

struct HeadMotion {
    std::vector<HeadKey> keys;  // sorted by time; interpolated smoothly, constant outside
    MotionKind motion = MotionKind::none;
    float amplitude = 0.03f;   // m for shake, rad for nod and turn
    float frequency = 2;       // 1/s; turns per second for spin
    Vec3f pivot{0, 0.25f, 0};  // m, centre of rotation
    SequenceFiles sequence{};  // mesh sequence of the head's shapes
    float delay = 0;           // s, by which the whole motion is delayed
};

Rigidf pose_at(const HeadMotion& motion, double time);

}  // namespace ringlet
