// ringlet_read_mesh FILE: writes the mesh of a PLY, STL, glTF or FBX file to the standard output.
// ringlet_read_mesh FILE ANIMATION MOST: writes the frames of an animation, numbered from 0, with
// at most MOST positions in all.
//
// Ringlet starts it with limits on time and memory. The output is a message (io/foreign/
// mesh_message.h), also for a file that cannot be read: then it is one error block. Not for users.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "materials.h"
#include "mesh_parts.h"
#include "scene_file.h"

namespace ringlet {

namespace {

class Output {
public:
    Output() { write(kMeshMessageMagic.data(), kMeshMessageMagic.size()); }

    void block(MeshBlock tag, const void* data, std::size_t size) {
        const auto number = static_cast<std::uint32_t>(tag);
        const auto count = std::uint64_t{size};
        write(&number, sizeof number);
        write(&count, sizeof count);
        write(data, size);
    }
    void block(MeshBlock tag, const std::string& content) {
        block(tag, content.data(), content.size());
    }
    template <class T>
    void block(MeshBlock tag, const std::vector<T>& content) {
        block(tag, content.data(), content.size() * sizeof(T));
    }
    // Ends the program. Nothing is destroyed: that takes time, and a damaged scene may crash it.
    [[noreturn]] void finish() {
        block(MeshBlock::end, nullptr, 0);
        std::_Exit(std::fflush(stdout) == 0 ? 0 : 2);
    }

private:
    // A reader that has gone away ends the program: it has nothing else to do.
    static void write(const void* data, std::size_t size) {
        if (size > 0 && std::fwrite(data, 1, size, stdout) != size) std::_Exit(2);
    }
};

// Morph targets of FBX have a weight of 1 at rest in Assimp 5.2, whatever the file says.
bool has_morph_weights(const SceneFile& file) { return file.format() != "fbx"; }

MergeSettings settings_for(const SceneFile& file, const std::vector<FileMaterial>& materials) {
    MergeSettings out;
    out.srgb_colours = file.has_srgb_colours();
    for (const FileMaterial& material : materials) out.uv_channel.push_back(material.uv_channel);
    return out;
}

// Assimp adds a material to files that have none.
bool is_assimps_own(const FileMaterial& material) {
    const bool textured = material.record.embedded_texture >= 0 || !material.texture_file.empty();
    return !textured && (material.name.empty() || material.name == AI_DEFAULT_MATERIAL_NAME);
}

void write_materials(const SceneFile& file, const std::vector<FileMaterial>& materials,
                     MergedMesh& mesh, Output& out) {
    std::vector<std::int32_t> number(materials.size(), -1);
    for (const std::int32_t material : mesh.triangle_material)
        if (material >= 0) number[static_cast<std::size_t>(material)] = 0;
    std::int32_t next = 0;
    for (std::size_t m = 0; m < materials.size(); ++m)
        if (number[m] == 0) number[m] = is_assimps_own(materials[m]) ? -1 : next++;
    for (std::int32_t& material : mesh.triangle_material)
        if (material >= 0) material = number[static_cast<std::size_t>(material)];
    out.block(MeshBlock::triangle_material, mesh.triangle_material);
    for (std::size_t m = 0; m < materials.size(); ++m) {
        if (number[m] < 0) continue;
        std::string content;
        append_raw(content, materials[m].record);
        append_raw(content, static_cast<std::uint32_t>(materials[m].name.size()));
        content += materials[m].name + materials[m].texture_file;
        out.block(MeshBlock::material, content);
    }
    for (unsigned t = 0; t < file.scene().mNumTextures; ++t)
        out.block(MeshBlock::texture, texture_content(*file.scene().mTextures[t]));
}

void write_mesh(const SceneFile& file, Output& out) {
    const aiScene& scene = file.scene();
    const std::vector<FileMaterial> materials = materials_of(scene, file.format());
    const Pose pose(scene, has_morph_weights(file));
    MergedMesh mesh = merge(scene, pose, settings_for(file, materials));
    out.block(MeshBlock::positions, mesh.positions);
    out.block(MeshBlock::normals, mesh.normals);
    out.block(MeshBlock::uvs, mesh.uvs);
    if (mesh.has_colours) out.block(MeshBlock::colours, mesh.colours);
    out.block(MeshBlock::indices, mesh.indices);
    write_materials(file, materials, mesh, out);
    out.block(MeshBlock::triangle_part, mesh.triangle_part);
    for (const std::string& name : mesh.part_names) out.block(MeshBlock::part, name);
    for (unsigned a = 0; a < scene.mNumAnimations; ++a) {
        std::string content;
        append_raw(content, static_cast<float>(seconds_of(*scene.mAnimations[a])));
        out.block(MeshBlock::animation, content + animation_name(scene, a));
    }
    const FileUnits units = file.units();
    out.block(MeshBlock::units, &units, sizeof units);
}

// By more than rounding.
bool differ(const std::vector<float>& a, const std::vector<float>& b) {
    float most = 0, size = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (!std::isfinite(a[k])) return true;
        most = std::max(most, std::abs(a[k] - b[k]));
        size = std::max(size, std::abs(b[k]));
    }
    return most > 1e-5f * size;
}

void write_frames(const SceneFile& file, unsigned number, double most_positions, Output& out) {
    const aiScene& scene = file.scene();
    if (number >= scene.mNumAnimations) throw std::runtime_error("it has no such animation");
    const aiAnimation& animation = *scene.mAnimations[number];
    Pose pose(scene, has_morph_weights(file));
    const MergedMesh mesh =
        merge(scene, pose, settings_for(file, materials_of(scene, file.format())));
    const double seconds = seconds_of(animation);
    const double vertices = static_cast<double>(mesh.positions.size()) / 3;
    const double wanted = std::round(seconds * sampling_rate(animation));
    const double intervals = std::min(wanted, std::floor(most_positions / vertices) - 1);
    // Below this rate, interpolated rotations are visibly wrong.
    constexpr double kLeastRate = 5;
    if (intervals < wanted && intervals < seconds * kLeastRate)
        throw std::runtime_error("the animation " + animation_name(scene, number) +
                                 " is too long for memory");
    const auto last = static_cast<int>(intervals);
    const auto rate = static_cast<float>(last > 0 ? last / seconds : 1.0);
    out.block(MeshBlock::frame_rate, &rate, sizeof rate);
    // Frames at rest are held back: an animation that never moves the mesh has no frames.
    int at_rest = 0;
    bool moves = false;
    for (int frame = 0; frame <= last; ++frame) {
        pose.set(animation, last > 0 ? seconds * frame / last : 0.0);
        const std::vector<float> positions = positions_of(mesh, pose);
        moves = moves || differ(positions, mesh.positions);
        if (!moves) {
            ++at_rest;
            continue;
        }
        for (; at_rest > 0; --at_rest) out.block(MeshBlock::frame, mesh.positions);
        out.block(MeshBlock::frame, positions);
    }
}

[[noreturn]] void run(int count, char** arguments) {
    Output out;
    try {
        const SceneFile file(arguments[1]);
        if (count == 4)
            write_frames(file, static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)),
                         std::strtod(arguments[3], nullptr), out);
        else
            write_mesh(file, out);
        out.finish();
    } catch (const std::bad_alloc&) {
        out.block(MeshBlock::error, std::string("it needs too much memory"));
    } catch (const std::exception& failure) {
        out.block(MeshBlock::error, std::string(failure.what()));
    }
    out.finish();
}

}  // namespace

}  // namespace ringlet

int main(int count, char** arguments) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (count != 2 && count != 4) {
        std::fputs("ringlet_read_mesh is started by ringlet to read mesh files\n", stderr);
        return 2;
    }
    ringlet::run(count, arguments);
}
