// Skin and clay: a diffuse base under a glossy layer (picture/skin.glsl). The base receives the
// light that the layer does not reflect. There is no light under the surface yet.
#pragma once

#include <array>

#include "math/quat.h"

namespace ringlet {

class SkinScatter {
public:
    // `normal` and `view` are unit vectors on the same side of the surface.
    SkinScatter(Vec3f albedo, Vec3f normal, Vec3f view);

    struct Evaluation {
        Vec3f value;    // reflectance times the cosine of the light's direction
        float density;  // of sample(), per solid angle
    };
    Evaluation evaluate(Vec3f light) const;
    // Draws a direction from three uniform numbers. May lie below the surface, where evaluate()
    // gives 0.
    Vec3f sample(const std::array<float, 3>& uniform) const;

private:
    Vec3f albedo_;
    Framef frame_;
    Vec3f view_;
    float view_cosine_;
    float gloss_chance_;
};

}  // namespace ringlet
