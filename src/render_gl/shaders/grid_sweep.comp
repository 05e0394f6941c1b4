#version 450 core
// Optical depth from each cell outwards: that of the next cell plus what lies between. An
// invocation follows one line of cells from where it leaves the grid; y is the direction. A body's
// own cell does not count, or skin would shade the hair that lies on it.
#include "grid.glsl"
#include "grid_directions.glsl"
layout(local_size_x = 64) in;

// The i-th cell from which the direction leaves the grid, or one outside if there are not as many.
// Cells on two such faces belong to the first.
ivec3 last_cell(int i, ivec3 d) {
    ivec3 exit = mix(ivec3(0), cells - 1, greaterThan(d, ivec3(0)));
    for (int axis = 0; axis < 3; ++axis) {
        if (d[axis] == 0) continue;
        int u = (axis + 1) % 3, v = (axis + 2) % 3, face = cells[u] * cells[v];
        if (i < face) {
            ivec3 at;
            at[axis] = exit[axis];
            at[u] = i % cells[u];
            at[v] = i / cells[u];
            for (int other = 0; other < axis; ++other)
                if (d[other] != 0 && at[other] == exit[other]) return ivec3(-1);
            return at;
        }
        i -= face;
    }
    return ivec3(-1);
}

void main() {
    int direction = int(gl_GlobalInvocationID.y);
    ivec3 d = direction_of(direction), at = last_cell(int(gl_GlobalInvocationID.x), d);
    uint bodies = cell_count(), first = uint(direction) * bodies;
    float scale = length(vec3(d)) / kUnit;
    vec2 depth = vec2(0);
    float hair = 0.0, body = 0.0;
    for (bool begun = false; is_inside(at); at -= d, begun = true) {
        uint here = index_of(at);
        float own = float(field[here]) * scale;
        float between = 0.5 * (own + hair);
        if (begun) depth += vec2(between + body, between);
        depths[first + here] = depth;
        hair = own;
        body = float(field[bodies + here]) * scale;
    }
}
