// Marks on their way to the GPU: each a quad that faces the camera, farthest first.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render_gl/gl_objects.h"
#include "render_gl/renderer.h"
#include "render_gl/view.h"

namespace ringlet {

class MarkStream {
public:
    MarkStream();

    // Marks that reach in front of the near distance are left out.
    void gather(std::span<const Mark> marks, const View& view, int width, int height);
    bool empty() const { return corners_.empty(); }
    // Over what is there, behind what is nearer; leaves blending off and depth writing on.
    void draw() const;

private:
    struct Corner {
        glm::vec4 clip, colour;
    };
    void add_quad(const Mark& mark, const View& view, glm::vec2 size);

    std::vector<Corner> corners_;  // six a mark
    StreamBuffer buffer_;
    VertexArray layout_;
};

}  // namespace ringlet
