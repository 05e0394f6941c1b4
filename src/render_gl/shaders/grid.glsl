// The density grid under construction: the optical depth of hair and meshes across each cell, in
// integers, so that sums do not depend on the order.
layout(std430, binding = kFieldBinding) buffer Field { uint field[]; };  // all hair, then all meshes
layout(location = kGridCellsUniform) uniform ivec3 cells;
layout(location = kGridOriginUniform) uniform vec4 grid_origin;  // low corner; w: cell, m

const float kUnit = 1048576.0;   // 2^20: a depth of 1
const float kMaxDeposit = 16.0;  // largest depth of one deposit; opaque
const uint kFull = 0x80000000u;  // sums stop growing here, before they overflow

uint index_of(ivec3 at) { return uint((at.z * cells.y + at.y) * cells.x + at.x); }
uint cell_count() { return uint(cells.x * cells.y * cells.z); }
bool is_inside(ivec3 at) {
    return all(greaterThanEqual(at, ivec3(0))) && all(lessThan(at, cells));
}

// Distributes the depth over the eight nearest cell centres by trilinear weights, so that moving
// hair changes the grid smoothly.
void deposit(uint first, vec3 position, float depth) {
    vec3 in_cells = (position - grid_origin.xyz) / grid_origin.w - 0.5;
    vec3 low = floor(in_cells), f = in_cells - low;
    if (any(lessThan(low, vec3(0))) || any(greaterThanEqual(low + 1.0, vec3(cells)))) return;
    ivec3 at = ivec3(low);
    float units = min(depth, kMaxDeposit) * kUnit;
    for (int k = 0; k < 8; ++k) {
        ivec3 corner = ivec3(k & 1, (k >> 1) & 1, k >> 2);
        vec3 share = mix(1.0 - f, f, vec3(corner));
        uint i = first + index_of(at + corner);
        uint amount = uint(units * share.x * share.y * share.z + 0.5);
        if (amount > 0u && field[i] < kFull) atomicAdd(field[i], amount);
    }
}
