#include "io/foreign/decode_mesh.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <span>

#include "io/foreign/mesh_message.h"
#include "io/image/image_file.h"
#include "io/obj/texture_finder.h"
#include "io/text.h"
#include "math/finite.h"

namespace ringlet {

namespace {

// Bounds the number of warnings and of repeated blocks; a file with more is damaged.
constexpr std::size_t kMostRepeats = 1'000'000;
constexpr std::size_t kMostWarnings = 20;

Error damaged_message(const std::string& what) {
    return Error{"the mesh reader returned a damaged mesh (" + what + ")"};
}

// Reads values from the front of a content.
class Content {
public:
    explicit Content(std::string_view bytes) : rest_(bytes) {}

    template <class T>
    std::optional<T> next() {
        static_assert(std::is_trivially_copyable_v<T>);
        if (rest_.size() < sizeof(T)) return std::nullopt;
        T value;
        std::memcpy(&value, rest_.data(), sizeof(T));
        rest_.remove_prefix(sizeof(T));
        return value;
    }
    std::optional<std::string_view> next_text(std::size_t size) {
        if (rest_.size() < size) return std::nullopt;
        const std::string_view text = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return text;
    }
    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
};

// The contents of the blocks of a message, in their order.
using Blocks = std::map<MeshBlock, std::vector<std::string_view>>;

Result<Blocks> blocks_of(std::string_view message) {
    if (!message.starts_with(kMeshMessageMagic)) return damaged_message("no mesh message");
    Content rest(message.substr(kMeshMessageMagic.size()));
    Blocks out;
    for (;;) {
        const auto tag = rest.next<std::uint32_t>();
        const auto size = rest.next<std::uint64_t>();
        if (!tag || !size || *size > rest.rest().size()) return damaged_message("incomplete");
        if (*tag > static_cast<std::uint32_t>(MeshBlock::frame))
            return damaged_message("unknown block");
        const auto kind = static_cast<MeshBlock>(*tag);
        const std::string_view content = *rest.next_text(static_cast<std::size_t>(*size));
        if (kind == MeshBlock::end) break;
        std::vector<std::string_view>& contents = out[kind];
        if (contents.size() == kMostRepeats) return damaged_message("too many blocks");
        contents.push_back(content);
    }
    if (!rest.rest().empty()) return damaged_message("more after its end");
    // A file's own error message may span lines.
    if (const auto error = out.find(MeshBlock::error); error != out.end()) {
        std::string text(error->second.front().substr(0, 300));
        for (char& c : text)
            if (static_cast<unsigned char>(c) < ' ') c = ' ';
        while (text.ends_with('.') || text.ends_with(' ')) text.pop_back();
        return text.empty() ? damaged_message("an error without a text") : Error{text};
    }
    return out;
}

const std::vector<std::string_view>& all(const Blocks& blocks, MeshBlock kind) {
    static const std::vector<std::string_view> kNone;
    const auto found = blocks.find(kind);
    return found == blocks.end() ? kNone : found->second;
}

template <class T>
bool copy_array(std::string_view content, std::vector<T>& out) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (content.size() % sizeof(T) != 0) return false;
    out.resize(content.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), content.data(), content.size());
    return true;
}

// False if the block is missing or its size is wrong.
template <class T>
bool read_array(const Blocks& blocks, MeshBlock kind, std::vector<T>& out) {
    const auto& contents = all(blocks, kind);
    return contents.size() == 1 && copy_array(contents.front(), out);
}

bool in_range(const std::vector<std::int32_t>& numbers, std::size_t count, int least) {
    return std::ranges::all_of(numbers, [&](std::int32_t n) {
        return n >= least && n < static_cast<std::int64_t>(count);
    });
}

// Geometry and numbers per triangle. Returns what is wrong, or an empty string.
std::string read_geometry(const Blocks& blocks, Mesh& mesh) {
    std::vector<Vec3f> normals;
    if (!read_array(blocks, MeshBlock::positions, mesh.positions) ||
        !read_array(blocks, MeshBlock::normals, normals) ||
        !read_array(blocks, MeshBlock::uvs, mesh.uvs) ||
        !read_array(blocks, MeshBlock::indices, mesh.indices) ||
        !read_array(blocks, MeshBlock::triangle_material, mesh.triangle_material) ||
        !read_array(blocks, MeshBlock::triangle_part, mesh.triangle_part))
        return "a block is missing";
    const bool coloured = !all(blocks, MeshBlock::colours).empty();
    if (coloured && !read_array(blocks, MeshBlock::colours, mesh.colours)) return "colours";
    const std::size_t vertices = mesh.positions.size(), triangles = mesh.indices.size() / 3;
    if (normals.size() != vertices || mesh.uvs.size() != vertices ||
        (coloured && mesh.colours.size() != vertices))
        return "the vertices have different counts";
    if (mesh.indices.size() % 3 != 0 || mesh.triangle_material.size() != triangles ||
        mesh.triangle_part.size() != triangles || triangles == 0)
        return "the triangles have different counts";
    if (!std::ranges::all_of(mesh.indices, [&](std::uint32_t i) { return i < vertices; }))
        return "a triangle refers to a vertex that does not exist";
    if (!std::ranges::all_of(mesh.colours, is_finite)) return "a colour is not finite";
    for (Vec2f& uv : mesh.uvs)
        if (!std::isfinite(uv.x) || !std::isfinite(uv.y)) uv = {0, 0};
    set_normals(mesh, std::move(normals));
    return {};
}

// Percent signs of a URI, which glTF uses for spaces.
std::string without_percent_signs(const std::string& name) {
    std::string out;
    for (std::size_t i = 0; i < name.size(); ++i) {
        unsigned value = 0;
        const char* const digits = name.data() + i + 1;
        if (name[i] == '%' && i + 2 < name.size() &&
            std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
            out += static_cast<char>(value);
            i += 2;
        } else {
            out += name[i];
        }
    }
    return out;
}

std::shared_ptr<const Image> opaque(const std::shared_ptr<const Image>& image) {
    auto out = std::make_shared<Image>(*image);
    for (std::size_t i = 3; i < out->rgba.size(); i += 4) out->rgba[i] = 255;
    return out;
}

class MaterialReader {
public:
    MaterialReader(const Blocks& blocks, const std::filesystem::path& folder)
        : blocks_(blocks), folder_(folder) {}

    // Returns what is wrong, or an empty string.
    std::string read(Mesh& mesh) {
        for (const std::string_view content : all(blocks_, MeshBlock::material))
            if (!add(content, mesh)) return "material";
        for (const std::string& warning : finder_.warnings)
            if (mesh.warnings.size() < kMostWarnings) mesh.warnings.push_back(warning);
        return {};
    }

private:
    bool add(std::string_view bytes, Mesh& mesh) {
        Content content(bytes);
        const auto record = content.next<MaterialRecord>();
        const auto length = content.next<std::uint32_t>();
        const auto name = content.next_text(length.value_or(0));
        if (!record || !length || !name) return false;
        Material out{std::string(*name)};
        out.colour = {record->colour[0], record->colour[1], record->colour[2]};
        out.opacity = record->opacity;
        out.texture_scale = {record->texture_scale[0], record->texture_scale[1]};
        out.texture_offset = {record->texture_offset[0], record->texture_offset[1]};
        if (!is_finite(out.colour) || !std::isfinite(out.opacity)) return false;
        for (const float n :
             {out.texture_scale.x, out.texture_scale.y, out.texture_offset.x, out.texture_offset.y})
            if (!std::isfinite(n)) return false;
        const std::string file(content.rest());
        if (record->embedded_texture >= 0)
            out.texture = embedded(static_cast<std::size_t>(record->embedded_texture), out.name);
        else if (!file.empty())
            out.texture = external(file, out.name);
        if (out.texture && record->ignores_alpha) out.texture = opaque(out.texture);
        mesh.materials.push_back(std::move(out));
        return true;
    }

    std::shared_ptr<const Image> external(const std::string& file, const std::string& material) {
        std::error_code ignored;
        const bool as_written = std::filesystem::exists(folder_ / file, ignored);
        return finder_.find(folder_, as_written ? file : without_percent_signs(file), material);
    }

    std::shared_ptr<const Image> embedded(std::size_t number, const std::string& material) {
        const auto& textures = all(blocks_, MeshBlock::texture);
        if (number >= textures.size()) return nullptr;
        const auto [known, added] = embedded_.try_emplace(number);
        if (!added) return known->second;
        Result<Image> image = decode_texture(textures[number]);
        if (!image)
            finder_.warnings.push_back("material " + in_quotes(material) + ": its texture " +
                                       image.error().text());
        else
            known->second = std::make_shared<const Image>(std::move(*image));
        return known->second;
    }

    static Result<Image> decode_texture(std::string_view bytes) {
        Content content(bytes);
        const auto width = content.next<std::uint32_t>();
        const auto height = content.next<std::uint32_t>();
        if (!width || !height) return Error{"is damaged"};
        if (*width == 0) return parse_image(content.rest(), "inside the file");
        if (*width > 16384 || *height > 16384 ||
            content.rest().size() != std::size_t{*width} * *height * 4)
            return Error{"is damaged"};
        Image image{static_cast<int>(*width), static_cast<int>(*height), {}};
        copy_array(content.rest(), image.rgba);
        return image;
    }

    const Blocks& blocks_;
    std::filesystem::path folder_;
    TextureFinder finder_;
    std::map<std::size_t, std::shared_ptr<const Image>> embedded_;
};

void read_units(const Blocks& blocks, Mesh& mesh) {
    std::vector<float> units;
    if (!read_array(blocks, MeshBlock::units, units) || units.size() != 7) return;
    if (!std::ranges::all_of(units, [](float n) { return std::isfinite(n); })) return;
    mesh.file_unit_metres = std::max(units[0], 0.0f);
    mesh.file_up = {units[1], units[2], units[3]};
    mesh.file_front = {units[4], units[5], units[6]};
}

std::string read_names(const Blocks& blocks, Mesh& mesh) {
    for (const std::string_view name : all(blocks, MeshBlock::part)) mesh.parts.emplace_back(name);
    for (const std::string_view content : all(blocks, MeshBlock::animation)) {
        Content rest(content);
        const auto seconds = rest.next<float>();
        if (!seconds || !std::isfinite(*seconds) || *seconds < 0) return "animation";
        mesh.animations.push_back({std::string(rest.rest()), *seconds});
    }
    for (const std::string_view warning : all(blocks, MeshBlock::warning))
        if (mesh.warnings.size() < kMostWarnings) mesh.warnings.emplace_back(warning);
    if (!in_range(mesh.triangle_part, mesh.parts.size(), 0)) return "a triangle of no part";
    // Parts can be named where groups can.
    mesh.groups = mesh.parts;
    mesh.triangle_group = mesh.triangle_part;
    if (mesh.parts.size() > 1) return {};
    mesh.parts.clear();
    mesh.triangle_part.clear();
    return {};
}

}  // namespace

Result<Mesh> decode_mesh(std::string_view message, const std::filesystem::path& folder) {
    const Result<Blocks> blocks = blocks_of(message);
    if (!blocks) return blocks.error();
    Mesh mesh;
    std::string wrong = read_geometry(*blocks, mesh);
    if (wrong.empty() && !std::ranges::all_of(mesh.positions, is_finite))
        return Error{"it has coordinates that are not finite"};
    if (wrong.empty()) wrong = read_names(*blocks, mesh);
    if (wrong.empty()) wrong = MaterialReader(*blocks, folder).read(mesh);
    if (wrong.empty() && !in_range(mesh.triangle_material, mesh.materials.size(), -1))
        wrong = "a triangle of no material";
    if (!wrong.empty()) return damaged_message(wrong);
    read_units(*blocks, mesh);
    return mesh;
}

Result<MeshFrames> decode_frames(std::string_view message, std::size_t vertex_count) {
    const Result<Blocks> blocks = blocks_of(message);
    if (!blocks) return blocks.error();
    std::vector<float> rate;
    if (!read_array(*blocks, MeshBlock::frame_rate, rate) || rate.size() != 1 ||
        !std::isfinite(rate[0]) || !(rate[0] > 0))
        return damaged_message("no frame rate");
    MeshFrames out{{}, rate[0]};
    for (const std::string_view content : all(*blocks, MeshBlock::frame)) {
        std::vector<Vec3f>& frame = out.frames.emplace_back();
        if (!copy_array(content, frame) || frame.size() != vertex_count)
            return damaged_message("a frame with another number of vertices");
        if (!std::ranges::all_of(frame, is_finite))
            return Error{"frame " + std::to_string(out.frames.size()) +
                         " of its animation has coordinates that are not finite"};
    }
    return out;
}

}  // namespace ringlet
