#include "render_rt/mesh_paint.h"

#include <array>
#include <cmath>

#include "math/srgb.h"

namespace ringlet {

namespace {

std::array<float, 256> make_decoded() {
    std::array<float, 256> out{};
    for (int i = 0; i < 256; ++i) out[static_cast<std::size_t>(i)] = linear_from_srgb(i / 255.0);
    return out;
}

int wrapped(int i, int size) {
    const int rest = i % size;
    return rest < 0 ? rest + size : rest;
}

Texel texel_at(const Image& image, int x, int y) {
    static const std::array<float, 256> kDecoded = make_decoded();
    const std::uint8_t* p = image.pixel(wrapped(x, image.width), wrapped(y, image.height));
    return {{kDecoded[p[0]], kDecoded[p[1]], kDecoded[p[2]]}, static_cast<float>(p[3]) / 255};
}

Texel blended(const Texel& a, const Texel& b, float share) {
    return {a.colour * (1 - share) + b.colour * share, a.alpha * (1 - share) + b.alpha * share};
}

}  // namespace

Texel sample_texture(const MeshPart& part, Vec2f uv) {
    const Image& image = *part.texture;
    const float u = uv.x * part.scale.x + part.offset.x, v = uv.y * part.scale.y + part.offset.y;
    // Keeps the fractions, because files may have any coordinates.
    const float x = (u - std::floor(u)) * static_cast<float>(image.width) - 0.5f;
    const float y = (1 - (v - std::floor(v))) * static_cast<float>(image.height) - 0.5f;
    if (!std::isfinite(x + y)) return texel_at(image, 0, 0);
    const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
    const float right = x - static_cast<float>(i), down = y - static_cast<float>(j);
    const Texel above = blended(texel_at(image, i, j), texel_at(image, i + 1, j), right);
    const Texel below = blended(texel_at(image, i, j + 1), texel_at(image, i + 1, j + 1), right);
    return blended(above, below, down);
}

Vec2f mesh_uv(const Mesh& mesh, std::uint32_t triangle, float u, float v) {
    Vec2f out{0, 0};
    const float weights[3] = {1 - u - v, u, v};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t vertex = mesh.indices[triangle * 3 + k];
        if (vertex >= mesh.uvs.size()) continue;
        out.x += mesh.uvs[vertex].x * weights[k];
        out.y += mesh.uvs[vertex].y * weights[k];
    }
    return out;
}

Vec3f mesh_colour(const Mesh& mesh, const MeshPart& part, std::uint32_t triangle, float u,
                  float v) {
    const Material* const material = material_of(mesh, triangle);
    const Material plain;
    const Material& own = material ? *material : plain;
    Vec3f colour = own.colour;
    if (own.vertex_colours > 0 && mesh.colours.size() == mesh.positions.size()) {
        const std::uint32_t* const corner = &mesh.indices[triangle * 3];
        colour += (mesh.colours[corner[0]] * (1 - u - v) + mesh.colours[corner[1]] * u +
                   mesh.colours[corner[2]] * v) *
                  own.vertex_colours;
    }
    if (!part.texture) return colour;
    const Vec3f texel = sample_texture(part, mesh_uv(mesh, triangle, u, v)).colour;
    return {colour.x * texel.x, colour.y * texel.y, colour.z * texel.z};
}

}  // namespace ringlet
