// The light that a point of a strand scatters to the eye: single scattering by the fibre's lobes
// and multiple scattering by the strands around it. Needs frame.glsl, opacity.glsl, light.glsl,
// soft_light.glsl, scattering_gain.glsl, fibre_lobes.glsl, curve.glsl, fur_colour.glsl and fur_light.glsl
// before it, and kHasFur: whether some of the strands are those of a coat of fur.

// struct ScatterAverages of shade/multiple_scattering.h, over sqrt(colour) and inclination.
layout(binding = kScatterUnit) uniform sampler2D scatter_map;

// Standard deviation of the directions of neighbouring strands, radians, where strands are straight.
// Spreads light along the strand.
const float kDisorder = 0.25;

// A strand drawn wider than a hair represents a bundle of hairs, and light passes through several of
// them. Strands that the level of detail widens are flat rows of hairs: light passes through one.
float hairs_per_strand() { return clamp(frame.hair.z, 1.0, 5.0); }

// struct AzimuthTable of shade/azimuth_table.h: azimuth, inclination, sqrt(colour).
layout(binding = kAzimuthUnit) uniform sampler3D azimuth_map;

float gauss(float width, float x) {
    return exp(-0.5 * x * x / (width * width)) / (width * 2.5066283);
}

// The angles between a strand, the light and the eye.
struct ScatterAngles {
    float sin_l, sin_v, cos_l, cos_v;  // of the inclinations to the normal plane
    float cos_phi;                     // cosine of the azimuth between them
};

ScatterAngles scatter_angles(vec3 tangent, vec3 l, vec3 v) {
    ScatterAngles m;
    m.sin_l = clamp(dot(l, tangent), -1.0, 1.0);
    m.sin_v = clamp(dot(v, tangent), -1.0, 1.0);
    m.cos_l = sqrt(1.0 - m.sin_l * m.sin_l);
    m.cos_v = sqrt(1.0 - m.sin_v * m.sin_v);
    m.cos_phi = clamp((dot(l, v) - m.sin_l * m.sin_v) / max(m.cos_l * m.cos_v, 1e-4), -1.0, 1.0);
    return m;
}

// One fibre as the path tracer sees it from the eye, averaged over its width: the lobes R, TT, TRT and
// the rest.
vec3 fibre(Point p, ScatterAngles m) {
    // The cuticle's tilt varies from strand to strand, which breaks up the highlight.
    float shift = frame.lobes.w * (0.3 + 1.4 * p.random);
    vec4 along = vec4(
        tilted_spread(m.sin_v, m.cos_v, m.sin_l, m.cos_l, -2.0 * shift, frame.lobes.x),
        tilted_spread(m.sin_v, m.cos_v, m.sin_l, m.cos_l, shift, frame.lobes.y),
        tilted_spread(m.sin_v, m.cos_v, m.sin_l, m.cos_l, 4.0 * shift, frame.lobes.z),
        tilted_spread(m.sin_v, m.cos_v, m.sin_l, m.cos_l, 0.0, frame.lobes.z));
    along.z *= 0.4 + 1.2 * p.random;
    // Absorption is proportional to the square of the colour's logarithm, so that of n hairs is that of
    // a colour to the power of sqrt(n).
    vec3 root = pow(clamp(p.colour, 1e-4, 0.9999), vec3(0.5 * sqrt(hairs_per_strand())));
    vec2 at = vec2(acos(m.cos_phi) / kPi, asin(abs(m.sin_v)) / (0.5 * kPi));
    return frame.hair.x * vec3(dot(along, textureLod(azimuth_map, vec3(at, root.r), 0.0)),
                               dot(along, textureLod(azimuth_map, vec3(at, root.g), 0.0)),
                               dot(along, textureLod(azimuth_map, vec3(at, root.b), 0.0)));
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
    float disorder;                  // variance of directions because strands are curved
};

// Where the eye sees hair, the grid has blurred its surface: deposits and lookups are linear over a
// cell each, together a standard deviation of 0.58 cells. In dense hair the optical depth at a point
// is therefore too large. Returns a place outside that has the depth of the point. It lies halfway
// between the direction of the eye and that in which most soft light is open: hair that the eye sees at
// a grazing angle is as near to its surface as other hair. The logarithm is a fit for half spaces
// with depths of 1 to 30 per cell, of which the grid shows half at the surface.
vec3 place_in_grid(vec3 p, vec3 v) {
    if (!has_shadows()) return p;
    vec3 at = in_grid(p);
    vec4 sky = textureLod(sky_map, at, 0.0);
    vec3 open = sky.xyz + textureLod(bounce_map, at, 0.0).xyz;
    vec3 outwards = normalize(open + 1e-6 * v) + v;
    float size = max(length(outwards), 1e-3);
    return p + outwards * (frame.grid_origin.w * 0.25 * log(max(2.0 * sky.w, 1.0)) / size);
}

vec3 gain_at(float mesh, vec3 open, vec3 albedo) {
    return vec3(scattering_gain(open.r, mesh, albedo.r), scattering_gain(open.g, mesh, albedo.g),
                scattering_gain(open.b, mesh, albedo.b));
}

// By how much a strand turns per metre, radians.
float curvature(uint c) {
    if (along_of(c) == kTipAlong) return 0.0;
    float run = distance(controls[c].position_radius.xyz, controls[c + 1u].position_radius.xyz);
    return distance(tangent_of(c), tangent_of(c + 1u)) / max(run, 1e-6);
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
    float mean_free_path = frame.grid_origin.w / depth;
    SoftSample behind = soft_sample(hair.place - v * (kBehindDepth * mean_free_path));
    // Strands that are a mean free path away differ in direction as this strand does over that length.
    float turn = min(curvature(p.control) * mean_free_path, 2.0);
    hair.disorder = turn * turn;
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

// Scattered light of a unit light from l that crosses `count` strands on average. The number is Poisson
// distributed, so exp(-count) of the light crosses none and meets the fibre's lobes. Of the rest, some
// was scattered forward by each strand on its way: its transmittance is the mean of a_f^k over the
// distribution (Zinke et al. 2008). Light that the hair around has scattered in other directions is a share
// of the light that arrives, the share that soft light has at the same place. Each scattering spreads
// directions along the strand: between parallel strands light stays near the cone of the highlight, and
// the more the strands around differ in direction, the more evenly it arrives.
vec3 light_from(Point p, HairVolume hair, vec3 l, vec3 v, float count) {
    ScatterAngles m = scatter_angles(p.tangent, l, v);
    Averages a = averages(p.colour, m.sin_l);
    float direct = exp(-count);
    vec3 passed = exp(-count * (1.0 - a.forward)) - direct;
    float spread = a.spread.x * a.spread.x + kDisorder * kDisorder;
    float wide = min(sqrt(spread * (1.0 + count)), 0.8);
    vec3 scattered = mix(a.forward, a.backward, 0.5 + 0.5 * m.cos_phi) / kPi *
                     gauss(wide, m.sin_l + m.sin_v);
    float wider = spread * (1.0 + count + hair.gain.g) + hair.disorder;
    vec3 around = exp(-count * hair.thickness) * (hair.gain - 1.0) / (2.0 * kPi) *
                  tilted_spread(m.sin_v, m.cos_v, m.sin_l, m.cos_l, 0.0, wider);
    vec3 albedo = hair.forward + hair.thickness * hair.albedo;
    return direct * fibre(p, m) + passed * scattered + albedo * around;
}

vec3 lamp_light_from(Point p, HairVolume hair, vec3 v, int lamp) {
    float count = 0.0, open = 1.0;
    if (has_shadows()) {
        vec3 at = to_light_map(lamp, p.position);
        count = soft_opacity(lamp, at, 1.0);
        open = opaque_light(lamp, at, 0.004 * frame.sizes.y);
    }
    return frame.lamp_colour[lamp].rgb * open *
           light_from(p, hair, frame.lamp_direction[lamp].xyz, v, count);
}

vec3 shade(Point p) {
    vec3 v = normalize(frame.eye.xyz - p.position);
    HairVolume hair = hair_around(p, v);
    return lamp_light_from(p, hair, v, kKeyLamp) + lamp_light_from(p, hair, v, kRimLamp) +
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
    vec2 soft = soft_light_above(p.position, normal, size, true);
    vec3 turn = (tangent_of(segment + 1u) - tangent_of(segment)) * p.share;
    FurLight light = fur_light(p.position, normal, FurPiece(p.tangent, turn), p.random - kFurTone,
                               size, soft);
    return lit_fur(p.colour, light, fract(float(root) * 0.61803399));
}

// Colours of debug views keep just enough shading to tell strands apart.
vec3 plain(Point p) {
    float along = dot(frame.lamp_direction[kKeyLamp].xyz, p.tangent);
    return p.colour * (0.45 + 0.4 * sqrt(max(1.0 - along * along, 0.0)) + 0.15 * fract(p.random));
}

vec3 strand_light(Point p) {
    vec3 colour = frame.ground.w > 0.5       ? p.colour
                  : frame.raster.w > 0.5     ? plain(p)
                  : kHasFur && p.random >= kFurTone ? shade_fur(p)
                                             : shade(p);
    return clamp(colour, 0.0, 1000.0);
}
