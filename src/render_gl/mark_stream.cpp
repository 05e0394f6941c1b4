#include "render_gl/mark_stream.h"

#include <algorithm>

#include "render_gl/shader_constants.h"

namespace ringlet {

MarkStream::MarkStream() : layout_(make_vertex_array()) {
    const auto add_attribute = [this](GLuint attribute, std::size_t offset) {
        glEnableVertexArrayAttrib(layout_, attribute);
        glVertexArrayAttribBinding(layout_, attribute, 0);
        glVertexArrayAttribFormat(layout_, attribute, 4, GL_FLOAT, GL_FALSE,
                                  static_cast<GLuint>(offset));
    };
    add_attribute(shader::kClipAttribute, offsetof(Corner, clip));
    add_attribute(shader::kColourAttribute, offsetof(Corner, colour));
}

void MarkStream::upload(std::span<const Mark> marks, const View& view, int width, int height) {
    corners_.clear();
    if (marks.empty()) return;
    std::vector<Mark> sorted(marks.begin(), marks.end());
    const auto depth = [&](const Mark& m) {
        return glm::dot(to_glm(m.a) + to_glm(m.b), view.forward);
    };
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Mark& m, const Mark& n) { return depth(m) > depth(n); });
    for (const Mark& mark : sorted)
        add_quad(mark, view, {static_cast<float>(width), static_cast<float>(height)});
    if (corners_.empty()) return;
    buffer_.upload(corners_.data(), corners_.size() * sizeof(Corner));
    glVertexArrayVertexBuffer(layout_, 0, buffer_.name(), 0, sizeof(Corner));
}

void MarkStream::add_quad(const Mark& mark, const View& view, glm::vec2 size) {
    const glm::mat4 to_clip = view.projection * view.matrix;
    const glm::vec4 ends[2] = {to_clip * glm::vec4(to_glm(mark.a), 1),
                               to_clip * glm::vec4(to_glm(mark.b), 1)};
    if (!(ends[0].w > view.near_distance && ends[1].w > view.near_distance)) return;
    glm::vec2 along = (glm::vec2(ends[1]) / ends[1].w - glm::vec2(ends[0]) / ends[0].w) * size;
    const bool is_square = glm::dot(along, along) < 1e-6f;
    along = is_square ? glm::vec2(1, 0) : glm::normalize(along);
    const glm::vec2 across(-along.y, along.x);
    Corner quad[4];
    for (int k = 0; k < 4; ++k) {
        const glm::vec4 end = ends[k / 2];
        // Half the width in pixels, times 2 because clip space is 2 high.
        const float half =
            std::max(mark.width * size.y / (4 * view.half_height * end.w), mark.pixels / 2) * 2;
        glm::vec2 offset = across * (k % 2 == 0 ? half : -half);
        if (is_square) offset += along * (k / 2 == 0 ? -half : half);
        quad[k] = {end + glm::vec4(offset / size * end.w, 0, 0),
                   glm::vec4(to_glm(mark.colour), mark.opacity)};
    }
    for (const int k : {0, 1, 2, 2, 1, 3}) corners_.push_back(quad[k]);
}

void MarkStream::draw() const {
    glDepthMask(GL_FALSE);
    glEnable(GL_BLEND);
    glBindVertexArray(layout_);
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners_.size()));
    glDisable(GL_BLEND);
    glDepthMask(GL_TRUE);
}

}  // namespace ringlet
