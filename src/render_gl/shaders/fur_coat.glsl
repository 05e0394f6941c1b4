// A coat of fur as FurPass uploads it. Needs frame.glsl before it.
layout(std140, binding = kCoatBinding) uniform Coat {
    mat4 transform;     // from the pelt's coordinates to world space
    mat4 tip_rotation;  // from the coordinates of the tips' directions to world space
    vec4 shape;         // shells, length in m, 1 / cell in 1/m, radius of a strand in cells
    vec4 root_colour;   // w: variation of brightness
    vec4 tip_colour;    // w: variation of length
    vec4 style;         // density, opacity and slant of fins, reach of the strand field in cells
    vec4 strands;       // x: 1 if strands are drawn in place of the outer shells, otherwise 0
} coat;

struct Root {
    vec4 position_length;  // in the pelt's coordinates; relative length
    vec4 normal;  // w: relative growth of the area per metre above the skin, 1/m
    vec4 uv;
};
layout(std430, binding = kRootBinding) readonly buffer Roots { Root roots[]; };
layout(std430, binding = kTipBinding) readonly buffer Tips { uvec2 tips[]; };

// A root in world space, with the direction and distance of its tip.
struct Tuft {
    vec3 root, normal, towards;
    float length;
    float curvature;  // sum of the principal curvatures of the skin, 1/m
};

// Returns 0 where the length or density image leaves the skin bare, 1 where fur grows.
float is_grown(float relative_length) { return smoothstep(0.01, 0.05, relative_length); }

Tuft tuft_of(uint index) {
    Root at = roots[index];
    Tuft tuft;
    tuft.root = (coat.transform * vec4(at.position_length.xyz, 1)).xyz;
    tuft.normal = normalize(mat3(coat.transform) * at.normal.xyz);
    uvec2 packed_tip = tips[index];
    vec3 tip = vec3(unpackSnorm2x16(packed_tip.x), unpackSnorm2x16(packed_tip.y).x);
    tuft.towards = normalize(mat3(coat.tip_rotation) * tip);
    tuft.length = coat.shape.y * at.position_length.w;
    tuft.curvature = at.normal.w;
    return tuft;
}

// The area of a shell over that of the skin below it, at a point of a tuft's curve. Strands diverge
// on a convex skin, so there are fewer per area.
float area_growth(Tuft tuft, vec3 position) {
    float side = max(1.0 + 0.5 * tuft.curvature * dot(position - tuft.root, tuft.normal), 0.5);
    return side * side;
}
