#include "picture/mesh_parts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ringlet {

namespace {

// Every OpenGL 4.5 driver supports textures of this side.
constexpr int kMaxSide = 16384;

const Image* drawable_texture(const Material& material) {
    const Image* image = material.texture.get();
    if (!image || image->width < 1 || image->height < 1 || image->width > kMaxSide ||
        image->height > kMaxSide)
        return nullptr;
    const auto pixels =
        static_cast<std::size_t>(image->width) * static_cast<std::size_t>(image->height);
    return image->rgba.size() == pixels * 4 ? image : nullptr;
}

// Returns the part of each material. Materials that differ in colour only share a part.
std::vector<std::size_t> part_of_materials(const Mesh& mesh, std::vector<MeshPart>& parts) {
    std::map<std::tuple<const Image*, float, float, float, float>, std::size_t> numbers;
    std::vector<std::size_t> out;
    for (const Material& m : mesh.materials) {
        const Image* texture = drawable_texture(m);
        if (!texture) {
            out.push_back(0);
            continue;
        }
        const Vec2f scale = m.texture_scale, offset = m.texture_offset;
        const auto [entry, added] =
            numbers.try_emplace({texture, scale.x, scale.y, offset.x, offset.y}, parts.size());
        if (added) parts.push_back({texture, scale, offset, {}});
        out.push_back(entry->second);
    }
    return out;
}

}  // namespace

std::vector<MeshPart> split_by_texture(const Mesh& mesh) {
    std::vector<MeshPart> parts(1);
    const std::vector<std::size_t> part_of = part_of_materials(mesh, parts);
    const std::size_t vertices = mesh.positions.size();
    for (std::size_t t = 0; t < mesh.indices.size() / 3; ++t) {
        const std::uint32_t* corner = &mesh.indices[t * 3];
        if (corner[0] >= vertices || corner[1] >= vertices || corner[2] >= vertices) continue;
        const Material* material = material_of(mesh, t);
        if (material && material->opacity < 0.5f) continue;
        const std::size_t part =
            material ? part_of[static_cast<std::size_t>(material - mesh.materials.data())] : 0;
        parts[part].triangles.push_back(static_cast<std::uint32_t>(t));
    }
    return parts;
}

const Material* material_of(const Mesh& mesh, std::size_t triangle) {
    const std::int32_t index =
        triangle < mesh.triangle_material.size() ? mesh.triangle_material[triangle] : -1;
    if (index < 0 || index >= std::ssize(mesh.materials)) return nullptr;
    return &mesh.materials[static_cast<std::size_t>(index)];
}

bool draws_vertex_colours(const Mesh& mesh) {
    return mesh.colours.size() == mesh.positions.size() &&
           std::ranges::any_of(mesh.materials,
                               [](const Material& m) { return m.vertex_colours > 0; });
}

bool has_holes(const Image& image) {
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        if (image.rgba[i] < 128) return true;
    return false;
}

}  // namespace ringlet
