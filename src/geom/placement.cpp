#include "geom/placement.h"

#include <cmath>

#include "math/quat.h"

namespace ringlet {

namespace {

bool same(Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

float metres_of(LengthUnit unit) {
    switch (unit) {
        case LengthUnit::automatic:
            return 0;
        case LengthUnit::metre:
            return 1;
        case LengthUnit::centimetre:
            return 0.01f;
        case LengthUnit::millimetre:
            return 0.001f;
        case LengthUnit::inch:
            return 0.0254f;
        case LengthUnit::foot:
            return 0.3048f;
    }
    return 0;
}

std::string_view plural_of(LengthUnit unit) {
    switch (unit) {
        case LengthUnit::automatic:
            return "an unknown unit";
        case LengthUnit::metre:
            return "metres";
        case LengthUnit::centimetre:
            return "centimetres";
        case LengthUnit::millimetre:
            return "millimetres";
        case LengthUnit::inch:
            return "inches";
        case LengthUnit::foot:
            return "feet";
    }
    return {};
}

Vec3f vector_of(SignedAxis axis) {
    const int k = static_cast<int>(axis) - 1;
    if (k < 0) return {0, 0, 0};
    const float sign = k % 2 == 0 ? 1.0f : -1.0f;
    return {k / 2 == 0 ? sign : 0.0f, k / 2 == 1 ? sign : 0.0f, k / 2 == 2 ? sign : 0.0f};
}

SignedAxis axis_near(Vec3f direction) {
    if (same(direction, {0, 0, 0})) return SignedAxis::automatic;
    SignedAxis best = SignedAxis::plus_x;
    for (int k = 1; k <= 6; ++k)
        if (const auto axis = static_cast<SignedAxis>(k);
            dot(vector_of(axis), direction) > dot(vector_of(best), direction))
            best = axis;
    return best;
}

bool PlacementSettings::operator==(const PlacementSettings& other) const {
    return units == other.units && scale == other.scale && up == other.up &&
           facing == other.facing && same(rotate_degrees, other.rotate_degrees) &&
           same(offset, other.offset);
}

bool Placement::is_identity() const {
    const Placement none;
    return same(row[0], none.row[0]) && same(row[1], none.row[1]) && same(row[2], none.row[2]) &&
           scale == 1 && same(offset, none.offset);
}

Vec3f turned(const Placement& placement, Vec3f direction) {
    return {dot(placement.row[0], direction), dot(placement.row[1], direction),
            dot(placement.row[2], direction)};
}

Vec3f apply(const Placement& placement, Vec3f point) {
    return turned(placement, point) * placement.scale + placement.offset;
}

Placement operator*(const Placement& a, const Placement& b) {
    Placement out;
    for (int k = 0; k < 3; ++k)
        out.row[k] = b.row[0] * a.row[k].x + b.row[1] * a.row[k].y + b.row[2] * a.row[k].z;
    out.scale = a.scale * b.scale;
    out.offset = apply(a, b.offset);
    return out;
}

Placement turn_upright(Vec3f up, Vec3f facing) {
    Placement out;
    out.row[0] = cross(up, facing);
    out.row[1] = up;
    out.row[2] = facing;
    return out;
}

Placement rotate_and_move(Vec3f degrees, Vec3f offset) {
    Placement out;
    out.offset = offset;
    if (same(degrees, {0, 0, 0})) return out;
    const auto about = [](Vec3f axis, float angle) {
        return quat_from_axis_angle(axis, angle * (kPi / 180));
    };
    const Quatf q = about(Vec3f{0, 0, 1}, degrees.z) *
                    (about(Vec3f{0, 1, 0}, degrees.y) * about(Vec3f{1, 0, 0}, degrees.x));
    // The rows of a rotation are the axes, rotated back.
    out.row[0] = rotate(conjugate(q), Vec3f{1, 0, 0});
    out.row[1] = rotate(conjugate(q), Vec3f{0, 1, 0});
    out.row[2] = rotate(conjugate(q), Vec3f{0, 0, 1});
    return out;
}

void place(const Placement& placement, Mesh& mesh) {
    if (placement.is_identity()) return;
    for (Vec3f& p : mesh.positions) p = apply(placement, p);
    for (Vec3f& n : mesh.normals) n = turned(placement, n);
}

}  // namespace ringlet
