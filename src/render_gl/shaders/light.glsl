// The transmittance of the lights at a point. Needs frame.glsl and opacity.glsl before it.
layout(binding = kOpaqueMapUnit) uniform sampler2DShadow opaque_map;
layout(binding = kOpacityUnit) uniform sampler2D opacity_map;  // all strands of a texel
// The depths at which kKnotCounts strands are between a point and the light.
layout(binding = kKnotUnit) uniform sampler2D knot_map;
layout(binding = kGridUnit) uniform sampler3D grid_map;
layout(binding = kRimUnit) uniform sampler3D rim_map;
layout(binding = kContactUnit) uniform sampler2D contact_map;
layout(binding = kCoverUnit) uniform sampler2D cover_map;  // 1 on meshes; mip levels blur it

vec3 to_light_map(vec3 p) {
    vec3 at = (frame.light_matrix * vec4(p, 1)).xyz;
    // Points beyond the far plane are behind everything in the map.
    return vec3(at.xy, min(at.z, 0.9999));
}

// The number of strands between a point and the light, in units of full cover. Averages the depths at
// which certain counts are reached over a disc of `radius` texels, which leaves surfaces that slant
// in place: an average of counts would shadow them.
float soft_opacity(vec3 at, float radius) {
    const vec2 kTaps[4] = vec2[](vec2(0.38, 0.92), vec2(-0.92, 0.38), vec2(-0.38, -0.92),
                                 vec2(0.92, -0.38));
    float texel = radius / float(textureSize(opacity_map, 0).x), total = 0.0;
    vec4 knots = vec4(0);
    for (int i = 0; i < 4; ++i) {
        vec2 uv = at.xy + kTaps[i] * texel;
        knots += 0.25 * textureLod(knot_map, uv, 0.0);
        total += 0.25 * textureLod(opacity_map, uv, 0.0).x;
    }
    if (at.z <= knots.x) return 0.0;
    vec3 runs = max(knots.yzw - knots.xyz, 1e-5), steps = kKnotCounts.yzw - kKnotCounts.xyz;
    vec3 shares = max((at.z - knots.xyz) / runs, 0.0);
    shares.xy = min(shares.xy, 1.0);
    return min(kKnotCounts.x + dot(shares, steps), total);
}

// The share of the key light that no mesh blocks, filtered over one to two texels.
float opaque_light(vec3 at, float bias) {
    float texel = 1.0 / float(textureSize(opaque_map, 0).x);
    float depth = at.z - bias / frame.key_direction.w;
    float sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        vec2 offset = (vec2(i & 1, i >> 1) * 2.0 - 1.0) * texel;
        sum += textureLod(opaque_map, vec3(at.xy + offset, depth), 0.0);
    }
    return sum / 4.0;
}

// Transmittance from above, from below and from the rim light.
vec4 grid_light(vec3 p) {
    return textureLod(grid_map, (p - frame.grid_origin.xyz) * frame.grid_scale.xyz, 0.0);
}

// Transmittance from above and from below, through meshes only.
vec2 light_past_meshes(vec3 p) {
    return textureLod(rim_map, (p - frame.grid_origin.xyz) * frame.grid_scale.xyz, 0.0).yz;
}

// Transmittance from the rim light, through hair only.
float rim_hair_light(vec3 p) {
    return textureLod(rim_map, (p - frame.grid_origin.xyz) * frame.grid_scale.xyz, 0.0).x;
}
