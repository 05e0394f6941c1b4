// The units and axes of a mesh or groom file, as a scene states them.
#pragma once

#include <string_view>

#include "math/vec3.h"

namespace ringlet {

enum class LengthUnit { automatic, metre, centimetre, millimetre, inch, foot };
constexpr std::string_view word_of(LengthUnit unit) {
    switch (unit) {
        case LengthUnit::automatic:
            return "auto";
        case LengthUnit::metre:
            return "m";
        case LengthUnit::centimetre:
            return "cm";
        case LengthUnit::millimetre:
            return "mm";
        case LengthUnit::inch:
            return "in";
        case LengthUnit::foot:
            return "ft";
    }
    return {};
}

// Metres per unit; 0 for automatic.
float metres_of(LengthUnit unit);
// "centimetres", for messages.
std::string_view plural_of(LengthUnit unit);

enum class SignedAxis { automatic, plus_x, minus_x, plus_y, minus_y, plus_z, minus_z };
constexpr std::string_view word_of(SignedAxis axis) {
    switch (axis) {
        case SignedAxis::automatic:
            return "auto";
        case SignedAxis::plus_x:
            return "+x";
        case SignedAxis::minus_x:
            return "-x";
        case SignedAxis::plus_y:
            return "+y";
        case SignedAxis::minus_y:
            return "-y";
        case SignedAxis::plus_z:
            return "+z";
        case SignedAxis::minus_z:
            return "-z";
    }
    return {};
}

// The unit vector; zero for automatic.
Vec3f vector_of(SignedAxis axis);
// The axis nearest to a direction; automatic for the zero vector.
SignedAxis axis_near(Vec3f direction);

// The units and axes of a file, as a scene states them.
struct PlacementSettings {
    LengthUnit units = LengthUnit::automatic;
    float scale = 0;                            // m per unit of the file; 0: by `units`
    SignedAxis up = SignedAxis::automatic;      // axis of the file that points up
    SignedAxis facing = SignedAxis::automatic;  // axis of the file that the face looks along
    Vec3f rotate_degrees{0, 0, 0};              // after `up` and `facing`: about x, then y, then z
    Vec3f offset{0, 0, 0};                      // m, after scale and rotation

    bool operator==(const PlacementSettings&) const;
};

}  // namespace ringlet
