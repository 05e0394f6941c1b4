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

// Whether the shoulders of a mesh move with its head.
enum class NeckKind { rigid, automatic };
constexpr std::string_view word_of(NeckKind kind) {
    switch (kind) {
        case NeckKind::rigid:
            return "rigid";
        case NeckKind::automatic:
            return "auto";
    }
    return {};
}

struct HeadMotion {
    std::vector<HeadKey> keys;  // sorted by time; interpolated smoothly, constant outside
    MotionKind motion = MotionKind::none;
    float amplitude = 0.03f;   // m for shake, rad for nod and turn
    float frequency = 2;       // 1/s; turns per second for spin
    Vec3f pivot{0, 0.25f, 0};  // m, centre of rotation
    NeckKind neck = NeckKind::rigid;
    SequenceFiles sequence{};  // mesh sequence of the head's shapes
    float delay = 0;           // s, by which the whole motion is delayed
};

Rigidf pose_at(const HeadMotion& motion, double time);

// How far a head moves while the shoulders stay: beyond these angles (rad) about x, y and z, and
// beyond this translation (m) along each axis, the shoulders move by the rest.
inline constexpr Vec3f kNeckTurn{1.0f, 1.4f, 0.7f};
inline constexpr float kNeckShift = 0.06f;

// The pose of the shoulders of a head with a neck.
Rigidf shoulder_pose_at(const HeadMotion& motion, double time);

}  // namespace ringlet
