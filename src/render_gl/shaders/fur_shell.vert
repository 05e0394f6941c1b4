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

struct LitTuft {
    FurLight light;
    float tone;  // as tone_of()
};

// The mean light between two heights. A shell shows the light at its own height. The innermost shell
// under strands also stands for the strands that are seen along their axis: their ribbons cover
// nothing, while a strand covers a disc that shows it from the skin at the rim to the tip in the
// centre. The highlight is narrow, so the light at one height would miss it.
LitTuft light_between(Tuft tuft, float low, float high, float relative_length, vec4 soft) {
    int samples = coat.strands.x > 0.5 ? 8 : 1;
    LitTuft sum = LitTuft(FurLight(vec3(0), vec3(0), vec3(0)), 0.0);
    for (int k = 0; k < samples; ++k) {
        float height = mix(low, high, (float(k) + 0.5) / float(samples));
        float tone = tone_of(height, relative_length);
        CurvePoint at = arc_curve(tuft, coat.shape.x, height * coat.shape.x);
        FurLight light = fur_light(at.position, tuft.normal, at.tangent, tone, tuft.length, soft);
        sum.light.diffuse += light.diffuse / float(samples);
        sum.light.sheen += light.sheen / float(samples);
        sum.light.glow += light.glow / float(samples);
        sum.tone += tone / float(samples);
    }
    return sum;
}

void main() {
    Tuft tuft = tuft_of(uint(gl_VertexID));
    // The innermost shell lies on the skin, just far enough above it to hide it.
    float shell = max(float(gl_InstanceID), 0.3) / shells_per_shell;
    float height = shell / coat.shape.x;
    CurvePoint at = arc_curve(tuft, coat.shape.x, shell);
    vec3 view = normalize(frame.eye.xyz - at.position);
    float along = dot(at.tangent, view);
    float top = coat.strands.x * (1.0 - coat.tip_colour.w) * along * along;
    vec4 soft = soft_light_above(at.position, tuft.normal, tuft.length, coat.strands.x > 0.5);
    LitTuft lit =
        light_between(tuft, height, max(height, top), roots[gl_VertexID].position_length.w, soft);
    skin_point = vec4(roots[gl_VertexID].position_length.xyz * coat.shape.z, lit.tone);
    // Seen edge-on, a shell is a row of dots; fins replace it there.
    float facing = dot(tuft.normal, view);
    float edge_on = smoothstep(0.1, 0.5, height) * (1.0 - smoothstep(-0.05, 0.35, facing));
    float seen = 1.0 - coat.style.y * edge_on;
    seen *= is_grown(roots[gl_VertexID].position_length.w);
    coat_uv_height = vec4(roots[gl_VertexID].uv.xy, height, seen);
    // 2 / pi is the mean width of a disc over its diameter.
    float slant = length(cross(at.tangent, view)) / max(abs(dot(tuft.normal, view)), 0.1);
    float shells = coat.shape.x * shells_per_shell;
    way = vec2(0.64 * slant * tuft.length * coat.shape.z, 1.0) / shells;
    hides_skin = gl_InstanceID == 0 ? 1.0 : 0.0;
    diffuse = lit.light.diffuse;
    sheen = lit.light.sheen;
    glow = lit.light.glow;
    gl_Position = frame.view_projection * vec4(at.position, 1);
    gl_Position.xy += frame.raster.xy * gl_Position.w;
}
