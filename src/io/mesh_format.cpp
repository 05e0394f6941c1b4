#include "io/mesh_format.h"

#include "io/extensions.h"
#include "io/groom_file.h"

namespace ringlet {

#define RINGLET_MESH_FORMAT(NAME) extern const MeshFormat kMeshFormat##NAME;
#include "io/mesh_formats.def"
#undef RINGLET_MESH_FORMAT

std::span<const MeshFormat* const> all_mesh_formats() {
    static constexpr const MeshFormat* kAll[] = {
#define RINGLET_MESH_FORMAT(NAME) &kMeshFormat##NAME,
#include "io/mesh_formats.def"
#undef RINGLET_MESH_FORMAT
    };
    return kAll;
}

namespace {

Error is_a_groom(const std::filesystem::path& path) {
    return {"has strands and no faces; grooms are read by groom.file", path.string()};
}

}  // namespace

bool is_mesh_file(const std::filesystem::path& path) {
    return find_by_extension(all_mesh_formats(), path) != nullptr;
}

Result<Mesh> read_mesh(const std::filesystem::path& path, const StopCheck& is_stopped) {
    const MeshFormat* const format = find_by_extension(all_mesh_formats(), path);
    if (!format && is_groom_file(path)) return is_a_groom(path);
    if (!format) return Error{"unknown mesh format; use " + mesh_extensions(), path.string()};
    Result<Mesh> mesh = format->read(path, is_stopped);
    // Some extensions are those of grooms too.
    if (!mesh && is_groom_file(path) && read_groom(path, {})) return is_a_groom(path);
    return mesh;
}

Result<MeshFrames> read_animation(const std::filesystem::path& path, const Mesh& mesh,
                                  std::size_t animation, const StopCheck& is_stopped) {
    const MeshFormat* const format = find_by_extension(all_mesh_formats(), path);
    if (!format || !format->read_frames || animation >= mesh.animations.size())
        return Error{"has no such animation", path.string()};
    return format->read_frames(path, mesh, animation, is_stopped);
}

std::string mesh_extensions() { return list_extensions(all_mesh_formats()); }

}  // namespace ringlet
