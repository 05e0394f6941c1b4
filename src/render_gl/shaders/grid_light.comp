#version 450 core
// The transmittance of the soft lights in each cell.
#include "grid.glsl"
#include "grid_directions.glsl"
layout(local_size_x = kGroupSize) in;
layout(rgba8, binding = kGridImage) writeonly uniform image3D grid_light;
layout(rgba16f, binding = kSoftImage) writeonly uniform image3D soft_image;
layout(rgba16f, binding = kSkyImage) writeonly uniform image3D sky_image;
layout(rgba16f, binding = kBounceImage) writeonly uniform image3D bounce_image;

// Integrates the soft light over all directions. The weights make the sum exact for polynomials of
// degree 5 (Stroud 1971, U3: 5-4).
void main() {
    uint i = gl_GlobalInvocationID.x, count = cell_count();
    if (i >= count) return;
    ivec3 cell = ivec3(i % uint(cells.x), i / uint(cells.x) % uint(cells.y),
                       i / uint(cells.x * cells.y));
    vec2 all = vec2(0), weights = vec2(0), meshes = vec2(0);
    vec4 open = vec4(0);
    vec3 sky = vec3(0), bounce = vec3(0);
    float skin = 0.0;
    for (int d = 0; d < kGridDirections; ++d) {
        vec3 direction = normalize(vec3(direction_of(d)));
        vec2 depth = depths[uint(d) * count + i];
        float past_meshes = exp(depth.y - depth.x);
        float thin = exp(-kThinHair * depth.y), thick = exp(-kThickHair * depth.y);
        // The two shares of the optical depth add up to 1, and their mean is that of brown hair.
        vec2 shares = vec2(1.0 + direction.y, 1.0 - direction.y);
        all += past_meshes * thin * thick * shares;
        meshes += past_meshes * shares;
        weights += shares;

        float weight = d < 6 ? 1.0 / 15.0 : 3.0 / 40.0;
        // Directions along the horizon belong to both halves.
        float above = 0.5 + 0.5 * sign(direction.y);
        skin += weight * sqrt(thin * thick) * (1.0 - past_meshes);
        thin *= weight * past_meshes;
        thick *= weight * past_meshes;
        open += vec4(thin, thin, thick, thick) * vec4(above, 1.0 - above, above, 1.0 - above);
        vec3 moment = 1.5 * (thin + thick) * direction;
        sky += above * moment;
        bounce += (1.0 - above) * moment;
    }
    imageStore(grid_light, cell, vec4(all, meshes) / weights.xyxy);
    imageStore(soft_image, cell, open);
    imageStore(sky_image, cell, vec4(sky, float(field[i]) / kUnit));
    imageStore(bounce_image, cell, vec4(bounce, skin));
}
