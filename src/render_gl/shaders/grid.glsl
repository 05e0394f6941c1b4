// The density grid while it is being made: how much of the light that crosses a cell hair and
// bodies stop (optical depth), as whole numbers, so that sums do not depend on who adds first.
layout(std430, binding = 2) buffer Field { uint field[]; };  // hair of all cells, then bodies
layout(location = 8) uniform ivec3 cells;
layout(location = 9) uniform vec4 grid_place;  // low corner of the grid; w: cell, m

const float kUnit = 1048576.0;       // 2^20: a depth of 1
const float kMostAtOnce = 16.0;      // depth of one deposit; what is beyond lets nothing through
const uint kFull = 0x80000000u;      // a sum from here on is as good as infinite

uint index_of(ivec3 at) { return uint((at.z * cells.y + at.y) * cells.x + at.x); }
uint cell_count() { return uint(cells.x * cells.y * cells.z); }
bool is_inside(ivec3 at) {
    return all(greaterThanEqual(at, ivec3(0))) && all(lessThan(at, cells));
}

// Spread over the eight nearest cell centres, so that moving hair changes the grid smoothly.
void deposit(uint first, vec3 position, float depth) {
    vec3 place = (position - grid_place.xyz) / grid_place.w - 0.5;
    vec3 low = floor(place), f = place - low;
    if (any(lessThan(low, vec3(0))) || any(greaterThanEqual(low + 1.0, vec3(cells)))) return;
    ivec3 at = ivec3(low);
    float units = min(depth, kMostAtOnce) * kUnit;
    for (int k = 0; k < 8; ++k) {
        ivec3 corner = ivec3(k & 1, (k >> 1) & 1, k >> 2);
        vec3 share = mix(1.0 - f, f, vec3(corner));
        uint i = first + index_of(at + corner);
        uint amount = uint(units * share.x * share.y * share.z + 0.5);
        if (amount > 0u && field[i] < kFull) atomicAdd(field[i], amount);
    }
}
