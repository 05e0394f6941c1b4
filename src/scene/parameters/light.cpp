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
    light.real("size", &Light::size)
        .unit("degrees")
        .range(0, 90)
        .says(
            "Angular diameter of the key and rim lights, which softens shadows; renderer trace "
            "only.");
    light.text("environment", &Light::environment)
        .names_file()
        .says(
            "Light from all directions instead of the soft light: a .hdr or .exr file in longitude "
            "and latitude, or \"studio\"; renderer gl uses its mean colours above and below the "
            "horizon.");
    light.real("environment_gain", &Light::environment_gain)
        .range(0, 1e6)
        .says("Factor of the light of light.environment.");
    light.real("environment_rotation", &Light::environment_rotation)
        .unit("degrees")
        .range(-360, 360)
        .says("Turn of light.environment about the vertical axis.");
}

}  // namespace ringlet
