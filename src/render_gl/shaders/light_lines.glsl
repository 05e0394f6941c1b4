// Strands as the key light sees them, as lines of one texel: one segment per invocation, one texel
// per step along its longer axis, so that a texel is met as often as the strand covers it. Whole
// numbers are summed, so that it does not matter who comes first. Needs frame.glsl and curve.glsl
// before it.
layout(local_size_x = 64) in;
layout(location = 1) uniform uvec2 wanted;  // control vertices: the first, and how many
layout(location = 2) uniform int map_size;  // texels a side

// `cover` of the texel's area, at a depth of the light's map.
void visit(ivec2 texel, float depth, float cover);

// Of a texel, by a strand of this width that crosses it in this direction.
float cover_of(uint c) {
    vec2 across = abs((frame.light_matrix * vec4(tangent_of(c), 0)).xy);
    float stretch = length(across) / max(max(across.x, across.y), 1e-6);
    return 2.0 * controls[c].position_radius.w * float(map_size) / frame.key_colour.w * stretch;
}

void main() {
    if (gl_GlobalInvocationID.x >= wanted.y) return;
    uint c = wanted.x + gl_GlobalInvocationID.x - first_control;
    if (along_of(c) == 65535u) return;
    vec3 a = (frame.light_matrix * vec4(controls[c].position_radius.xyz, 1)).xyz;
    vec3 b = (frame.light_matrix * vec4(controls[c + 1u].position_radius.xyz, 1)).xyz;
    a.xy *= float(map_size);
    b.xy *= float(map_size);
    vec3 run = b - a;
    bool is_flat = abs(run.x) > abs(run.y);
    int axis = is_flat ? 0 : 1;
    float longer = abs(run[axis]);
    if (!(longer > 1e-6)) return;
    float cover_a = cover_of(c), cover_b = cover_of(c + 1u);
    // Texels whose middle lies from one end up to the other, which belongs to the next segment.
    float low = min(a[axis], b[axis]), high = max(a[axis], b[axis]);
    int first = int(ceil(clamp(low, 0.0, float(map_size)) - 0.5));
    int last = int(ceil(clamp(high, 0.0, float(map_size)) - 0.5));
    for (int step = first; step < last; ++step) {
        float t = (float(step) + 0.5 - a[axis]) / run[axis];
        vec3 p = a + run * t;
        ivec2 texel = is_flat ? ivec2(step, floor(p.y)) : ivec2(floor(p.x), step);
        if (all(greaterThanEqual(texel, ivec2(0))) && all(lessThan(texel, ivec2(map_size))))
            visit(texel, p.z, mix(cover_a, cover_b, t));
    }
}
