// The directions of soft light: through the faces and corners of a cube.
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

// Optical depth outwards, of hair and meshes and of hair only: [direction][cell].
layout(std430, binding = kGridDepthBinding) buffer Depths { vec2 depths[]; };
