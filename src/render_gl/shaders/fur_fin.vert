#version 450 core
// Fins: mesh edges extruded along the fur near silhouettes, which hide the gaps between shells
// (Lengyel et al. 2001). One strip per instance.
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "fur_coat.glsl"
#include "fur_curve.glsl"
#include "fur_colour.glsl"
#include "fur_light.glsl"
#define VARYING out
#include "fur_shell.glsl"
layout(std430, binding = kListBinding) readonly buffer Edges { uint edges[]; };
layout(location = kLevelsUniform) uniform float levels;

void main() {
    uint index = edges[gl_InstanceID * 2 + (gl_VertexID & 1)];
    Tuft tuft = tuft_of(index);
    float height = float(gl_VertexID >> 1) / levels;
    CurvePoint at = arc_curve(tuft, coat.shape.x, height * coat.shape.x);
    float tone = tone_of(height, roots[index].position_length.w);
    vec2 soft = soft_light_above(at.position, tuft.normal, tuft.length, false);
    FurLight light =
        fur_light(at.position, tuft.normal, FurPiece(at.tangent, vec3(0)), tone, tuft.length, soft);
    // Fins fade in near the silhouette, so that none appears suddenly, and fade out where they are
    // seen edge-on themselves.
    vec3 view = normalize(frame.eye.xyz - tuft.root);
    float facing = abs(dot(tuft.normal, view));
    seen = coat.style.y * (1.0 - smoothstep(0.3, 1.0, facing / coat.style.z));
    vec3 along = tuft.root - tuft_of(edges[gl_InstanceID * 2 + 1 - (gl_VertexID & 1)]).root;
    vec3 across = normalize(cross(along, at.tangent) + 1e-9);
    seen *= smoothstep(0.2, 0.55, abs(dot(across, view)));
    skin_point = vec4(roots[index].position_length.xyz * coat.shape.z, tone);
    coat_uv_height =
        vec4(roots[index].uv.xy, height, is_grown(roots[index].position_length.w));
    growth = area_growth(tuft, at.position);
    way = vec2(0);
    hides_skin = 0.0;
    diffuse = light.diffuse;
    sheen = light.sheen;
    glow = light.glow;
    gl_Position = frame.view_projection * vec4(at.position, 1);
    gl_Position.xy += frame.raster.xy * gl_Position.w;
}
