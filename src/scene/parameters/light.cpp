// [light]: key, fill and rim light.
#include "scene/parameters/declarations.h"

namespace ringlet {

void declare_light(ParameterTable& table, Scene& scene) {
    ParameterGroup<Light> light(table.parameters, "light.", scene.light);
    light.vector("direction", &Light::direction)
        .direction()
        .range(-1000, 1000)
        .says("Direction from the scene towards the key light.");
    light.colour("colour", &Light::colour).range(0, 10).says("Linear RGB of the key light.");
    light.real("key", &Light::key).range(0, 100).says("Strength of the key light.");
    light.real("fill", &Light::fill)
        .range(0, 100)
        .says("Strength of the soft light from all directions.");
    light.real("rim", &Light::rim).range(0, 100).says("Strength of the light from behind.");
}

}  // namespace ringlet
