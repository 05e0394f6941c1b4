// The message that ringlet_read_mesh (apps/read_mesh) writes to its standard output and Ringlet
// reads: one mesh with its materials and animations, or the frames of one animation, or an error.
//
// A message is kMeshMessageMagic followed by blocks. A block is a tag (u32), the size of its
// content in bytes (u64) and the content. Each tag occurs at most once, except texture, material,
// part, animation, warning and frame, which repeat. The block `end` is the last and is empty; a
// message without it is incomplete. Numbers are in the byte order of the machine, on which both
// programs run.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace ringlet {

inline constexpr std::string_view kMeshMessageMagic = "ringlet mesh 1\n";

enum class MeshBlock : std::uint32_t {
    end,
    error,              // text
    warning,            // text
    positions,          // float[3] per vertex; coordinates of the file with node transforms applied
    normals,            // float[3] per vertex, zero where the file has none
    uvs,                // float[2] per vertex, (0, 0) at the lower left
    colours,            // float[3] per vertex, linear; absent if there are none
    indices,            // u32[3] per triangle
    triangle_material,  // i32 per triangle, -1 for none
    triangle_part,      // i32 per triangle
    part,               // text: its name
    material,           // MaterialRecord, u32 length of the name, name, texture's file name
    texture,            // u32 width, u32 height, then RGBA; 0, 0: then the bytes of an image file
    animation,          // float seconds, then its name
    units,              // float metres per unit, float[3] up, float[3] front; zeros: unknown
    frame_rate,         // float, frames per second of the frames that follow
    frame,              // float[3] per vertex; none: the animation does not move the mesh
};

// The fixed part of a material.
struct MaterialRecord {
    float colour[3];  // linear
    float opacity;
    float texture_scale[2], texture_offset[2];
    std::int32_t embedded_texture;  // index of a texture block, -1 for none
    std::uint32_t ignores_alpha;    // 1: the texture's alpha means nothing
};
static_assert(std::is_trivially_copyable_v<MaterialRecord> && sizeof(MaterialRecord) == 40);

template <class T>
void append_raw(std::string& out, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

}  // namespace ringlet
