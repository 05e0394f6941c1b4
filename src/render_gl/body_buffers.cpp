#include "render_gl/body_buffers.h"

#include <glm/glm.hpp>
#include <glm/gtc/packing.hpp>

namespace ringlet {

namespace {

struct BodyVertex {
    Vec3f position, normal;
};

Vec3f colour_of(const Mesh& mesh, std::size_t triangle) {
    const std::int32_t index =
        triangle < mesh.triangle_material.size() ? mesh.triangle_material[triangle] : -1;
    if (index < 0 || index >= std::ssize(mesh.materials)) return Material{}.colour;
    return mesh.materials[static_cast<std::size_t>(index)].colour;
}

glm::uvec2 packed(Vec3f colour) {
    return {glm::packHalf2x16({colour.x, colour.y}), glm::packHalf2x16({colour.z, 1.0f})};
}

}  // namespace

BodyBuffers::BodyBuffers() : layout_(make_vertex_array()) {
    for (GLuint attribute : {0u, 1u}) {
        glEnableVertexArrayAttrib(layout_, attribute);
        glVertexArrayAttribBinding(layout_, attribute, 0);
        glVertexArrayAttribFormat(layout_, attribute, 3, GL_FLOAT, GL_FALSE,
                                  attribute * static_cast<GLuint>(sizeof(Vec3f)));
    }
}

void BodyBuffers::upload(const Mesh& mesh) {
    std::vector<BodyVertex> vertices(mesh.positions.size());
    for (std::size_t i = 0; i < vertices.size(); ++i)
        vertices[i] = {mesh.positions[i],
                       i < mesh.normals.size() ? mesh.normals[i] : Vec3f{0, 1, 0}};
    std::vector<std::uint32_t> indices;
    std::vector<glm::uvec2> colours;
    patches_.clear();
    for (std::size_t t = 0; t + 1 <= mesh.indices.size() / 3; ++t) {
        const std::uint32_t* corner = &mesh.indices[t * 3];
        if (corner[0] >= vertices.size() || corner[1] >= vertices.size() ||
            corner[2] >= vertices.size())
            continue;
        indices.insert(indices.end(), corner, corner + 3);
        colours.push_back(packed(colour_of(mesh, t)));
        const Vec3f sum =
            mesh.positions[corner[0]] + mesh.positions[corner[1]] + mesh.positions[corner[2]];
        patches_.push_back({sum * (1.0f / 3), norm(area_normal(mesh, static_cast<int>(t))) / 2});
    }
    vertices_.upload(vertices.data(), vertices.size() * sizeof(BodyVertex));
    indices_.upload(indices.data(), indices.size() * sizeof(std::uint32_t));
    colours_.upload(colours.data(), colours.size() * sizeof(glm::uvec2));
    glVertexArrayVertexBuffer(layout_, 0, vertices_.name(), 0, sizeof(BodyVertex));
    glVertexArrayElementBuffer(layout_, indices_.name());
    index_count_ = static_cast<GLsizei>(indices.size());
    bounds_ = bounds_of(mesh);
}

void BodyBuffers::draw() const {
    if (empty()) return;
    glBindVertexArray(layout_);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, colours_.name());
    glDrawElements(GL_TRIANGLES, index_count_, GL_UNSIGNED_INT, nullptr);
}

}  // namespace ringlet
