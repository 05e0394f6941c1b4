// Per-frame constants, documented at struct FrameBlock of view.h.
layout(std140, binding = kFrameBinding) uniform Frame {
    mat4 view_projection;
    mat4 lamp_matrix[kLampCount];
    vec4 eye;
    vec4 camera_right;
    vec4 camera_up;
    vec4 camera_forward;
    vec4 viewport;
    vec4 lamp_direction[kLampCount];
    vec4 lamp_colour[kLampCount];
    vec4 sizes;
    vec4 sky_colour;
    vec4 bounce_colour;
    vec4 background;
    vec4 ground;
    vec4 hair;
    vec4 grid_origin;
    vec4 grid_scale;
    vec4 contact;
    vec4 subject;
    vec4 raster;
    vec4 lobes;
} frame;

const float kPi = 3.14159265;
