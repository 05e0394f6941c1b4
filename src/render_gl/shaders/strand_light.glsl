// The light a point of a strand sends to the eye: its own lobes, and what has met other strands
// before. Needs frame.glsl, opacity.glsl, light.glsl and curve.glsl before it.

// struct ScatterAverages of shade/multiple_scattering.h, over sqrt(colour) and inclination.
layout(binding = 10) uniform sampler2D scatter_map;

// Shares of the light that strands around this one pass on, for they do not fill all space (d_f and
// d_b of Zinke et al. 2008).
const float kPassedOn = 0.7, kThrownBack = 1.0;

// The directions of neighbours differ by this much, radians, which spreads light along the strand.
const float kDisorder = 0.25;

// A drawn strand stands for several hairs, and light goes through more than one of them.
const float kHairsPerStrand = 5.0;

// Lights are points here, but soft boxes in a studio: what mirrors them shows more of them.
const vec3 kGloss = vec3(1.8, 1.0, 2.6);

float gauss(float width, float x) {
    return exp(-0.5 * x * x / (width * width)) / (width * 2.5066283);
}

float fresnel(float cosine) {
    const float kF0 = 0.0465;  // index 1.55
    float away = 1.0 - clamp(cosine, 0.0, 1.0), away2 = away * away;
    return kF0 + (1.0 - kF0) * away2 * away2 * away;
}

// How a strand, the light and the eye stand to each other.
struct Meeting {
    float sin_l, sin_v;       // inclinations to the plane across the strand
    float cos_d;              // of half their difference
    float cos_phi, cos_half;  // of the angle between them around the strand, and of half of it
};

Meeting meeting(vec3 tangent, vec3 l, vec3 v) {
    Meeting m;
    m.sin_l = clamp(dot(l, tangent), -1.0, 1.0);
    m.sin_v = clamp(dot(v, tangent), -1.0, 1.0);
    float cos_l = sqrt(1.0 - m.sin_l * m.sin_l), cos_v = sqrt(1.0 - m.sin_v * m.sin_v);
    m.cos_d = sqrt(clamp(0.5 + 0.5 * (cos_l * cos_v + m.sin_l * m.sin_v), 0.0, 1.0));
    m.cos_phi = clamp((dot(l, v) - m.sin_l * m.sin_v) / max(cos_l * cos_v, 1e-4), -1.0, 1.0);
    m.cos_half = sqrt(0.5 + 0.5 * m.cos_phi);
    return m;
}

// Reflection, transmission and inner reflection of one fibre: widths, shifts and absorption of
// shade/fibre.h, around the fibre by the fit of Karis 2016 to Marschner et al. 2003.
vec3 fibre(Point p, Meeting m, float l_dot_v) {
    // Scales tilt a little differently from strand to strand, which breaks the highlight up.
    float shift = frame.lobes.w * (0.3 + 1.4 * p.random);
    float tilt = m.sin_l + m.sin_v;
    vec3 absorption = log(clamp(p.colour, 1e-4, 0.9999)) / frame.hair.w;
    absorption *= absorption * kHairsPerStrand;

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
    vec3 place = sqrt(clamp(colour, 0.0, 1.0));
    vec4 r = textureLod(scatter_map, vec2(place.r, angle), 0.0);
    vec4 g = textureLod(scatter_map, vec2(place.g, angle), 0.0);
    vec4 b = textureLod(scatter_map, vec2(place.b, angle), 0.0);
    return Averages(vec3(r.x, g.x, b.x), vec3(r.y, g.y, b.y), g.zw);
}

// Light of unit strength from l after `count` strands on its way (Zinke et al. 2008). Their number
// is a matter of chance, so the light met by none is exp(-count), and what a_f leaves of the rest is
// the mean of a_f^k over a Poisson distribution.
vec3 light_from(Point p, vec3 l, vec3 v, float count) {
    Meeting m = meeting(p.tangent, l, v);
    Averages a = averages(p.colour, m.sin_l);
    float direct = exp(-count);
    vec3 passed = kPassedOn * (exp(-count * (1.0 - a.forward)) - direct);

    vec3 on2 = a.forward * a.forward, lost = max(1.0 - on2, 0.05);
    vec3 thrown = a.backward * on2 / lost +
                  a.backward * a.backward * a.backward * on2 / (lost * lost * lost);
    float towards = 0.5 + 0.5 * m.cos_phi, tilt = m.sin_l + m.sin_v;
    vec2 spread = a.spread * a.spread + kDisorder * kDisorder;
    float wide = min(sqrt(spread.x * (1.0 + count)), 0.8);
    float back = min(sqrt(2.0 * spread.x + spread.y), 0.8);
    vec3 behind = thrown / kPi * towards * gauss(back, tilt);
    vec3 before = mix(a.forward, a.backward, towards) / kPi * gauss(wide, tilt);
    return direct * (fibre(p, m, dot(l, v)) + kThrownBack * behind) +
           passed * (before + kThrownBack * kPi * 0.5 * behind);
}

// Lights are set by what flatters skin, which sends them back on all sides; hair sends most of them
// on along its own directions, and gets this much more of key and rim, and less soft light.
const vec3 kLightGain = vec3(1.5, 1.31, 0.87);

vec3 shade(Point p) {
    vec3 v = normalize(frame.eye.xyz - p.position);
    float count = 0.0, open = 1.0, rim_count = 0.0;
    vec4 soft = vec4(1);
    if (frame.ground.z > 0.5) {
        vec3 at = to_light_map(p.position);
        count = soft_opacity(at, 2.0);
        open = opaque_light(at, 0.004);
        soft = grid_light(p.position);
        float hair = rim_hair_light(p.position);
        rim_count = -log(max(hair, 0.004));
        soft.b = min(soft.b / max(hair, 0.004), 1.0);
    }
    vec3 lit = kLightGain.x * frame.key_colour.rgb * open *
               light_from(p, frame.key_direction.xyz, v, count);
    lit += kLightGain.y * frame.rim_colour.rgb * soft.b *
           light_from(p, frame.rim_direction.xyz, v, rim_count);

    vec3 normal = normalize(v - p.tangent * dot(v, p.tangent) + 1e-5);
    float upward = normal.y * 0.5 + 0.5;
    // Soft light on its way through hair is passed on like the rest; bodies only block.
    Averages a = averages(p.colour, 0.3);
    vec3 through = pow(vec3(max(soft.w, 0.004)), 1.0 - kPassedOn * a.forward) / max(soft.w, 0.004);
    // A hair among hairs has the colour of the hair; alone it is as clear as it is.
    vec3 albedo = mix(p.colour, a.forward + a.backward, 0.5 * smoothstep(0.55, 1.0, soft.w));
    // Walls and floor send some light into every corner.
    vec2 reach = mix(vec2(0.2), vec2(1), soft.gr);
    vec3 around = mix(frame.bounce_colour.rgb * reach.x, frame.sky_colour.rgb * reach.y, upward);
    return lit + kLightGain.z * albedo * around * through;
}

// A colour that means something: only as much shade as tells strands apart.
vec3 plain(Point p) {
    float along = dot(frame.key_direction.xyz, p.tangent);
    return p.colour * (0.45 + 0.4 * sqrt(max(1.0 - along * along, 0.0)) + 0.15 * p.random);
}

vec3 strand_light(Point p) {
    vec3 colour = frame.ground.w > 0.5 ? p.colour : frame.raster.w > 0.5 ? plain(p) : shade(p);
    return clamp(colour, 0.0, 1000.0);
}
