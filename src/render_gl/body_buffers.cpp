#include "render_gl/body_buffers.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>
#include <map>

#include "render_gl/body_parts.h"

namespace ringlet {

namespace {

// As in shaders/paint.glsl.
constexpr GLuint kPaintUnit = 6, kPaintBinding = 1, kColourBinding = 0;

struct BodyVertex {
    Vec3f position, normal;
    Vec2f uv;
};

// Any driver can bind a buffer from multiples of this on.
constexpr std::size_t kAlignment = 256;

// Uniform block `Paint` of shaders/paint.glsl.
struct PaintBlock {
    glm::vec4 paint_map;
    glm::uvec4 painted;
};

glm::uvec2 packed(Vec3f colour) {
    return {glm::packHalf2x16({colour.x, colour.y}), glm::packHalf2x16({colour.z, 1.0f})};
}

// Repeated, filtered in all its levels; sRGB is decoded before it is filtered.
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

std::vector<BodyVertex> vertices_of(const Mesh& mesh) {
    std::vector<BodyVertex> vertices(mesh.positions.size());
    for (std::size_t i = 0; i < vertices.size(); ++i)
        vertices[i] = {mesh.positions[i],
                       i < mesh.normals.size() ? mesh.normals[i] : Vec3f{0, 1, 0},
                       i < mesh.uvs.size() ? mesh.uvs[i] : Vec2f{0, 0}};
    return vertices;
}

// Appends a part's uniform block, and its triangles' colours at the next place that can be bound;
// gives back the offset of the first.
std::size_t append_blocks(const Mesh& mesh, const BodyPart& part, std::vector<std::byte>& bytes) {
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

BodyBuffers::BodyBuffers()
    : layout_(make_vertex_array()), white_(upload_texture({1, 1, {255, 255, 255, 255}})) {
    for (GLuint attribute : {0u, 1u, 2u}) {
        glEnableVertexArrayAttrib(layout_, attribute);
        glVertexArrayAttribBinding(layout_, attribute, 0);
        glVertexArrayAttribFormat(layout_, attribute, attribute == 2 ? 2 : 3, GL_FLOAT, GL_FALSE,
                                  attribute * static_cast<GLuint>(sizeof(Vec3f)));
    }
}

void BodyBuffers::upload(const Mesh& mesh) {
    const std::vector<BodyVertex> vertices = vertices_of(mesh);
    std::vector<std::uint32_t> indices;
    std::vector<std::byte> blocks;
    std::vector<SurfacePatch> patches;
    parts_.clear();
    textures_.clear();
    pictures_.clear();
    std::map<const Image*, std::size_t> uploaded;
    for (const BodyPart& part : parts_of(mesh)) {
        if (part.triangles.empty()) continue;
        Part out{};
        out.first_index = indices.size();
        for (const std::uint32_t t : part.triangles) {
            const std::uint32_t* corner = &mesh.indices[std::size_t{t} * 3];
            indices.insert(indices.end(), corner, corner + 3);
            const Vec3f sum =
                mesh.positions[corner[0]] + mesh.positions[corner[1]] + mesh.positions[corner[2]];
            patches.push_back({sum * (1.0f / 3), norm(area_normal(mesh, static_cast<int>(t))) / 2});
        }
        out.index_count = static_cast<GLsizei>(indices.size() - out.first_index);
        out.blocks = static_cast<GLintptr>(append_blocks(mesh, part, blocks));
        out.texture = white_;
        if (part.texture) {
            const auto [place, added] = uploaded.try_emplace(part.texture, textures_.size());
            if (added) textures_.push_back(upload_texture(*part.texture));
            out.texture = textures_[place->second];
            out.cut_out = has_holes(*part.texture);
        }
        parts_.push_back(out);
    }
    vertices_.upload(vertices.data(), vertices.size() * sizeof(BodyVertex));
    indices_.upload(indices.data(), indices.size() * sizeof(std::uint32_t));
    blocks_.upload(blocks.data(), blocks.size());
    patches_.upload(patches.data(), patches.size() * sizeof(SurfacePatch));
    patch_count_ = patches.size();
    glVertexArrayVertexBuffer(layout_, 0, vertices_.name(), 0, sizeof(BodyVertex));
    glVertexArrayElementBuffer(layout_, indices_.name());
    for (const Material& material : mesh.materials) pictures_.push_back(material.texture);
    bounds_ = bounds_of(mesh);
}

bool BodyBuffers::has_textures_of(const Mesh& mesh) const {
    return std::equal(pictures_.begin(), pictures_.end(), mesh.materials.begin(),
                      mesh.materials.end(),
                      [](const auto& picture, const Material& m) { return picture == m.texture; });
}

void BodyBuffers::draw(Parts which) const {
    for (const Part& part : parts_) {
        if (part.cut_out != (which == Parts::cut_out)) continue;
        glBindVertexArray(layout_);
        glBindTextureUnit(kPaintUnit, part.texture);
        glBindBufferRange(GL_UNIFORM_BUFFER, kPaintBinding, blocks_.name(), part.blocks,
                          sizeof(PaintBlock));
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, kColourBinding, blocks_.name(),
                          part.blocks + GLintptr{kAlignment},
                          part.index_count / 3 * GLsizeiptr{sizeof(glm::uvec2)});
        glDrawElements(GL_TRIANGLES, part.index_count, GL_UNSIGNED_INT,
                       reinterpret_cast<const void*>(part.first_index * sizeof(std::uint32_t)));
    }
}

void BodyBuffers::unbind() { glBindTextureUnit(kPaintUnit, 0); }

}  // namespace ringlet
