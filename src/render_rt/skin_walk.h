// Light under the surface of skin: a random walk through a medium that scatters and absorbs, until
// it leaves. The medium has the reflectance of the surface's colour, by the fit of Chiang et al.,
// "Practical and controllable subsurface scattering for production path tracing", 2016.
#pragma once

#include "render_rt/random_stream.h"
#include "render_rt/ray_scene.h"

namespace ringlet {

class SkinWalk {
public:
    // The sets of random numbers that a walk may use.
    static constexpr std::uint32_t kSets = 4096;

    // `depth` as RenderSettings::subsurface.
    explicit SkinWalk(float depth) : depth_(depth) {}
    bool is_on() const { return depth_ > 0; }

    struct Exit {
        RayHit hit;  // where the light leaves
        // The part of the light that is left; zero if it is absorbed.
        Vec3f weight;
    };
    // Follows light from a hit on a mesh. `first` is the first of kSets sets of random numbers.
    // Light that gets out through an opening of the mesh is lost.
    Exit follow(const RayScene& scene, const RayHit& entry, const RandomStream& random,
                std::uint32_t first) const;

private:
    float depth_;
};

}  // namespace ringlet
