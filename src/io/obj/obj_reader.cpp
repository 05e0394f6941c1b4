#include "io/obj/obj_reader.h"

#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <unordered_map>

#include "base/files.h"
#include "io/mesh_format.h"
#include "io/obj/mtl_text.h"
#include "io/obj/obj_text.h"
#include "io/obj/polygon.h"
#include "io/obj/texture_finder.h"
#include "io/text.h"
#include "math/finite.h"
#include "math/noise.h"

namespace ringlet {

namespace {

// Enough for thousands of materials; bounds the memory.
constexpr std::uint64_t kMaxLibraryBytes = 4 << 20;

// Reads the libraries of an mtllib line, which names one file with spaces in its name or several
// files. False if none was found.
bool add_library(const std::filesystem::path& folder, const std::string& line,
                 MtlMaterials& materials) {
    std::vector<std::string> files{line};
    std::istringstream words(line);
    for (std::string word; files.size() < 8 && words >> word;)
        if (word != line) files.push_back(word);
    bool any = false;
    for (const std::string& file : files) {
        const std::filesystem::path path = folder / file;
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(path, ignored)) continue;
        const auto mtl = read_file(path, kMaxLibraryBytes);
        if (mtl) add_materials(*mtl, path.parent_path(), materials);
        any = any || mtl;
    }
    return any;
}

// A corner of a face: zero-based indices, -1 if the face gives none.
struct Corner {
    int position, uv, normal;
    bool operator==(const Corner&) const = default;
};

struct HashCorner {
    std::size_t operator()(const Corner& c) const {
        return counter_bits(static_cast<std::uint32_t>(c.position),
                            static_cast<std::uint32_t>(c.uv), static_cast<std::uint32_t>(c.normal));
    }
};

struct Face {
    std::size_t first_corner;
    std::int32_t material, group, object;
};

// Names in the order of their first use.
class Names {
public:
    // The index of a name, which is added if it is new; -1 for the empty name.
    std::int32_t number(std::string_view name) {
        if (name.empty()) return -1;
        const auto next = static_cast<std::int32_t>(names.size());
        const auto [found, added] = numbers_.try_emplace(std::string(name), next);
        if (added) names.emplace_back(name);
        return found->second;
    }
    std::vector<std::string> names;

private:
    std::unordered_map<std::string, std::int32_t> numbers_;
};

// The statements of the file in order, with resolved indices. Faces may refer to vertices further
// down, so the mesh is built at the end.
struct Statements {
    std::vector<Vec3f> positions, normals;
    std::vector<Vec2f> uvs;
    std::vector<Corner> corners;
    std::vector<Face> faces;
    std::vector<Vec3f> colours;  // empty, or one per position
    Names materials, groups, objects;
    std::int32_t material = -1, group = -1, object = -1;
};

int resolved(int index, std::size_t so_far) {
    return index > 0 ? index - 1 : index < 0 ? static_cast<int>(so_far) + index : -1;
}

void add_face(Statements& s, const tinyobj::index_t* indices, int count) {
    s.faces.push_back({s.corners.size(), s.material, s.group, s.object});
    for (int i = 0; i < count; ++i)
        s.corners.push_back({resolved(indices[i].vertex_index, s.positions.size()),
                             resolved(indices[i].texcoord_index, s.uvs.size()),
                             resolved(indices[i].normal_index, s.normals.size())});
}

void set_group(Statements& s, const char** names, int count) {
    std::string joined;
    for (int i = 0; i < count; ++i) joined += (i > 0 ? " " : "") + std::string(names[i]);
    s.group = s.groups.number(joined);
}

// tinyobjloader passes this pointer to its callbacks.
Statements& s(void* user) { return *static_cast<Statements*>(user); }

// Precondition: `text` has passed check_obj, so indices are valid and faces have three corners.
Statements statements_of(std::string text) {
    tinyobj::callback_t callback;
    callback.vertex_cb = [](void* user, float x, float y, float z, float) {
        s(user).positions.push_back({x, y, z});
    };
    callback.normal_cb = [](void* user, float x, float y, float z) {
        s(user).normals.push_back({x, y, z});
    };
    callback.texcoord_cb = [](void* user, float x, float y, float) {
        s(user).uvs.push_back({x, y});
    };
    callback.index_cb = [](void* user, tinyobj::index_t* indices, int count) {
        add_face(s(user), indices, count);
    };
    callback.usemtl_cb = [](void* user, const char* name, int) {
        s(user).material = s(user).materials.number(trimmed(name));
    };
    callback.group_cb = [](void* user, const char** names, int count) {
        set_group(s(user), names, count);
    };
    callback.object_cb = [](void* user, const char* name) {
        s(user).group = s(user).groups.number(trimmed(name));
        s(user).object = s(user).objects.number(trimmed(name));
    };
    Statements out;
    std::istringstream in(std::move(text));
    tinyobj::LoadObjWithCallback(in, callback, &out);
    return out;
}

bool is_zero(Vec3f a) { return a.x == 0 && a.y == 0 && a.z == 0; }

class MeshBuilder {
public:
    explicit MeshBuilder(const Statements& s) : s_(s) {}

    Mesh build() {
        for (std::size_t f = 0; f < s_.faces.size(); ++f) add(f);
        set_normals(mesh_, std::move(given_normals_));
        mesh_.groups = s_.groups.names;
        set_parts();
        return std::move(mesh_);
    }

private:
    // The parts are the objects, or the groups of a file without objects.
    void set_parts() {
        const bool has_objects = !s_.objects.names.empty();
        std::vector<std::string> names = has_objects ? s_.objects.names : s_.groups.names;
        std::vector<std::int32_t> numbers = has_objects ? triangle_object_ : mesh_.triangle_group;
        // Faces before the first object.
        const auto unnamed = static_cast<std::int32_t>(names.size());
        std::ranges::replace(numbers, -1, unnamed);
        names.emplace_back("(no name)");
        if (std::ranges::all_of(numbers, [&](std::int32_t n) { return n == numbers.front(); }))
            return;
        if (std::ranges::find(numbers, unnamed) == numbers.end()) names.pop_back();
        mesh_.parts = std::move(names);
        mesh_.triangle_part = std::move(numbers);
    }

    void add(std::size_t f) {
        const Face& face = s_.faces[f];
        const std::size_t end =
            f + 1 < s_.faces.size() ? s_.faces[f + 1].first_corner : s_.corners.size();
        polygon_.clear();
        for (std::size_t c = face.first_corner; c < end; ++c)
            polygon_.push_back(s_.positions[static_cast<std::size_t>(s_.corners[c].position)]);
        triangles_.clear();
        triangulate(polygon_, triangles_);
        if (triangles_.empty()) return;
        // Vertices are numbered before triangulation: the frames of a mesh sequence may triangulate
        // a face differently and still have the same vertices in the same order.
        for (std::size_t c = face.first_corner; c < end; ++c) vertex(s_.corners[c]);
        for (const std::array<int, 3>& triangle : triangles_) {
            for (const int k : triangle)
                mesh_.indices.push_back(
                    vertex(s_.corners[face.first_corner + static_cast<std::size_t>(k)]));
            mesh_.triangle_material.push_back(face.material);
            mesh_.triangle_group.push_back(face.group);
            triangle_object_.push_back(face.object);
        }
    }

    std::uint32_t vertex(const Corner& c) {
        const auto next = static_cast<std::uint32_t>(mesh_.positions.size());
        const auto [found, added] = vertices_.try_emplace(c, next);
        if (!added) return found->second;
        mesh_.positions.push_back(s_.positions[static_cast<std::size_t>(c.position)]);
        mesh_.uvs.push_back(c.uv < 0 ? Vec2f{0, 0} : s_.uvs[static_cast<std::size_t>(c.uv)]);
        if (!s_.colours.empty())
            mesh_.colours.push_back(s_.colours[static_cast<std::size_t>(c.position)]);
        given_normals_.push_back(c.normal < 0 ? Vec3f{0, 0, 0}
                                              : s_.normals[static_cast<std::size_t>(c.normal)]);
        return next;
    }

    const Statements& s_;
    Mesh mesh_;
    std::vector<std::int32_t> triangle_object_;
    std::vector<Vec3f> given_normals_;  // zero where the file has none
    std::unordered_map<Corner, std::uint32_t, HashCorner> vertices_;
    std::vector<Vec3f> polygon_;
    std::vector<std::array<int, 3>> triangles_;
};

Material material_of(const std::string& name, const MtlMaterial& mtl, TextureFinder* textures) {
    Material out{name};
    out.opacity = mtl.opacity;
    if (mtl.colour) out.colour = *mtl.colour;
    if (mtl.texture.empty() || !textures) return out;
    out.texture = textures->find(mtl.folder, mtl.texture, name);
    if (!out.texture) return out;
    out.texture_scale = mtl.texture_scale;
    out.texture_offset = mtl.texture_offset;
    // Some programs write a black colour for textured materials, which would hide the texture.
    if (!mtl.colour || is_zero(*mtl.colour)) out.colour = {1, 1, 1};
    return out;
}

// Bounds the number of warnings: a small file can cause a million.
void add_warnings(const std::vector<std::string>& from, Mesh& mesh) {
    constexpr std::size_t kMost = 20;
    for (const std::string& warning : from) {
        if (mesh.warnings.size() == kMost) {
            mesh.warnings.push_back("more materials have similar problems");
            return;
        }
        mesh.warnings.push_back(warning);
    }
}

// `textures` may be null: then materials have no textures.
Result<Mesh> build_mesh(ObjText obj, const MtlMaterials& materials, TextureFinder* textures,
                        const std::string& name) {
    Statements statements = statements_of(std::move(obj.text));
    // tinyobjloader skips lines that it does not understand; then nothing says whose colour it is.
    if (obj.colours.size() == statements.positions.size())
        statements.colours = std::move(obj.colours);
    // A valid number may still have too many digits for tinyobjloader's arithmetic.
    for (std::size_t i = 0; i < statements.positions.size(); ++i)
        if (!is_finite(statements.positions[i]))
            return Error{"vertex " + std::to_string(i + 1) + " has coordinates that are not finite",
                         name};
    for (std::size_t i = 0; i < statements.uvs.size(); ++i)
        if (!std::isfinite(statements.uvs[i].x) || !std::isfinite(statements.uvs[i].y))
            return Error{"texture vertex " + std::to_string(i + 1) + " is not finite", name};
    Mesh mesh = MeshBuilder(statements).build();
    for (const std::string& material : statements.materials.names) {
        const auto found = materials.find(material);
        mesh.materials.push_back(found == materials.end()
                                     ? Material{material}
                                     : material_of(material, found->second, textures));
    }
    return mesh;
}

}  // namespace

Result<Mesh> read_obj(const std::filesystem::path& path) {
    const std::string name = path.string();
    Result<std::string> bytes = read_file(path, std::uint64_t{1} << 30);
    if (!bytes) return bytes.error();
    Result<ObjText> checked = check_obj(std::move(*bytes), name);
    if (!checked) return checked.error();
    MtlMaterials materials;
    TextureFinder textures;
    for (const std::string& library : checked->libraries)
        if (!add_library(path.parent_path(), library, materials))
            textures.warnings.push_back(
                "material library " + in_quotes(library) +
                " was not found in the file's folder; its materials are grey");
    Result<Mesh> mesh = build_mesh(std::move(*checked), materials, &textures, name);
    if (mesh) add_warnings(textures.warnings, *mesh);
    return mesh;
}

Result<Mesh> parse_obj(std::string_view obj_text, std::string_view mtl_text,
                       const std::string& name) {
    Result<ObjText> checked = check_obj(std::string(obj_text), name);
    if (!checked) return checked.error();
    MtlMaterials materials;
    add_materials(mtl_text, {}, materials);
    return build_mesh(std::move(*checked), materials, nullptr, name);
}

extern const MeshFormat kMeshFormatObj;
constinit const MeshFormat kMeshFormatObj{
    .name = "Wavefront OBJ",
    .extension = ".obj",
    .description = "polygons with groups, materials (MTL) and textures",
    .read = [](const std::filesystem::path& path, const StopCheck&) { return read_obj(path); },
};

}  // namespace ringlet
