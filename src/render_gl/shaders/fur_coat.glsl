// A coat of fur on the GPU: what FurPass uploads. Needs frame.glsl before it.
layout(std140, binding = 2) uniform Coat {
    mat4 body;         // from the pelt's frame to the world's
    mat4 turn;         // of the tips' directions, to the world's
    vec4 shape;        // shells, length in m, 1 / cell in 1/m, radius of a strand in cells
    vec4 root_colour;  // w: variation of brightness
    vec4 tip_colour;   // w: variation of length
    vec4 style;        // hairyness, opacity of fins, slant of fins, 0
} coat;

struct Root {
    vec4 position_length;  // in the pelt's frame; length relative
    vec4 normal;
    vec4 uv;
};
layout(std430, binding = 3) readonly buffer Roots { Root roots[]; };
layout(std430, binding = 4) readonly buffer Tips { uvec2 tips[]; };

// A root in the world, and where its tip is.
struct Tuft {
    vec3 root, normal, towards;
    float length;
};

// 0 where the length or density image leaves the skin bare.
float is_grown(float relative_length) { return smoothstep(0.01, 0.05, relative_length); }

Tuft tuft_of(uint index) {
    Root at = roots[index];
    Tuft tuft;
    tuft.root = (coat.body * vec4(at.position_length.xyz, 1)).xyz;
    tuft.normal = normalize(mat3(coat.body) * at.normal.xyz);
    uvec2 packed_tip = tips[index];
    vec3 tip = vec3(unpackSnorm2x16(packed_tip.x), unpackSnorm2x16(packed_tip.y).x);
    tuft.towards = normalize(mat3(coat.turn) * tip);
    tuft.length = coat.shape.y * at.position_length.w;
    return tuft;
}
