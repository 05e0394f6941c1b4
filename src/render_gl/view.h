// Matrices of the camera and of the lamps, and the uniform block that every shader reads.
#pragma once

#include <glm/glm.hpp>

#include "geom/mesh.h"
#include "picture/camera.h"
#include "picture/light.h"
#include "picture/render_settings.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

// Sides of the shadow maps in texels, for one head. Strands are rasterised in them as lines one
// texel wide.
inline constexpr int kOpaqueMapSize = 1024;
inline constexpr int kOpacityMapSize = 512;
inline constexpr int kContactMapSize = 256;

// Uniform block `Frame` of shaders/frame.glsl (std140: vec4 and mat4 only, so no padding).
struct FrameBlock {
    glm::mat4 view_projection;
    // World to the shadow maps of a lamp: [0, 1]^3, z away from the lamp.
    glm::mat4 lamp_matrix[shader::kLampCount];
    glm::vec4 eye;             // w: near distance, m
    glm::vec4 camera_right;    // to the right edge of the image at distance 1; w: widening of
                               // strands by the level of detail
    glm::vec4 camera_up;       // to the upper edge at distance 1
    glm::vec4 camera_forward;  // unit
    glm::vec4 viewport;        // width, height, pixels per metre at distance 1, and
                               // how far a ribbon extends beyond its strand, in footprints
    glm::vec4 lamp_direction[shader::kLampCount];  // towards the lamp; w: depth range of the
                                                   // shadow maps, m
    glm::vec4 lamp_colour[shader::kLampCount];     // w: side of the shadow maps, m
    glm::vec4 sizes;          // radius of one head, m; size of the body over that of a head
                              // (Picture::body_scale)
    glm::vec4 sky_colour;     // soft light from above
    glm::vec4 bounce_colour;  // soft light from below
    glm::vec4 background;     // w: exposure
    glm::vec4 ground;         // height, drawn (0 or 1), shadows (0 or 1), flat (0 or 1)
    glm::vec4 hair;           // specular, roughness, width
    glm::vec4 grid_origin;    // low corner of the density grid; w: cell, m
    glm::vec4 grid_scale;     // xyz: 1 / (cells * cell) per axis
    glm::vec4 contact;        // x, z of the low corner of the contact map, 1 / side, side
    glm::vec4 subject;        // centre and radius of everything drawn
    glm::vec4 raster;  // shift of the image in clip units (2), strands are lines, plain (0 or 1)
    glm::vec4 lobes;   // longitudinal variances of R, TT and TRT, tilt of the cuticle
};

struct View {
    glm::mat4 matrix;  // world to camera, looking along -z
    glm::mat4 projection;
    glm::vec3 eye, right, up, forward;
    float near_distance;  // m
    float half_height;    // of the image at distance 1
};

inline glm::vec3 to_glm(Vec3f a) { return {a.x, a.y, a.z}; }

// Returns a usable view for any camera: looks along -z if eye and target coincide, and uses the
// default camera if a value is not finite.
View view_of(const Camera& wanted, int width, int height);

// The extent of everything drawn.
struct Subject {
    Bounds bounds;
    float head_size;  // m; longest side of the largest of several meshes, else of everything
};

float longest_side(const Bounds& box);

// A rectangle of pixels. `low` is inside, `high` is not.
struct PixelBox {
    glm::ivec2 low{0}, high{0};
    bool is_empty() const { return low.x >= high.x || low.y >= high.y; }
};

// The smallest rectangle that contains both; an empty one contains nothing.
PixelBox united(const PixelBox& a, const PixelBox& b);

// A rectangle of an image of the given size that contains all pixels that a box in space touches.
// The whole image if the box reaches behind the near plane or is not finite.
PixelBox pixels_of(const Bounds& box, const glm::mat4& to_clip, const View& view, glm::ivec2 size);

// The factor of the shadow maps' sides that keeps their resolution on each of several heads. At
// most 3.
int map_detail(const Subject& subject);

// An orthographic box around a sphere, aligned with a lamp. Its side is rounded to steps of
// a quarter octave and its position to whole texels of the opacity map, so that shadows do not
// flicker while hair moves.
struct LightBox {
    glm::mat4 to_map;   // world to [0, 1]^3
    float side, depth;  // m
};
LightBox light_box(glm::vec3 towards_light, glm::vec3 centre, float radius, int detail);

// Fills the part of the block that does not depend on the density grid and the strand mode.
FrameBlock frame_block(const View& view, const Light& light, const RenderSettings& settings,
                       int width, int height, const Subject& subject);

}  // namespace ringlet
