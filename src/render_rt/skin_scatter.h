// Skin and clay: a diffuse base under a glossy layer (picture/skin.glsl). The base receives the
// light that the layer does not reflect. Light that travels under the surface (skin_walk.h) leaves
// through the base somewhere else.
#pragma once

#include <array>

#include "math/quat.h"

namespace ringlet {

// The parts of the surface that scatter light.
enum class SkinPart {
    both,
    gloss,  // the layer alone
    exit,   // the base alone, for light from below that leaves in all directions alike
};

class SkinScatter {
public:
    // `normal` and `view` are unit vectors on the same side of the surface.
    SkinScatter(Vec3f albedo, Vec3f normal, Vec3f view, SkinPart part = SkinPart::both);

    // The probability that sample() chooses the glossy layer.
    float gloss_chance() const { return gloss_chance_; }
    // The share of the light from the eye's direction that passes the layer.
    float entering() const;

    struct Evaluation {
        Vec3f value;    // reflectance times the cosine of the light's direction
        float density;  // of sample(), per solid angle
    };
    Evaluation evaluate(Vec3f light) const;
    // Draws a direction from three uniform numbers. May lie below the surface, where evaluate()
    // gives 0.
    Vec3f sample(const std::array<float, 3>& uniform) const;

private:
    SkinPart part_;
    Vec3f albedo_;
    Framef frame_;
    Vec3f view_;
    float view_cosine_;
    float gloss_chance_;
};

}  // namespace ringlet
