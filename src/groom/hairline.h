// The cap of a human head on which hair grows, found from the shape of the head alone: no groups,
// UVs or landmarks are needed, and holes or doubled faces do not matter.
#pragma once

#include <array>

#include "geom/mesh.h"

namespace ringlet {

// The proportions of a skull, measured on a mesh in metres with +y up that faces +z.
struct Skull {
    Vec3f centre{0, 0, 0};  // m, between the tops of the ears
    float top = 0;          // m, y of the crown
    float length = 0;       // m, from forehead to occiput; 0: the mesh has no surface

    // y of the chin, from the proportions of the head. m.
    float chin() const { return top - 1.17f * length; }
};

// Uses the triangles on which hair may grow.
Skull find_skull(const Mesh& mesh);

// A hairline on a skull: above the brow, round the temples, in front of the ears, over and behind
// them, and across the nape. Symmetric.
class Hairline {
public:
    explicit Hairline(const Skull& skull);

    // The distance in metres from the hairline, measured over the skull; positive where hair grows.
    // Far from the line only the sign is meaningful.
    float depth(Vec3f point) const;

    // The share of hair that grows at a point of the skin: 0 at the hairline, whose border is
    // irregular by up to 5 mm, 1 at kSoftEdge metres behind it. 0 on surfaces that do not face away
    // from the skull, such as the backs of ears.
    float weight(Vec3f point, Vec3f normal) const;

    static constexpr float kSoftEdge = 0.01f;  // m

private:
    static constexpr int kSteps = 90;  // of 2 degrees, from the front to the back

    Skull skull_;
    // Unit directions from the centre, from the front by the side of +x to the back.
    std::array<Vec3f, kSteps + 1> line_;
};

}  // namespace ringlet
