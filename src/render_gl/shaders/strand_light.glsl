// The light that a point of a strand scatters to the eye: single scattering by the fibre's lobes
// and multiple scattering by the strands around it. Needs frame.glsl, opacity.glsl, light.glsl,
// soft_light.glsl, scattering_gain.glsl, curve.glsl, fur_colour.glsl and fur_light.glsl before it, and
// kHasFur: whether some of the strands are those of a coat of fur.

// struct ScatterAverages of shade/multiple_scattering.h, over sqrt(colour) and inclination.
layout(binding = kScatterUnit) uniform sampler2D scatter_map;

// Density factors for forward and backward scattering, because the strands around this one do not
// fill space (d_f and d_b of Zinke et al. 2008).
const float kForwardDensity = 0.7, kBackwardDensity = 1.0;

// Standard deviation of the directions of neighbouring strands, radians. Spreads light along the
// strand.
const float kDisorder = 0.25;

// A strand drawn wider than a hair represents a bundle of hairs, and light passes through several of
// them. Strands that the level of detail widens are flat rows of hairs: light passes through one.
float hairs_per_strand() { return clamp(frame.hair.z, 1.0, 5.0); }

// Strengths of the R, TT and TRT lobes, fitted together with kLightGain. The lights are directional
// here but large soft boxes in a studio, which makes reflections stronger.
const vec3 kGloss = vec3(1.2, 1.0, 2.4);

float gauss(float width, float x) {
    return exp(-0.5 * x * x / (width * width)) / (width * 2.5066283);
}

float fresnel(float cosine) {
    const float kF0 = 0.0465;  // index 1.55
    float away = 1.0 - clamp(cosine, 0.0, 1.0), away2 = away * away;
    return kF0 + (1.0 - kF0) * away2 * away2 * away;
}

// The angles between a strand, the light and the eye.
struct ScatterAngles {
    float sin_l, sin_v;       // sines of the inclinations to the normal plane
    float cos_d;              // cosine of half the difference of the inclinations
    float cos_phi, cos_half;  // cosines of the azimuth between them and of half of it
};

ScatterAngles scatter_angles(vec3 tangent, vec3 l, vec3 v) {
    ScatterAngles m;
    m.sin_l = clamp(dot(l, tangent), -1.0, 1.0);
    m.sin_v = clamp(dot(v, tangent), -1.0, 1.0);
    float cos_l = sqrt(1.0 - m.sin_l * m.sin_l), cos_v = sqrt(1.0 - m.sin_v * m.sin_v);
    m.cos_d = sqrt(clamp(0.5 + 0.5 * (cos_l * cos_v + m.sin_l * m.sin_v), 0.0, 1.0));
    m.cos_phi = clamp((dot(l, v) - m.sin_l * m.sin_v) / max(cos_l * cos_v, 1e-4), -1.0, 1.0);
    m.cos_half = sqrt(0.5 + 0.5 * m.cos_phi);
    return m;
}

// The R, TT and TRT lobes of one fibre: longitudinal widths, shifts and absorption as in
// shade/fibre.h, azimuthal lobes by the fit of Karis 2016 to Marschner et al. 2003.
vec3 fibre(Point p, ScatterAngles m, float l_dot_v) {
    // The cuticle's tilt varies from strand to strand, which breaks up the highlight.
    float shift = frame.lobes.w * (0.3 + 1.4 * p.random);
    float tilt = m.sin_l + m.sin_v;
    vec3 absorption = log(clamp(p.colour, 1e-4, 0.9999)) / frame.hair.w;
    absorption *= absorption * hairs_per_strand();

    float r = gauss(frame.lobes.x, tilt + 2.0 * shift) * 0.25 * m.cos_half *
              fresnel(sqrt(clamp(0.5 + 0.5 * l_dot_v, 0.0, 1.0)));

    float inner = 1.0 / (1.19 / m.cos_d + 0.36 * m.cos_d);
    float h = m.cos_half * (1.0 + inner * (0.6 - 0.8 * m.cos_phi));
    float f = fresnel(m.cos_d * sqrt(clamp(1.0 - h * h, 0.0, 1.0)));
    float path = 2.0 * sqrt(clamp(1.0 - h * h * inner * inner, 0.0, 1.0)) / m.cos_d;
    vec3 tt = gauss(frame.lobes.y, tilt - shift) * exp(-3.65 * m.cos_phi - 3.98) *
              (1.0 - f) * (1.0 - f) * exp(-absorption * path);

    f = fresnel(m.cos_d * 0.5);
    vec3 trt = gauss(frame.lobes.z, tilt - 4.0 * shift) * exp(17.0 * m.cos_phi - 16.78) *
               (1.0 - f) * (1.0 - f) * f * exp(-absorption * (3.2 / m.cos_d));
    return frame.hair.x * (kGloss.x * r + kGloss.y * tt + kGloss.z * trt * (0.4 + 1.2 * p.random));
}

struct Averages {
    vec3 forward, backward;
    vec2 spread;
};

Averages averages(vec3 colour, float sine) {
    float angle = abs(asin(sine)) / (0.5 * kPi);
    vec3 root = sqrt(clamp(colour, 0.0, 1.0));
    vec4 r = textureLod(scatter_map, vec2(root.r, angle), 0.0);
    vec4 g = textureLod(scatter_map, vec2(root.g, angle), 0.0);
    vec4 b = textureLod(scatter_map, vec2(root.b, angle), 0.0);
    return Averages(vec3(r.x, g.x, b.x), vec3(r.y, g.y, b.y), g.zw);
}

// struct SoftScatter of shade/multiple_scattering.h, over sqrt(colour).
layout(binding = kSoftScatterUnit) uniform sampler2D soft_scatter_map;

// The hair around a strand, as an evenly scattering volume in which forward-scattered light counts
// as unscattered.
struct HairVolume {
    vec3 forward;    // share of the light that the strand scatters forward
    vec3 thickness;  // share of its optical depth with which hair blocks light
    vec3 albedo;
    vec3 place;                      // of the strand
    SoftSample at;                   // the grid there
    SoftLight soft, soft_behind;     // unscattered soft light there, and kBehindDepth behind it
    vec3 gain, gain_behind;          // all light over unscattered light there
};

// Where the eye sees hair, the grid has blurred its surface: deposits and lookups are linear over a
// cell each, together a standard deviation of 0.58 cells. In dense hair the optical depth at a point
// is therefore too large. Returns the place towards the eye that has the depth of the point. The
// logarithm is a fit for half spaces with depths of 1 to 30 per cell, of which the grid shows half
// at the surface.
vec3 place_in_grid(vec3 p, vec3 v) {
    return p + v * frame.grid_origin.w * 0.25 * log(max(2.0 * optical_depth(p), 1.0));
}

vec3 gain_at(float mesh, vec3 open, vec3 albedo) {
    return vec3(scattering_gain(open.r, mesh, albedo.r), scattering_gain(open.g, mesh, albedo.g),
                scattering_gain(open.b, mesh, albedo.b));
}

HairVolume hair_around(Point p, vec3 v) {
    HairVolume hair;
    vec3 root = sqrt(clamp(p.colour, 0.0, 1.0));
    vec2 r = textureLod(soft_scatter_map, vec2(root.r, 0.5), 0.0).xy;
    vec2 g = textureLod(soft_scatter_map, vec2(root.g, 0.5), 0.0).xy;
    vec2 b = textureLod(soft_scatter_map, vec2(root.b, 0.5), 0.0).xy;
    hair.forward = vec3(r.x, g.x, b.x);
    hair.thickness = 1.0 - hair.forward;
    hair.albedo = vec3(r.y, g.y, b.y);
    hair.place = place_in_grid(p.position, v);
    hair.at = soft_sample(hair.place);
    float depth = max(hair.thickness.g * hair.at.sky.w, 0.25);
    SoftSample behind = soft_sample(hair.place - v * (kBehindDepth / depth * frame.grid_origin.w));
    hair.soft = soft_light(hair.at, hair.thickness);
    hair.soft_behind = soft_light(behind, hair.thickness);
    hair.gain = gain_at(hair.at.bounce.w, hair.soft.open, hair.albedo);
    hair.gain_behind = gain_at(behind.bounce.w, hair.soft_behind.open, hair.albedo);
    return hair;
}

// The soft light that a strand scatters to the eye. Forward-scattered light comes from behind the
// strand: through the hair there, or from the hair itself.
vec3 soft_light_from(HairVolume hair, vec3 v) {
    vec3 here = hair.albedo * hair.gain * hair.soft.light;
    vec3 there = hair.albedo * hair.gain_behind * hair.soft_behind.light;
    vec2 open = open_towards(soft_directions(hair.at), -v, 1.0);
    vec3 through = open.x * frame.sky_colour.rgb + open.y * frame.bounce_colour.rgb;
    return hair.forward * (through + (1.0 - open.x - open.y) * there) + hair.thickness * here;
}

// Scattered light of a unit light from l that crosses `count` strands on average (Zinke et al.
// 2008). The number is Poisson distributed, so exp(-count) of the light crosses none, and the
// transmittance of the rest is the mean of a_f^k over that distribution.
vec3 light_from(Point p, vec3 l, vec3 v, float count) {
    ScatterAngles m = scatter_angles(p.tangent, l, v);
    Averages a = averages(p.colour, m.sin_l);
    float direct = exp(-count);
    vec3 passed = kForwardDensity * (exp(-count * (1.0 - a.forward)) - direct);

    vec3 forward2 = a.forward * a.forward, lost = max(1.0 - forward2, 0.05);
    vec3 backscatter = a.backward * forward2 / lost +
                       a.backward * a.backward * a.backward * forward2 / (lost * lost * lost);
    float towards = 0.5 + 0.5 * m.cos_phi, tilt = m.sin_l + m.sin_v;
    vec2 spread = a.spread * a.spread + kDisorder * kDisorder;
    float wide = min(sqrt(spread.x * (1.0 + count)), 0.8);
    float back = min(sqrt(2.0 * spread.x + spread.y), 0.8);
    vec3 behind = backscatter / kPi * towards * gauss(back, tilt);
    vec3 before = mix(a.forward, a.backward, towards) / kPi * gauss(wide, tilt);
    return direct * (fibre(p, m, dot(l, v)) + kBackwardDensity * behind) +
           passed * (before + kBackwardDensity * kPi * 0.5 * behind);
}

// Factors of the key and rim lights for hair, fitted to the path tracer with six presets
// (docs/rendering.md).
const vec2 kLightGain = vec2(1.25, 1.7);

vec3 shade(Point p) {
    vec3 v = normalize(frame.eye.xyz - p.position);
    HairVolume hair = hair_around(p, v);
    float count = 0.0, open = 1.0, rim_count = 0.0, rim_open = 1.0;
    if (has_shadows()) {
        vec3 at = to_light_map(p.position);
        count = soft_opacity(at, 2.0);
        open = opaque_light(at, 0.004 * frame.rim_colour.w);
        float rim = max(rim_hair_light(hair.place), 0.004);
        rim_count = -log(rim);
        rim_open = min(grid_light(hair.place).b / rim, 1.0);
    }
    return kLightGain.x * frame.key_colour.rgb * open *
               light_from(p, frame.key_direction.xyz, v, count) +
           kLightGain.y * frame.rim_colour.rgb * rim_open *
               light_from(p, frame.rim_direction.xyz, v, rim_count) +
           soft_light_from(hair, v);
}

// The control vertex before the last segment that contains p.
uint segment_of(Point p) {
    return p.control > 0u && along_of(p.control) == kTipAlong ? p.control - 1u : p.control;
}

uint root_of(Point p) {
    uint root = p.control;
    while (root > 0u && along_of(root) > 0u) --root;
    return root;
}

// The radius of the ribbon that a strand is drawn as. A strand of fur gets thinner towards its tip.
// Seen along its axis it covers a disc, while its ribbon covers nothing: the ribbon gets wider by the
// area of cross-section that its length loses. The level of detail has widened the strand by
// frame.camera_right.w, and as many strands less are drawn.
float drawn_radius(Point p) {
    if (p.random < kFurTone) return p.radius;
    uint c = segment_of(p);
    vec4 a = controls[c].position_radius, b = controls[c + 1u].position_radius;
    float lost = max(a.w * a.w - b.w * b.w, 0.0) / max(distance(a.xyz, b.xyz), 1e-9);
    float along = max(dot(p.tangent, normalize(frame.eye.xyz - p.position)), 0.0);
    float across = sqrt(max(1.0 - along * along, 1e-6));
    float wider = 0.5 * kPi * lost * along / (across * max(frame.camera_right.w, 1.0));
    return p.radius + min(wider, 1.5 * controls[root_of(p)].position_radius.w);
}

// The strands of a coat of fur are lit as its shells are, so that the two look alike. Light depends
// on the height in the coat, on the strand's direction and on the normal of the skin.
vec3 shade_fur(Point p) {
    uint root = root_of(p), segment = segment_of(p);
    vec3 base = controls[root].position_radius.xyz;
    vec3 first = controls[root + 1u].position_radius.xyz - base;
    vec3 second = along_of(root + 1u) == kTipAlong
                      ? first
                      : controls[root + 2u].position_radius.xyz - base - first;
    // The strand starts along the normal and turns by equal angles (fur/shell_curve.h).
    vec3 normal = normalize(1.5 * first - 0.5 * second + 1e-9);
    float size = length(first) * 65535.0 / float(along_of(root + 1u));
    vec4 soft = soft_light_above(p.position, normal, size, true);
    vec3 turn = (tangent_of(segment + 1u) - tangent_of(segment)) * p.share;
    FurLight light = fur_light(p.position, normal, FurPiece(p.tangent, turn), p.random - kFurTone,
                               size, soft);
    return lit_fur(p.colour, light, fract(float(root) * 0.61803399));
}

// Colours of debug views keep just enough shading to tell strands apart.
vec3 plain(Point p) {
    float along = dot(frame.key_direction.xyz, p.tangent);
    return p.colour * (0.45 + 0.4 * sqrt(max(1.0 - along * along, 0.0)) + 0.15 * fract(p.random));
}

vec3 strand_light(Point p) {
    vec3 colour = frame.ground.w > 0.5       ? p.colour
                  : frame.raster.w > 0.5     ? plain(p)
                  : kHasFur && p.random >= kFurTone ? shade_fur(p)
                                             : shade(p);
    return clamp(colour, 0.0, 1000.0);
}
