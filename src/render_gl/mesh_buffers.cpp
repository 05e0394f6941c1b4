#include "render_gl/mesh_buffers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>
#include <map>

#include "picture/mesh_parts.h"
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

glm::uvec2 packed(Vec3f colour, float fourth) {
    return {glm::packHalf2x16({colour.x, colour.y}), glm::packHalf2x16({colour.z, fourth})};
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

// Empty if no material uses the colours of the vertices.
std::vector<glm::uvec2> colours_of(const Mesh& mesh) {
    std::vector<glm::uvec2> out;
    if (!draws_vertex_colours(mesh)) return out;
    out.reserve(mesh.colours.size());
    for (const Vec3f colour : mesh.colours) out.push_back(packed(colour, 1));
    return out;
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
        const Material plain;
        const Material& own = material ? *material : plain;
        const glm::uvec2 colour = packed(own.colour, own.vertex_colours);
        std::memcpy(out, &colour, sizeof colour);
        out += sizeof colour;
    }
    return start;
}

}  // namespace

MeshBuffers::MeshBuffers()
    : layout_(make_vertex_array()), white_(upload_texture({1, 1, {255, 255, 255, 255}})) {
    const auto add_attribute = [this](GLuint attribute, GLuint buffer, GLint components,
                                      GLenum type, std::size_t offset) {
        glVertexArrayAttribBinding(layout_, attribute, buffer);
        glVertexArrayAttribFormat(layout_, attribute, components, type, GL_FALSE,
                                  static_cast<GLuint>(offset));
        glEnableVertexArrayAttrib(layout_, attribute);
    };
    add_attribute(shader::kPositionAttribute, 0, 3, GL_FLOAT, offsetof(MeshVertex, position));
    add_attribute(shader::kNormalAttribute, 0, 3, GL_FLOAT, offsetof(MeshVertex, normal));
    add_attribute(shader::kUvAttribute, 0, 2, GL_FLOAT, offsetof(MeshVertex, uv));
    add_attribute(shader::kVertexColourAttribute, 1, 3, GL_HALF_FLOAT, 0);
}

void MeshBuffers::upload_colours(const Mesh& mesh) {
    const std::vector<glm::uvec2> colours = colours_of(mesh);
    if (colours.empty()) {
        // The attribute is then a constant, which the materials multiply by 0.
        glDisableVertexArrayAttrib(layout_, shader::kVertexColourAttribute);
        return;
    }
    colours_.upload(colours.data(), colours.size() * sizeof(glm::uvec2));
    glVertexArrayVertexBuffer(layout_, 1, colours_.name(), 0, sizeof(glm::uvec2));
    glEnableVertexArrayAttrib(layout_, shader::kVertexColourAttribute);
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
    upload_colours(mesh);
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
