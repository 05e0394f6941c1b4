// Faces and corners of the cube: enough directions for soft light.
const int kDirections = 14;
ivec3 direction_of(int i) {
    if (i < 6) {
        ivec3 d = ivec3(0);
        d[i >> 1] = (i & 1) == 0 ? 1 : -1;
        return d;
    }
    int corner = i - 6;
    return ivec3((corner & 1) == 0 ? 1 : -1, (corner & 4) == 0 ? 1 : -1,
                 (corner & 2) == 0 ? 1 : -1);
}

// Optical depth outwards, with bodies and of hair alone: [direction][cell].
layout(std430, binding = 4) buffer Depths { vec2 depths[]; };
