// The readers of mesh files that run in this process, and of the messages of the one that does not.
#include <cmath>

#include "fuzz/fuzz_target.h"
#include "io/extensions.h"
#include "io/foreign/decode_mesh.h"
#include "io/foreign/mesh_message.h"
#include "io/mesh_format.h"
#include "io/obj/obj_reader.h"
#include "io/shot_format.h"
#include "io/usd/usda_layer.h"
#include "math/finite.h"
#include "unit/some_strands.h"
#include "unit/sphere_mesh.h"

namespace ringlet {
namespace {

using Seeds = std::vector<std::string>;

Mesh ball() { return sphere_mesh({0, 0, 0}, 1, 3); }

bool are_below(const std::vector<std::int32_t>& numbers, std::size_t count, std::int32_t least) {
    return std::ranges::all_of(numbers, [&](std::int32_t n) {
        return n >= least && n < static_cast<std::int64_t>(count);
    });
}

std::string fault_of(const Mesh& mesh) {
    const std::size_t vertices = mesh.positions.size(), triangles = mesh.indices.size() / 3;
    if (triangles == 0 || mesh.indices.size() % 3 != 0) return "a wrong number of indices";
    for (const std::uint32_t index : mesh.indices)
        if (index >= vertices) return "an index beyond the vertices";
    if (!std::ranges::all_of(mesh.positions, is_finite)) return "a position that is not finite";
    for (const Vec3f n : mesh.normals)
        if (!(std::abs(norm(n) - 1) < 1e-3f)) return "a normal that is not of unit length";
    if (!std::ranges::all_of(mesh.colours, is_finite)) return "a colour that is not finite";
    for (const Vec2f uv : mesh.uvs)
        if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) return "a UV that is not finite";
    if (mesh.normals.size() != vertices || mesh.uvs.size() != vertices)
        return "missing normals or UVs";
    if (!mesh.colours.empty() && mesh.colours.size() != vertices)
        return "a wrong number of colours";
    if (mesh.triangle_material.size() != triangles ||
        !are_below(mesh.triangle_material, mesh.materials.size(), -1))
        return "a triangle with a wrong material";
    if (!mesh.triangle_group.empty() && (mesh.triangle_group.size() != triangles ||
                                         !are_below(mesh.triangle_group, mesh.groups.size(), -1)))
        return "a triangle with a wrong group";
    if (!mesh.triangle_part.empty() && (mesh.triangle_part.size() != triangles ||
                                        !are_below(mesh.triangle_part, mesh.parts.size(), 0)))
        return "a triangle with a wrong part";
    return {};
}

std::string fault_of(const MeshFrames& frames, const Mesh& mesh) {
    if (!(frames.fps > 0) || !std::isfinite(frames.fps)) return "a wrong frame rate";
    for (const std::vector<Vec3f>& frame : frames.frames) {
        if (frame.size() != mesh.positions.size()) return "a frame of another size";
        if (!std::ranges::all_of(frame, is_finite)) return "a frame that is not finite";
    }
    return {};
}

// Reads the mesh of a file, and its first animation.
FuzzOutcome run_file(const MeshFormat& format, std::string_view input) {
    const std::filesystem::path path = input_file(input, std::string(format.extension));
    const Result<Mesh> mesh = format.read(path, {});
    FuzzOutcome out = outcome_of(mesh, [](const Mesh& value) { return fault_of(value); });
    if (!mesh || !out.fault.empty() || mesh->animations.empty() || !format.read_frames) return out;
    const auto frames_fault = [&](const MeshFrames& frames) { return fault_of(frames, *mesh); };
    out.fault = outcome_of(format.read_frames(path, *mesh, 0, {}), frames_fault).fault;
    return out;
}

FuzzTarget mesh(const std::string& extension, const std::function<Seeds()>& seeds) {
    const MeshFormat* const format = find_by_extension(all_mesh_formats(), "a" + extension);
    const auto run = [=](std::string_view input) { return run_file(*format, input); };
    return {"mesh_" + extension.substr(1), run, seeds};
}

std::string numbers(Vec3f p) {
    return std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z);
}

std::string ball_text(const char* before_vertex, const char* before_face, std::uint32_t first) {
    const Mesh mesh = ball();
    std::string out;
    for (const Vec3f p : mesh.positions) out += before_vertex + numbers(p) + "\n";
    for (std::size_t k = 0; k < mesh.indices.size(); ++k) {
        if (k % 3 == 0) out += before_face;
        out += " " + std::to_string(mesh.indices[k] + first) + (k % 3 == 2 ? "\n" : "");
    }
    return out;
}

// OBJ, 0 and the material library.
FuzzOutcome run_obj(std::string_view input) {
    std::vector<std::string_view> parts = zero_separated(input, 2);
    parts.resize(2);
    return outcome_of(parse_obj(parts[0], parts[1], "input"),
                      [](const Mesh& value) { return fault_of(value); });
}

Seeds obj_seeds() {
    const std::string library =
        "newmtl m\nKd 0.5 0.25 1\nd 0.5\nmap_Kd -s 2 2 2 -o 0 1 skin.png\nnewmtl n\nTr 0.25\n";
    return {ball_text("v ", "f", 1),
            std::string("mtllib a.mtl\no head\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0\nv 0 1 0\n"
                        "v 0.5 0.5 \\\n0\nvt 0 0\nvt 1 1\nvn 0 0 1\ng a b\nusemtl m\n"
                        "f 1/1/1 2/2/1 3/1/1 4/2/1 5/1/1\nusemtl n\nf -5//-1 -4//-1 -3//-1\n") +
                '\0' + library};
}

std::string ply_header(const std::string& format, const std::string& vertex_more) {
    const Mesh mesh = ball();
    return "ply\nformat " + format + " 1.0\nelement vertex " +
           std::to_string(mesh.positions.size()) +
           "\nproperty float x\nproperty float y\nproperty float z\n" + vertex_more +
           "element face " + std::to_string(mesh.indices.size() / 3) +
           "\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string binary_ply(bool big_endian) {
    const Mesh mesh = ball();
    std::string out = ply_header(big_endian ? "binary_big_endian" : "binary_little_endian", "");
    const auto append = [&](const auto& value) {
        std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
        if (big_endian) bytes = {bytes.rbegin(), bytes.rend()};
        out += bytes;
    };
    for (const Vec3f p : mesh.positions)
        for (const float x : {p.x, p.y, p.z}) append(x);
    for (std::size_t k = 0; k < mesh.indices.size(); ++k) {
        if (k % 3 == 0) append(std::uint8_t{3});
        append(mesh.indices[k]);
    }
    return out;
}

Seeds ply_seeds() {
    const std::string strips =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nproperty float nx\nproperty float ny\nproperty float nz\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty float s\n"
        "property float t\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n"
        "0 0 0 0 0 1 1 2 3 0 0\n1 0 0 0 0 1 1 2 3 0 0\n0 1 0 0 0 1 1 2 3 0 0\n"
        "1 1 0 0 0 1 1 2 3 0 0\n5 0 1 2 3 -1\n";
    return {ply_header("ascii", "") + ball_text("", "3", 0), binary_ply(false), binary_ply(true),
            strips};
}

Seeds stl_seeds() {
    const Mesh mesh = ball();
    std::string text = "solid ball\n", binary(80, ' ');
    append_raw(binary, static_cast<std::uint32_t>(mesh.triangle_count()));
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        text += "facet normal 0 0 0\nouter loop\n";
        append_raw(binary, Vec3f{0, 0, 0});
        for (int k = 0; k < 3; ++k) {
            text += "vertex " + numbers(mesh.corner(t, k)) + "\n";
            append_raw(binary, mesh.corner(t, k));
        }
        text += "endloop\nendfacet\n";
        append_raw(binary, std::uint16_t{0});
    }
    return {text + "endsolid ball\n", binary};
}

// A ball that turns, and deforms if asked, with strands around it.
Result<void> write_shot(const std::filesystem::path& path, bool deforms) {
    const Mesh head = ball();
    const StrandSet strands = some_strands({2, 3});
    ShotDescription shot = describe_still(view_of(strands), {}, "a title");
    shot.frame_count = 2;
    shot.meshes = {{"head", &head, deforms, true, true}};
    Result<std::unique_ptr<ShotWriter>> writer = shot_format_of(path)->open(path, shot, {});
    if (!writer) return writer.error();
    for (int number = 0; number < 2; ++number) {
        const auto size = 1 + static_cast<float>(number);
        std::vector<Vec3f> shape = head.positions;
        for (Vec3f& p : shape) p = p * size;
        ShotFrame frame;
        frame.number = number;
        frame.positions = &strands.position;
        frame.meshes = {{{{}, {size, 0, 0}}, {}}};
        if (deforms) frame.meshes[0].positions = shape;
        if (Result<void> added = (*writer)->add_frame(frame); !added) return added;
        if (Result<void> complete = (*writer)->complete_frame(); !complete) return complete;
    }
    return (*writer)->finish();
}

std::function<Seeds()> shots(const std::string& extension) {
    return [=] {
        Seeds out;
        for (const bool deforms : {false, true})
            out.push_back(written_bytes(extension, [&](const std::filesystem::path& path) {
                return write_shot(path, deforms);
            }));
        return out;
    };
}

// Layers that only OpenUSD can read start another program.
FuzzTarget usda_mesh() {
    FuzzTarget out = mesh(".usda", shots(".usda"));
    out.run = [read = out.run](std::string_view input) {
        const Result<UsdaLayer> layer = parse_usda(input, "input");
        return layer && !layer->needs.empty() ? FuzzOutcome{} : read(input);
    };
    return out;
}

void append_block(std::string& out, MeshBlock block, std::string_view content) {
    append_raw(out, static_cast<std::uint32_t>(block));
    append_raw(out, std::uint64_t{content.size()});
    out += content;
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

Seeds message_seeds() {
    const Mesh mesh = ball();
    std::string still(kMeshMessageMagic), moving = still, material, texture, animation;
    append_raw(material, MaterialRecord{{1, 1, 1}, 1, {1, 1}, {0, 0}, 0, 1});
    append_raw(material, std::uint32_t{1});
    append_raw(texture, std::uint32_t{1});
    append_raw(texture, std::uint32_t{1});
    append_raw(animation, 1.0f);
    append_block(still, MeshBlock::positions, bytes_of(mesh.positions));
    append_block(still, MeshBlock::normals, bytes_of(mesh.normals));
    append_block(still, MeshBlock::uvs, bytes_of(mesh.uvs));
    append_block(still, MeshBlock::colours, bytes_of(mesh.normals));
    append_block(still, MeshBlock::indices, bytes_of(mesh.indices));
    append_block(still, MeshBlock::triangle_material, bytes_of(mesh.triangle_material));
    append_block(still, MeshBlock::triangle_part, bytes_of(mesh.triangle_group));
    append_block(still, MeshBlock::part, "head");
    append_block(still, MeshBlock::material, material + "m");
    append_block(still, MeshBlock::texture, texture + "rgba");
    append_block(still, MeshBlock::animation, animation + "turn");
    append_block(still, MeshBlock::warning, "a warning");
    append_block(still, MeshBlock::units, bytes_of(std::vector<float>{1, 0, 1, 0, 0, 0, 1}));
    append_block(still, MeshBlock::end, {});
    append_block(moving, MeshBlock::frame_rate, bytes_of(std::vector<float>{24}));
    append_block(moving, MeshBlock::frame, bytes_of(mesh.positions));
    append_block(moving, MeshBlock::end, {});
    return {still, moving};
}

// The message is that of a mesh, or that of the frames of a ball.
FuzzOutcome run_message(std::string_view input) {
    const Mesh rest = ball();
    const FuzzOutcome frames =
        outcome_of(decode_frames(input, rest.positions.size()),
                   [&](const MeshFrames& value) { return fault_of(value, rest); });
    if (frames.is_accepted || !frames.fault.empty()) return frames;
    return outcome_of(decode_mesh(input, "/nowhere"),
                      [](const Mesh& value) { return fault_of(value); });
}

}  // namespace

std::vector<FuzzTarget> mesh_targets() {
    return {{"mesh_obj", run_obj, obj_seeds}, mesh(".ply", ply_seeds),
            mesh(".stl", stl_seeds),          usda_mesh(),
            mesh(".abc", shots(".abc")),      {"mesh_message", run_message, message_seeds, 600}};
}

}  // namespace ringlet
