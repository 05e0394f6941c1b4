#version 450 core
// Sweeps the optical depth from each cell outwards: the depth of the next cell plus that of the
// path between the two. An invocation follows one line of cells inwards from the grid's boundary;
// y is the number of the direction. A mesh in the cell itself is not counted, because skin would
// shade the hair that lies on it.
#include "grid.glsl"
#include "grid_directions.glsl"
layout(local_size_x = kGroupSize) in;

// The i-th boundary cell through which direction d leaves the grid, or a cell outside if there are
// fewer. A cell on two such faces belongs to the first.
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
    uint meshes = cell_count(), first = uint(direction) * meshes;
    float scale = length(vec3(d)) / kUnit;
    vec2 depth = vec2(0);
    float hair = 0.0, mesh = 0.0;
    for (bool begun = false; is_inside(at); at -= d, begun = true) {
        uint here = index_of(at);
        float own = float(field[here]) * scale;
        float between = 0.5 * (own + hair);
        if (begun) depth += vec2(between + mesh, between);
        depths[first + here] = depth;
        hair = own;
        mesh = float(field[meshes + here]) * scale;
    }
}
