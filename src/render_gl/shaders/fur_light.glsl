// The light that a point of fur reflects to the eye. Evaluated at the vertices of shells, because
// it varies slowly between them. Needs frame.glsl, opacity.glsl, light.glsl and fur_colour.glsl
// before it.

float lobe(float width, float x) { return exp(-0.5 * x * x / (width * width)) / width; }

// A short piece of a strand.
struct FurPiece {
    vec3 tangent;
    vec3 turn;  // change of the tangent from one point where light is computed to the next
};

// Adds a light for a piece of a strand. `open` is the share of the light that reaches it.
void add_light(inout FurLight sum, FurPiece piece, vec3 l, vec3 v, vec3 colour, float open) {
    vec3 tangent = piece.tangent;
    float sin_l = dot(tangent, l), sin_v = dot(tangent, v);
    float kajiya = sqrt(max(1.0 - sin_l * sin_l, 0.0));
    vec3 across = normalize(v - tangent * sin_v + 1e-5);
    float wrap = clamp(0.5 + 0.5 * dot(across, l), 0.0, 1.0);
    sum.diffuse += colour * open * mix(kajiya, wrap, 0.5) * (0.97 / kPi);
    float rough = max(frame.hair.y * frame.hair.y * 2.2, 0.06), tilt = sin_l + sin_v;
    float front = wrap * wrap;
    // Colours are interpolated linearly between the points, which spreads each of them over a
    // triangle of two steps: variance step^2 / 6. Lobes narrower than a step would be missed.
    float step = dot(piece.turn, l + v), spread = step * step / 6.0;
    float narrow = sqrt(rough * rough + spread), wide = sqrt(4.0 * rough * rough + spread);
    sum.sheen += colour * open * frame.hair.x * 0.016 * front * lobe(narrow, tilt + 0.07);
    sum.glow += colour * open * frame.hair.x * 0.045 * front * lobe(wide, tilt - 0.14);
}

// The height from 0 to 1 that sets brightness and colour. Short fur is less dark near the skin.
float tone_of(float height, float relative_length) {
    return mix(1.0, height, clamp(1.5 * relative_length, 0.3, 1.0));
}

// The share of a lamp's light that reaches the coat past meshes and other parts of the coat.
float open_above(int lamp, vec3 world, vec3 normal, float fur_length) {
    if (frame.ground.z < 0.5) return 1.0;
    vec3 at = to_light_map(lamp, world + normal * (0.6 * fur_length));
    return opaque_light(lamp, at, 0.35 * fur_length);
}

// `height` is 0 at the skin and 1 at the tips. Less light reaches deeper fur, and less again at
// grazing incidence. `soft` is the share of the soft lights from above and from
// below that reaches the coat.
FurLight fur_light(vec3 world, vec3 normal, FurPiece piece, float height, float fur_length,
                   vec2 soft) {
    vec3 v = normalize(frame.eye.xyz - world), l = frame.lamp_direction[kKeyLamp].xyz;
    FurLight sum = FurLight(vec3(0), vec3(0), vec3(0));
    float depth = 1.0 - height, facing = dot(normal, l);
    float open = smoothstep(-0.45, 0.30, facing) * open_above(kKeyLamp, world, normal, fur_length);
    float direct = open * exp(-1.6 * depth / max(facing + 0.25, 0.35));
    float diffused = mix(0.10, 1.0, open) * exp(-1.1 * depth);
    add_light(sum, piece, l, v, frame.lamp_colour[kKeyLamp].rgb, direct);
    sum.diffuse += frame.lamp_colour[kKeyLamp].rgb * (diffused - direct * 0.5) * 0.09;

    vec3 rim_direction = frame.lamp_direction[kRimLamp].xyz;
    float rim = smoothstep(-0.5, 0.4, dot(normal, rim_direction)) * exp(-1.4 * depth) *
                open_above(kRimLamp, world, normal, fur_length);
    add_light(sum, piece, rim_direction, v, frame.lamp_colour[kRimLamp].rgb, rim);

    float upward = normal.y * 0.5 + 0.5;
    vec3 around = mix(frame.bounce_colour.rgb * soft.y, frame.sky_colour.rgb * soft.x, upward);
    sum.diffuse += around * 0.58 * mix(0.35, 1.0, height);
    return sum;
}

// The share of the soft lights from above and from below that reaches the coat. The strands of the
// coat itself do not block it. If the coat is made of strands, they are in the grid, so only meshes
// count.
vec2 soft_light_above(vec3 world, vec3 normal, float fur_length, bool has_strands) {
    if (frame.ground.z < 0.5) return vec2(1);
    vec4 open = grid_light(world + normal * fur_length);
    return has_strands ? open.zw : open.xy;
}
