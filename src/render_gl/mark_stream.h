// Uploads marks to the GPU as quads that face the camera, sorted from back to front.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "picture/picture.h"
#include "render_gl/gl_objects.h"
#include "render_gl/view.h"

namespace ringlet {

class MarkStream {
public:
    MarkStream();

    // Omits marks that cross the near plane.
    void upload(std::span<const Mark> marks, const View& view, int width, int height);
    bool empty() const { return corners_.empty(); }
    // Blends the marks over the bound target with the current blend function and a depth test.
    // Leaves blending off and depth writing on.
    void draw() const;

private:
    struct Corner {
        glm::vec4 clip, colour;
    };
    void add_quad(const Mark& mark, const View& view, glm::vec2 size);

    std::vector<Corner> corners_;  // six per mark
    StreamBuffer buffer_;
    VertexArray layout_;
};

}  // namespace ringlet
