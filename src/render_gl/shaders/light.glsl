// The transmittance of the lights at a point. Needs frame.glsl and opacity.glsl before it.
layout(binding = kOpaqueMapUnit) uniform sampler2DShadow opaque_map;
layout(binding = kStrandDepthUnit) uniform sampler2D strand_depth_map;
layout(binding = kOpacityUnit) uniform sampler2D opacity_map;
layout(binding = kGridUnit) uniform sampler3D grid_map;
layout(binding = kRimUnit) uniform sampler3D rim_map;
layout(binding = kContactUnit) uniform sampler2D contact_map;
layout(binding = kCoverUnit) uniform sampler2D cover_map;  // 1 on meshes; mip levels blur it

vec3 to_light_map(vec3 p) {
    vec3 at = (frame.light_matrix * vec4(p, 1)).xyz;
    // Points beyond the far plane are behind everything in the map.
    return vec3(at.xy, min(at.z, 0.9999));
}

// The number of strands between a depth and the light in one texel, in units of full cover.
float opacity_at(vec2 uv, float depth) {
    float behind = (depth - textureLod(strand_depth_map, uv, 0.0).x) * frame.key_direction.w;
    if (behind <= 0.0) return 0.0;
    vec4 layers = textureLod(opacity_map, uv, 0.0);
    vec4 ends = kLayerEnds * frame.rim_colour.w, starts = vec4(0, ends.xyz);
    vec4 share = clamp((behind - starts) / (ends - starts), 0.0, 1.0);
    return dot(share, layers - vec4(0, layers.xyz));
}

// The mean of opacity_at() over a disc of `radius` texels.
float soft_opacity(vec3 at, float radius) {
    const vec2 kTaps[6] = vec2[](vec2(0.12, 0.34), vec2(-0.45, 0.62), vec2(-0.72, -0.24),
                                 vec2(0.05, -0.85), vec2(0.74, -0.33), vec2(0.63, 0.71));
    float texel = radius / float(textureSize(opacity_map, 0).x);
    float sum = 0.0;
    for (int i = 0; i < 6; ++i) sum += opacity_at(at.xy + kTaps[i] * texel, at.z);
    return sum / 6.0;
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
