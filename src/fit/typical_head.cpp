#include "fit/radial_map.h"

namespace ringlet {

namespace {

// The left half of the map of the built-in bust (tools/make_bust), averaged with its right half:
// centre (0, 0.385, 0) m, height 0.23 m. tests/unit/find_head_test.cpp compares it with the bust.
constexpr float kLeftHalf[RadialMap::kElevations][RadialMap::kAzimuths / 2] = {
    {0.800f, 0.799f, 0.799f, 0.800f, 0.800f, 0.800f, 0.800f, 0.000f, 0.000f, 0.000f, 0.000f,
     0.000f},
    {0.567f, 0.555f, 0.531f, 0.535f, 0.588f, 0.737f, 0.800f, 0.800f, 0.000f, 0.000f, 0.000f,
     0.800f},
    {0.620f, 0.580f, 0.520f, 0.478f, 0.450f, 0.442f, 0.490f, 0.800f, 0.800f, 0.800f, 0.800f,
     0.800f},
    {0.581f, 0.520f, 0.462f, 0.433f, 0.401f, 0.379f, 0.384f, 0.410f, 0.485f, 0.534f, 0.535f,
     0.495f},
    {0.494f, 0.437f, 0.425f, 0.399f, 0.354f, 0.331f, 0.364f, 0.370f, 0.404f, 0.425f, 0.426f,
     0.410f},
    {0.476f, 0.392f, 0.392f, 0.367f, 0.336f, 0.335f, 0.354f, 0.379f, 0.387f, 0.415f, 0.434f,
     0.443f},
    {0.417f, 0.414f, 0.405f, 0.376f, 0.342f, 0.333f, 0.367f, 0.378f, 0.405f, 0.438f, 0.464f,
     0.475f},
    {0.446f, 0.439f, 0.422f, 0.401f, 0.383f, 0.375f, 0.386f, 0.408f, 0.437f, 0.467f, 0.492f,
     0.503f},
    {0.466f, 0.461f, 0.449f, 0.436f, 0.424f, 0.420f, 0.428f, 0.446f, 0.469f, 0.493f, 0.510f,
     0.519f},
    {0.478f, 0.476f, 0.470f, 0.464f, 0.458f, 0.459f, 0.464f, 0.477f, 0.491f, 0.504f, 0.515f,
     0.521f},
    {0.486f, 0.486f, 0.485f, 0.484f, 0.484f, 0.486f, 0.490f, 0.495f, 0.500f, 0.506f, 0.514f,
     0.518f},
    {0.498f, 0.497f, 0.497f, 0.497f, 0.497f, 0.498f, 0.498f, 0.499f, 0.501f, 0.504f, 0.507f,
     0.509f},
};

RadialMap both_halves() {
    RadialMap out;
    for (std::size_t e = 0; e < RadialMap::kElevations; ++e)
        for (std::size_t a = 0; a < RadialMap::kAzimuths / 2; ++a)
            out.radius[e][a] = out.radius[e][RadialMap::kAzimuths - 1 - a] = kLeftHalf[e][a];
    return out;
}

}  // namespace

const RadialMap& typical_head() {
    static const RadialMap kMap = both_halves();
    return kMap;
}

}  // namespace ringlet
