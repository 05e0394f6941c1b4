#include "render_gl/mesh_buffers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>
#include <map>

#include "render_gl/mesh_parts.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

namespace {

struct MeshVertex {
    Vec3f position, normal;
    Vec2f uv;
};

// Every driver can bind buffer ranges at multiples of this, in bytes.
constexpr std::size_t kAlignment = 256;

// Uniform block `Paint` of shaders/paint.glsl.
struct PaintBlock {
    glm::vec4 paint_map;
    glm::uvec4 has_texture;
};

glm::uvec2 packed(Vec3f colour) {
    return {glm::packHalf2x16({colour.x, colour.y}), glm::packHalf2x16({colour.z, 1.0f})};
}

// A repeating texture with mip levels. OpenGL decodes sRGB before it filters.
Texture upload_texture(const Image& image) {
    const auto longest = static_cast<unsigned>(std::max(image.width, image.height));
    Texture texture = make_texture_2d(GL_SRGB8_ALPHA8, image.width, image.height,
                                      static_cast<int>(std::bit_width(longest)));
    glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_REPEAT);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTextureSubImage2D(texture, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                        image.rgba.data());
    glGenerateTextureMipmap(texture);
    return texture;
}

std::vector<MeshVertex> vertices_of(const Mesh& mesh) {
    std::vector<MeshVertex> vertices(mesh.positions.size());
    for (std::size_t i = 0; i < vertices.size(); ++i)
        vertices[i] = {mesh.positions[i],
                       i < mesh.normals.size() ? mesh.normals[i] : Vec3f{0, 1, 0},
                       i < mesh.uvs.size() ? mesh.uvs[i] : Vec2f{0, 0}};
    return vertices;
}

// Appends a part's uniform block and, at the next aligned offset, its triangles' colours. Returns
// the offset of the block.
std::size_t append_blocks(const Mesh& mesh, const MeshPart& part, std::vector<std::byte>& bytes) {
    const PaintBlock paint{{part.scale.x, part.scale.y, part.offset.x, part.offset.y},
                           {part.texture ? 1u : 0u, 0u, 0u, 0u}};
    const std::size_t start = (bytes.size() + kAlignment - 1) / kAlignment * kAlignment;
    bytes.resize(start + kAlignment + part.triangles.size() * sizeof(glm::uvec2));
    std::memcpy(&bytes[start], &paint, sizeof paint);
    std::byte* out = bytes.data() + start + kAlignment;
    for (const std::uint32_t t : part.triangles) {
        const Material* material = material_of(mesh, t);
        const glm::uvec2 colour = packed(material ? material->colour : Material{}.colour);
        std::memcpy(out, &colour, sizeof colour);
        out += sizeof colour;
    }
    return start;
}

}  // namespace

MeshBuffers::MeshBuffers()
    : layout_(make_vertex_array()), white_(upload_texture({1, 1, {255, 255, 255, 255}})) {
    const auto add_attribute = [this](GLuint attribute, GLint components, std::size_t offset) {
        glEnableVertexArrayAttrib(layout_, attribute);
        glVertexArrayAttribBinding(layout_, attribute, 0);
        glVertexArrayAttribFormat(layout_, attribute, components, GL_FLOAT, GL_FALSE,
                                  static_cast<GLuint>(offset));
    };
    add_attribute(shader::kPositionAttribute, 3, offsetof(MeshVertex, position));
    add_attribute(shader::kNormalAttribute, 3, offsetof(MeshVertex, normal));
    add_attribute(shader::kUvAttribute, 2, offsetof(MeshVertex, uv));
}

void MeshBuffers::upload(const Mesh& mesh) {
    const std::vector<MeshVertex> vertices = vertices_of(mesh);
    std::vector<std::uint32_t> indices;
    std::vector<std::byte> blocks;
    std::vector<SurfaceSample> samples;
    parts_.clear();
    textures_.clear();
    images_.clear();
    std::map<const Image*, std::size_t> uploaded;
    for (const MeshPart& part : split_by_texture(mesh)) {
        if (part.triangles.empty()) continue;
        Part out{};
        out.first_index = indices.size();
        for (const std::uint32_t t : part.triangles) {
            const std::uint32_t* corner = &mesh.indices[std::size_t{t} * 3];
            indices.insert(indices.end(), corner, corner + 3);
            const Vec3f sum =
                mesh.positions[corner[0]] + mesh.positions[corner[1]] + mesh.positions[corner[2]];
            samples.push_back({sum * (1.0f / 3), norm(area_normal(mesh, static_cast<int>(t))) / 2});
        }
        out.index_count = static_cast<GLsizei>(indices.size() - out.first_index);
        out.blocks = static_cast<GLintptr>(append_blocks(mesh, part, blocks));
        out.texture = white_;
        if (part.texture) {
            const auto [entry, added] = uploaded.try_emplace(part.texture, textures_.size());
            if (added) textures_.push_back(upload_texture(*part.texture));
            out.texture = textures_[entry->second];
            out.is_cutout = has_holes(*part.texture);
        }
        parts_.push_back(out);
    }
    vertices_.upload(vertices.data(), vertices.size() * sizeof(MeshVertex));
    indices_.upload(indices.data(), indices.size() * sizeof(std::uint32_t));
    blocks_.upload(blocks.data(), blocks.size());
    samples_.upload(samples.data(), samples.size() * sizeof(SurfaceSample));
    sample_count_ = samples.size();
    glVertexArrayVertexBuffer(layout_, 0, vertices_.name(), 0, sizeof(MeshVertex));
    glVertexArrayElementBuffer(layout_, indices_.name());
    for (const Material& material : mesh.materials) images_.push_back(material.texture);
    bounds_ = bounds_of(mesh);
}

bool MeshBuffers::has_textures_of(const Mesh& mesh) const {
    return std::equal(images_.begin(), images_.end(), mesh.materials.begin(), mesh.materials.end(),
                      [](const auto& image, const Material& m) { return image == m.texture; });
}

void MeshBuffers::draw(PartKind kind) const {
    for (const Part& part : parts_) {
        if (part.is_cutout != (kind == PartKind::cutout)) continue;
        glBindVertexArray(layout_);
        glBindTextureUnit(shader::kPaintUnit, part.texture);
        glBindBufferRange(GL_UNIFORM_BUFFER, shader::kPaintBinding, blocks_.name(), part.blocks,
                          sizeof(PaintBlock));
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, shader::kTriangleColourBinding, blocks_.name(),
                          part.blocks + GLintptr{kAlignment},
                          part.index_count / 3 * GLsizeiptr{sizeof(glm::uvec2)});
        glDrawElements(GL_TRIANGLES, part.index_count, GL_UNSIGNED_INT,
                       reinterpret_cast<const void*>(part.first_index * sizeof(std::uint32_t)));
    }
}

void MeshBuffers::unbind() { glBindTextureUnit(shader::kPaintUnit, 0); }

}  // namespace ringlet
