#version 450 core
// Shells: the skin moved outwards along the curves of its fur. One per instance, inner to outer.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "fur_coat.glsl"
#include "fur_curve.glsl"
#include "fur_colour.glsl"
#include "fur_light.glsl"
#define VARYING out
#include "fur_shell.glsl"
layout(location = kLevelsUniform) uniform float shells_per_shell;

void main() {
    Tuft tuft = tuft_of(uint(gl_VertexID));
    // The innermost shell lies on the skin, just far enough above it to hide it.
    float shell = max(float(gl_InstanceID), 0.3) / shells_per_shell;
    float height = shell / coat.shape.x;
    CurvePoint at = arc_curve(tuft, coat.shape.x, shell);
    vec3 view = normalize(frame.eye.xyz - at.position);
    float tone = tone_of(height, roots[gl_VertexID].position_length.w);
    vec2 soft = soft_light_above(at.position, tuft.normal, tuft.length, coat.strands.x > 0.5);
    FurLight light = fur_light(at.position, tuft.normal, FurPiece(at.tangent, vec3(0)), tone,
                               tuft.length, soft);
    skin_point = vec4(roots[gl_VertexID].position_length.xyz * coat.shape.z, tone);
    // Seen edge-on, a shell is a row of dots; fins replace it there.
    float facing = dot(tuft.normal, view);
    float edge_on = smoothstep(0.1, 0.5, height) * (1.0 - smoothstep(-0.05, 0.35, facing));
    seen = 1.0 - coat.style.y * edge_on;
    coat_uv_height = vec4(roots[gl_VertexID].uv.xy, height,
                          is_grown(roots[gl_VertexID].position_length.w));
    growth = area_growth(tuft, at.position);
    // Per area of the shell on screen: the sides of the strands, and their cross-sections.
    float sides = length(cross(at.tangent, view)) * tuft.length * coat.shape.z;
    way = vec2(sides, max(dot(at.tangent, view), 0.0)) /
          (max(abs(facing), 0.1) * coat.shape.x * shells_per_shell * growth);
    hides_skin = gl_InstanceID == 0 ? 1.0 : 0.0;
    diffuse = light.diffuse;
    sheen = light.sheen;
    glow = light.glow;
    gl_Position = frame.view_projection * vec4(at.position, 1);
    gl_Position.xy += frame.raster.xy * gl_Position.w;
}
