// The soft light at a point: light of one colour from all directions above the horizon and of
// another from below. Needs frame.glsl before it.

// The open shares of all directions, above and below the horizon: xy through hair of kThinHair of
// its optical depth, zw of kThickHair.
layout(binding = kSoftUnit) uniform sampler3D soft_map;
// The open share in a direction d is approximately that of soft_map plus dot(xyz, d).
// sky_map.w: the optical depth of hair across the cell.
layout(binding = kSkyUnit) uniform sampler3D sky_map;
// bounce_map.w: the share of all directions in which a mesh shows through hair.
layout(binding = kBounceUnit) uniform sampler3D bounce_map;

// The mean over all directions. Per channel, because hair of a lighter colour blocks less light.
struct SoftLight {
    vec3 open;   // share of the directions that are open
    vec3 light;  // light that arrives from them
};

// The same as a linear function of the direction, through brown hair.
struct SoftDirections {
    vec2 open;  // above and below the horizon
    vec3 sky, bounce;
};

vec3 in_grid(vec3 p) { return (p - frame.grid_origin.xyz) * frame.grid_scale.xyz; }
bool has_shadows() { return frame.ground.z > 0.5; }

// All of the grid at a point. A lookup costs a software renderer more than the light it serves.
struct SoftSample {
    vec4 open;    // soft_map
    vec4 sky;     // sky_map
    vec4 bounce;  // bounce_map
};

SoftSample soft_sample(vec3 p) {
    if (!has_shadows()) return SoftSample(vec4(0.5), vec4(0, 0.75, 0, 0), vec4(0, -0.75, 0, 0));
    vec3 at = in_grid(p);
    return SoftSample(textureLod(soft_map, at, 0.0), textureLod(sky_map, at, 0.0),
                      textureLod(bounce_map, at, 0.0));
}

// `thickness` is the share of its optical depth with which hair blocks soft light.
SoftLight soft_light(SoftSample at, vec3 thickness) {
    vec4 open = at.open;
    vec3 share = (thickness - kThinHair) / (kThickHair - kThinHair);
    vec3 sky = max(mix(vec3(open.x), vec3(open.z), share), 0.0);
    vec3 bounce = max(mix(vec3(open.y), vec3(open.w), share), 0.0);
    return SoftLight(sky + bounce, sky * frame.sky_colour.rgb + bounce * frame.bounce_colour.rgb);
}

SoftDirections soft_directions(SoftSample at) {
    return SoftDirections(0.5 * (at.open.xy + at.open.zw), at.sky.xyz, at.bounce.xyz);
}

// The open shares above and below the horizon, averaged over a lobe around the direction d.
// `mean_cosine` is the mean cosine of the angle between the lobe's directions and d.
vec2 open_towards(SoftDirections soft, vec3 d, float mean_cosine) {
    vec2 linear = vec2(dot(soft.sky, d), dot(soft.bounce, d));
    vec2 open = max(soft.open + mean_cosine * linear, 0.0);
    return open / max(open.x + open.y, 1.0);
}
