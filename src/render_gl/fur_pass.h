// Draws coats of fur as shells and fins, and the innermost shell under fur that is drawn as
// strands. A pelt is uploaded once; each frame uploads the directions of its tips (8 bytes per
// vertex) and the edges drawn as fins.
#pragma once

#include <glm/glm.hpp>

#include "fur/view.h"
#include "render_gl/gl_objects.h"

namespace ringlet {

class FurPass {
public:
    static Result<FurPass> create();

    // Call once per frame, before the other functions.
    void upload(std::span<const FurView> coats, const TaskPool& pool);
    // Draws the shells of coats into the shadow map of a lamp, or, for shader::kNoLamp, into the
    // map that is seen from straight below; strands cast their own shadows. The map and the frame
    // block must be bound.
    void cast(std::span<const FurView> coats, int lamp) const;
    // Draws into the bound target, whose depth buffer must hold the opaque meshes. The frame block
    // and the shadow maps must be bound. `pixels_per_metre` is measured at distance 1. Leaves
    // blending off and depth writing on.
    void draw(std::span<const FurView> coats, Vec3f eye, float pixels_per_metre);
    // Frees the uploaded coats.
    void clear() { coats_.clear(); }

private:
    struct Coat {
        std::uint64_t pelt_number = 0;
        std::shared_ptr<const Image> picture;
        StreamBuffer block, roots, tips, indices, edges;
        Texture image;
        VertexArray elements = make_vertex_array();
        GLsizei index_count = 0, fin_count = 0;
    };

    FurPass() = default;
    void make_textures(const TaskPool& pool);
    static void upload(const FurView& view, Coat& coat);
    static void bind(const Coat& coat);
    void draw_shells(const FurView& view, const Coat& coat, Vec3f eye, float pixels_per_metre);
    void find_fins(const FurView& view, Coat& coat, Vec3f eye);
    void draw_fins(const Coat& coat) const;

    Program shell_program_, fin_program_, original_program_, caster_program_;
    Texture field_, tile_;
    std::vector<Coat> coats_;
    std::vector<std::uint32_t> edges_;
    VertexArray no_attributes_ = make_vertex_array();
};

}  // namespace ringlet
