// Shading of skin and clay: a soft terminator, a broad highlight and a grazing reflection. Needs
// frame.glsl, opacity.glsl, light.glsl and skin.glsl before it.
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 normal;

// How far diffuse light wraps past the terminator per channel: red scatters deepest in skin.
const vec3 kWrap = vec3(0.28, 0.15, 0.11);

vec3 wrapped(float cosine) {
    vec3 lit = clamp((cosine + kWrap) / (1.0 + kWrap), 0.0, 1.0);
    return lit * mix(lit, vec3(1), 0.55) / (1.0 + 0.4 * kWrap);
}

// Trowbridge and Reitz 1975 with Smith's masking in the form of Hammon 2017; includes the cosine.
float highlight(vec3 n, vec3 v, vec3 l, float roughness) {
    vec3 h = normalize(v + l);
    float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 1e-3), nh = max(dot(n, h), 0.0);
    float a = roughness * roughness, a2 = a * a;
    float d = nh * nh * (a2 - 1.0) + 1.0;
    float fresnel = kSkinReflectance + (1.0 - kSkinReflectance) * pow(1.0 - max(dot(v, h), 0.0), 5.0);
    float masking = 0.5 / mix(2.0 * nl * nv, nl + nv, a);
    return a2 / (kPi * d * d) * fresnel * masking * nl;
}

const int kBoxTaps = 21;  // a multiple of 3

// The i-th point of a golden-angle spiral, which covers the unit disc evenly.
vec2 spiral(int i, int count, float turn) {
    float angle = float(i) * 2.39996323 + turn;
    return vec2(cos(angle), sin(angle)) * sqrt((float(i) + 0.5) / float(count));
}

// The sum of every `step`-th tap of soft_box(), from `first` on.
float sum_of_taps(int lamp, int first, int step, vec3 at, vec2 slope, float radius, float turn) {
    float sum = 0.0;
    for (int i = first; i < kBoxTaps; i += step) {
        vec2 offset = spiral(i, kBoxTaps, turn) * radius;
        sum += texture(opaque_map, vec4(at.xy + offset, lamp, at.z + dot(slope, offset)));
    }
    return sum;
}

// Percentage-closer filtering for a lamp as large as a studio's soft box. Each tap is compared
// with the depth of the surface's tangent plane, so that slanted skin does not shadow itself. The
// pattern is rotated per pixel, which turns banding into fine noise. Where a third of the taps, spread
// over the disc, are all lit or all in shadow, the others are too.
float soft_box(int lamp, vec3 at, vec3 n) {
    const float kRadius = 0.008, kBias = 0.003;  // m, on a head
    vec3 n_map = mat3(frame.lamp_matrix[lamp]) * n;
    vec2 slope = -n_map.xy / min(n_map.z, -0.25 * length(n_map));
    float grain = fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)));
    float turn = 6.2831853 * fract(52.9829189 * grain);
    at.z -= kBias * frame.sizes.y / frame.lamp_direction[lamp].w;
    float radius = kRadius * frame.sizes.y / frame.lamp_colour[lamp].w;
    float sum = sum_of_taps(lamp, 2, 3, at, slope, radius, turn);
    const float kThird = float(kBoxTaps / 3);
    if (sum <= 0.0 || sum >= kThird) return sum / kThird;
    sum += sum_of_taps(lamp, 0, 3, at, slope, radius, turn) +
           sum_of_taps(lamp, 1, 3, at, slope, radius, turn);
    return sum / float(kBoxTaps);
}

// The share of a lamp's light that reaches the surface past meshes and hair. `cosine` is that of the
// angle between the normal and the lamp.
vec3 lamp_light(int lamp, vec3 n, float cosine) {
    if (cosine <= -kWrap.r) return vec3(0);
    if (frame.ground.z < 0.5) return vec3(1);
    float texel = frame.lamp_colour[lamp].w / float(textureSize(opaque_map, 0).x);
    vec3 at = to_light_map(lamp, world + n * (texel * 1.5));
    float open = soft_box(lamp, at, n);
    // The shadow of the same bulge must not cut off the light that wraps past the terminator,
    // so a larger bias ignores near occluders there.
    float near = opaque_light(lamp, at, 0.06 * frame.sizes.y);
    if (cosine < 0.25) open = mix(near, open, smoothstep(-0.1, 0.25, cosine));
    float strands = textureLod(opacity_map, vec3(at.xy, lamp), 2.2).x;
    // The edges of shadows on skin are warm.
    return pow(vec3(open), vec3(0.75, 1.0, 1.08)) * exp(-strands * vec3(1.35, 1.75, 1.95));
}

vec3 mesh_light(vec3 albedo) {
    if (frame.ground.w > 0.5) return vec3(0);
    vec3 v = normalize(frame.eye.xyz - world);
    vec3 n = normalize(normal);
    n = gl_FrontFacing ? n : -n;
    float nv = clamp(dot(n, v), 0.0, 1.0);

    vec3 key_direction = frame.lamp_direction[kKeyLamp].xyz;
    vec3 rim_direction = frame.lamp_direction[kRimLamp].xyz;
    float key_cosine = dot(n, key_direction), rim_cosine = dot(n, rim_direction);
    vec3 key = frame.lamp_colour[kKeyLamp].rgb * lamp_light(kKeyLamp, n, key_cosine);
    vec3 rim = frame.lamp_colour[kRimLamp].rgb * lamp_light(kRimLamp, n, rim_cosine);
    vec3 diffuse = key * wrapped(key_cosine) + rim * wrapped(rim_cosine) * 0.98;
    vec3 outside = world + n * (frame.grid_origin.w * 0.9);
    // The mean over the cosine-weighted hemisphere above the surface, whose mean cosine is 2/3.
    vec2 open = open_towards(soft_directions(soft_sample(outside)), n, 2.0 / 3.0);
    vec3 ambient = open.x * frame.sky_colour.rgb + open.y * frame.bounce_colour.rgb;
    // Hidden directions show skin that is lit in the same way.
    ambient /= 1.0 - (1.0 - open.x - open.y) * albedo;
    // Subsurface scattering makes the colour more saturated and keeps its luminance.
    const vec3 kLuminance = vec3(0.2126, 0.7152, 0.0722);
    float bright = max(max(albedo.r, albedo.g), max(albedo.b, 1e-3));
    vec3 flesh = albedo * pow(albedo / bright, vec3(0.75));
    flesh *= dot(albedo, kLuminance) / max(dot(flesh, kLuminance), 1e-4);
    // The glossy layer's share of soft light, a fit to LayerTable of render_rt/skin_scatter.cpp.
    float layer = kSkinReflectance + 0.217 * pow(1.0 - nv, 4.0);
    vec3 lit = flesh * (diffuse * 1.22 / kPi + ambient * (1.0 - layer)) + ambient * layer;

    lit += key * ((1.0 - kOilShare) * highlight(n, v, key_direction, kSkinRoughness) +
                  kOilShare * highlight(n, v, key_direction, kOilRoughness));
    lit += 0.5 * rim * highlight(n, v, rim_direction, kSkinRoughness);
    return lit;
}
