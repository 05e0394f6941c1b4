#version 450 core
// One triangle that covers the whole image.
layout(location = 0) out vec2 screen;  // [-1, 1], up

void main() {
    screen = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
    gl_Position = vec4(screen, 0.99999, 1);
}
