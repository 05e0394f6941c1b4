// The studio in which every renderer draws a Picture: camera, lights, backdrop and tone curve. The
// arithmetic that shaders need too is in tone_curve.glsl, studio.glsl and skin.glsl.
#pragma once

#include "math/vec2.h"
#include "math/vec3.h"
#include "picture/camera.h"
#include "picture/light.h"
#include "picture/render_settings.h"

namespace ringlet {

namespace skin {

#include "picture/skin.glsl"

}  // namespace skin

// The camera's axes. Usable for any camera: looks along -z if eye and target coincide, and uses the
// default camera if a value is not finite.
struct CameraFrame {
    explicit CameraFrame(const Camera& wanted);

    Vec3f eye, right, up, forward;  // the axes are unit vectors
    float distance;                 // m, from the eye to the target, within 0.05 and 1000
    float angle;                    // vertical field of view, radians
    float half_height;              // of the image at distance 1
    float lens_radius;              // m; 0: a pinhole
    float focus;                    // m, along the axis
};

// The lights of a scene as renderers use them, linear RGB.
struct StudioLights {
    StudioLights(const Light& light, Vec3f background);

    Vec3f key_direction, rim_direction;  // unit, towards the light
    Vec3f key, rim;                      // irradiance of a surface that faces the light
    // Radiance of all directions above and below the horizon: the soft light, or the means of the
    // environment map.
    Vec3f sky, bounce;
};

// The backdrop at a place of the image, from -1 to 1, upwards. `centre` is the subject's place.
Vec3f wall_light(Vec2f screen, Vec2f centre, float aspect, Vec3f background);
// The factor of wall_light() on the floor, at a distance from the subject in units of its radius.
// `key` is the share of the key light that arrives there, `contact` the share of the surroundings
// that the subject hides.
Vec3f floor_light(float distance, float key, float contact);

// The sRGB colour, from 0 to 1, of linear light that has been multiplied by the exposure.
Vec3f tone_mapped(Vec3f light);
// Noise of half a byte, from -0.5 to 0.5, for pixel (x, y) counted from the lower left corner.
float tone_grain(unsigned x, unsigned y);

}  // namespace ringlet
