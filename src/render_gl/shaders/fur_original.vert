#version 450 core
// Shells of the style `original`: each triangle has its own three vertices and the same texture
// coordinates.
#include "frame.glsl"
#include "fur_coat.glsl"
#include "fur_curve.glsl"
layout(std430, binding = kListBinding) readonly buffer Corners { uint corners[]; };
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 along;
layout(location = 2) out vec4 uv_both;  // in the shell texture, in the coat's image
layout(location = 3) out float shell_share;

void main() {
    uint index = corners[gl_VertexID];
    float shell = float(gl_InstanceID + 1);
    CurvePoint at = original_curve(tuft_of(index), coat.shape.x, shell);
    world = at.position;
    along = at.tangent;
    int corner = gl_VertexID % 3;
    uv_both = vec4(coat.style.x * vec2(corner == 1, corner == 2), roots[index].uv.xy);
    shell_share = shell / coat.shape.x;
    gl_Position = frame.view_projection * vec4(world, 1);
    gl_Position.xy += frame.raster.xy * gl_Position.w;
}
