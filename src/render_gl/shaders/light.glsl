// The transmittance of the lights at a point. Needs frame.glsl and opacity.glsl before it.
// Shadow maps have a layer for each lamp.
layout(binding = kOpaqueMapUnit) uniform sampler2DArrayShadow opaque_map;
// x: all strands of a texel; y: 1 where there are any.
layout(binding = kOpacityUnit) uniform sampler2DArray opacity_map;
// The depths at which kKnotCounts strands are between a point and the lamp; 0 where there are none.
layout(binding = kKnotUnit) uniform sampler2DArray knot_map;
layout(binding = kGridUnit) uniform sampler3D grid_map;
layout(binding = kContactUnit) uniform sampler2D contact_map;
layout(binding = kCoverUnit) uniform sampler2D cover_map;  // 1 on meshes; mip levels blur it

vec3 to_light_map(int lamp, vec3 p) {
    vec3 at = (frame.lamp_matrix[lamp] * vec4(p, 1)).xyz;
    // Points beyond the far plane are behind everything in the map.
    return vec3(at.xy, min(at.z, 0.9999));
}

// The number of strands between a point and a lamp, in units of full cover. Averages the depths at
// which certain counts are reached over a disc of `radius` texels, which leaves surfaces that slant
// in place: an average of counts would shadow them. Texels without strands have no such depths.
float soft_opacity(int lamp, vec3 at, float radius) {
    const vec2 kTaps[4] = vec2[](vec2(0.38, 0.92), vec2(-0.92, 0.38), vec2(-0.38, -0.92),
                                 vec2(0.92, -0.38));
    float texel = radius / float(textureSize(opacity_map, 0).x);
    vec4 knots = vec4(0);
    vec2 hair = vec2(0);
    for (int i = 0; i < 4; ++i) {
        vec3 uv = vec3(at.xy + kTaps[i] * texel, lamp);
        knots += 0.25 * textureLod(knot_map, uv, 0.0);
        hair += 0.25 * textureLod(opacity_map, uv, 0.0).xy;
    }
    float covered = max(hair.y, 1e-3);
    knots /= covered;
    if (at.z <= knots.x) return 0.0;
    vec3 runs = max(knots.yzw - knots.xyz, 1e-5), steps = kKnotCounts.yzw - kKnotCounts.xyz;
    vec3 shares = max((at.z - knots.xyz) / runs, 0.0);
    shares.xy = min(shares.xy, 1.0);
    return min((kKnotCounts.x + dot(shares, steps)) * covered, hair.x);
}

// The share of a lamp's light that no mesh blocks, filtered over one to two texels.
float opaque_light(int lamp, vec3 at, float bias) {
    float texel = 1.0 / float(textureSize(opaque_map, 0).x);
    float depth = at.z - bias / frame.lamp_direction[lamp].w;
    float sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 offset = (vec2(i & 1, i >> 1) * 2.0 - 1.0) * texel;
        sum += texture(opaque_map, vec4(at.xy + offset, lamp, depth));
    }
    return sum / 4.0;
}

// Transmittance from above and from below, and the same through meshes only.
vec4 grid_light(vec3 p) {
    return textureLod(grid_map, (p - frame.grid_origin.xyz) * frame.grid_scale.xyz, 0.0);
}
