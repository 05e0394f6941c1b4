#version 450 core
// Widens a line segment into a ribbon segment.
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec4 end_colour[];
layout(location = 1) in vec4 end_ribbon[];
layout(location = 2) in vec2 end_offset[];
layout(location = 0) out vec4 strand_colour;
layout(location = 1) noperspective out vec4 strand_ribbon;

void main() {
    for (int i = 0; i < 4; ++i) {
        int end = i >> 1;
        float side = (i & 1) == 0 ? 1.0 : -1.0;
        strand_colour = end_colour[end];
        strand_ribbon = vec4(side * end_ribbon[end].x, end_ribbon[end].yzw);
        gl_Position = gl_in[end].gl_Position + vec4(side * end_offset[end], 0, 0);
        EmitVertex();
    }
}
