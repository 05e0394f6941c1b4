// Rasterises strands as seen from each lamp as lines one texel wide: one segment per
// invocation and lamp, one texel per step along the longer axis, or every stride-th with the weight of as many.
// Lookups average over more texels than the stride. Results are integers, so they do not
// depend on the order of invocations. Needs frame.glsl before it.
layout(local_size_x = kGroupSize) in;
layout(location = kMapSizeUniform) uniform int map_size;              // side in texels
layout(location = kLightStrideUniform) uniform uint stride;
layout(location = kLampUniform) uniform int first_lamp;

int lamp = first_lamp + int(gl_WorkGroupID.z);

// The place of a texel in the buffers, which begin with the first lamp.
uint index_of(ivec2 texel) {
    return (gl_WorkGroupID.z * uint(map_size) + uint(texel.y)) * uint(map_size) + uint(texel.x);
}

// Defined by the including shader. `cover` is the share of the texel's area, `depth` the depth in
// the light's map.
void visit(ivec2 texel, float depth, float cover);

// Visits the texels of a segment between two points in world space. `covers` are those at its ends,
// `random` is a number of the strand in [0, 1).
void visit_line(vec3 from, vec3 to, vec2 covers, float random) {
    vec3 a = (frame.lamp_matrix[lamp] * vec4(from, 1)).xyz;
    vec3 b = (frame.lamp_matrix[lamp] * vec4(to, 1)).xyz;
    a.xy *= float(map_size);
    b.xy *= float(map_size);
    vec3 run = b - a;
    bool is_flat = abs(run.x) > abs(run.y);
    int axis = is_flat ? 0 : 1;
    float longer = abs(run[axis]);
    if (!(longer > 1e-6)) return;
    // Texels whose centre lies between the ends. The far end belongs to the next segment.
    float low = min(a[axis], b[axis]), high = max(a[axis], b[axis]);
    int first = int(ceil(clamp(low, 0.0, float(map_size)) - 0.5));
    int last = int(ceil(clamp(high, 0.0, float(map_size)) - 0.5));
    int apart = int(stride);
    first += (apart - (first + int(random * float(stride))) % apart) % apart;
    for (int step = first; step < last; step += apart) {
        float t = (float(step) + 0.5 - a[axis]) / run[axis];
        vec3 p = a + run * t;
        ivec2 texel = is_flat ? ivec2(step, floor(p.y)) : ivec2(floor(p.x), step);
        if (all(greaterThanEqual(texel, ivec2(0))) && all(lessThan(texel, ivec2(map_size))))
            visit(texel, p.z, mix(covers.x, covers.y, t));
    }
}
