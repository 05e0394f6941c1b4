#version 450 core
// A few shells as seen from a lamp or from straight below, for the shadow of a coat. One
// shell per instance.
#include "frame.glsl"
#include "fur_coat.glsl"
#include "fur_curve.glsl"
layout(location = kLevelsUniform) uniform float levels;
layout(location = kLampUniform) uniform int lamp;  // kNoLamp: from below
layout(location = 0) out float height;             // above the ground, m
layout(location = 1) out float cover;
layout(location = 2) flat out float layer_offset;

void main() {
    float level = float(gl_InstanceID) + 1.0, share = level / levels;
    Tuft tuft = tuft_of(uint(gl_VertexID));
    CurvePoint at = arc_curve(tuft, coat.shape.x, share * coat.shape.x);
    // Each cell of space holds a sphere whose radius shrinks with height (fur_shell.frag). Light
    // along the strands is blocked by the spheres' share of the volume. Slanted light crosses
    // further cells on its way to the next level.
    float tall = 1.0 - coat.tip_colour.w;
    float radius = coat.shape.w * sqrt(max(1.0 - share / max(tall, 0.05), 0.0));
    bool from_below = lamp == kNoLamp;
    int seen_from = max(lamp, 0);
    vec3 light = from_below ? vec3(0, 1, 0) : frame.lamp_direction[seen_from].xyz;
    float slant = length(cross(at.tangent, light)) / max(abs(dot(tuft.normal, light)), 0.1);
    float passed = 0.64 * slant * tuft.length * coat.shape.z / levels;  // 2/pi widths, in cells
    cover = 1.0 - exp(-4.19 * radius * radius * (radius / levels + passed));
    cover *= is_grown(roots[gl_VertexID].position_length.w);
    layer_offset = level * 0.618;
    height = at.position.y - frame.ground.x;
    vec2 plan = (at.position.xz - frame.contact.xy) * frame.contact.z;
    vec3 in_map = (frame.lamp_matrix[seen_from] * vec4(at.position, 1)).xyz;
    // Moves the casters behind the skin they grow on, which must not receive their shadow:
    // fur_light.glsl darkens skin under fur.
    in_map.z = min(in_map.z + 2.0 * tuft.length / frame.lamp_direction[seen_from].w, 0.9999);
    gl_Position = vec4((from_below ? vec3(plan, 0.5) : in_map) * 2.0 - 1.0, 1);
}
