// The state of RendererGl between frames, and the passes of a frame.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "base/parallel.h"
#include "render_gl/compute_strands.h"
#include "render_gl/density_grid.h"
#include "render_gl/fur_pass.h"
#include "render_gl/gl_objects.h"
#include "render_gl/mark_stream.h"
#include "render_gl/mesh_buffers.h"
#include "render_gl/message_log.h"
#include "render_gl/pass_timer.h"
#include "render_gl/renderer.h"
#include "render_gl/shadow_maps.h"
#include "render_gl/strand_stream.h"
#include "render_gl/targets.h"
#include "render_gl/view.h"
#include "shade/azimuth_table.h"
#include "shade/multiple_scattering.h"

namespace ringlet {

inline constexpr std::uint64_t kNoMesh = 0;

struct UploadedMesh {
    MeshBuffers buffers;
    std::uint64_t fingerprint = kNoMesh;  // of the mesh last uploaded
    glm::mat4 transform{1};               // to world space, in this frame
};

struct Fingerprint {
    const Mesh* mesh = nullptr;  // Not owned.
    std::uint64_t value = kNoMesh;
};

struct RendererGl::Passes {
    Passes(ShadowMaps maps, FurPass coats, StrandStream hair, ComputeStrands in_compute,
           DensityGrid density)
        : shadows(std::move(maps)),
          fur(std::move(coats)),
          strands(std::move(hair)),
          compute_strands(std::move(in_compute)),
          grid(std::move(density)) {}

    void upload_meshes(const Picture& picture);
    Subject subject_of(const Picture& picture) const;
    // The pixels that meshes, solid strands and fur can touch. `frame` has the camera's matrix.
    PixelBox opaque_pixels(const Picture& picture, const View& view, const FrameBlock& frame) const;
    void draw_meshes(PartKind kind) const;
    void prepare_light(const Picture& picture, FrameBlock& frame, const Subject& subject);
    void upload_frame(const FrameBlock& frame);
    void tabulate_scattering(const RenderSettings& settings);
    void bind_light_maps() const;
    static void unbind_light_maps();
    void shade_strands();
    // Draws the meshes and the fur. resolve() adds the backdrop.
    void draw_opaque(const Picture& picture, const FrameBlock& frame);
    // Draws solid strands or lines into the multisampled target.
    void draw_solid_strands();
    // Averages the samples of the multisampled image over the backdrop, and reduces their depths.
    void resolve();
    // Binds the resolved image, with the farthest depths of its samples in its depth buffer.
    void copy_depth();
    void dispatch_over_image() const;
    // Blends the strands over the resolved image.
    void draw_strands(const RenderSettings& settings);
    // The same, in StrandMode::compute.
    void draw_compute_strands(const RenderSettings& settings);
    // Blends the marks over the resolved image, or over the multisampled one.
    void draw_marks(bool over_resolved);
    void draw_full_screen() const;
    // Averages images that are shifted by less than a pixel.
    void draw_reference(const Picture& picture, FrameBlock& frame);
    void sort_strands(const View& view, bool with_depths);
    void draw_scene(const Picture& picture, const View& view, FrameBlock& frame);
    void tone_map(GLuint hdr, GLuint framebuffer);
    void draw(const Picture& picture, int width, int height, GLuint framebuffer);

    MessageLog log;  // first, so that it records messages about the creation of the others
    TaskPool pool;
    Program resolve_program, mesh_program, mesh_cutout_program, shade_program,
        compute_shade_program, compute_shade_fur_program, ribbon_program, curve_program,
        solid_program, farthest_program, add_program, tone_program, mark_program;
    ShadowMaps shadows;
    FurPass fur;
    StrandStream strands;
    ComputeStrands compute_strands;
    MarkStream marks;
    DensityGrid grid;
    std::vector<UploadedMesh> meshes;
    std::vector<Fingerprint> fingerprints;  // of this frame's meshes, each once
    MeshBuffers shape_buffers;
    std::vector<PlacedMesh> placed_meshes;  // in this frame
    StreamBuffer frame_buffer;
    Texture scatter_table, soft_table;  // the parts of ScatterTable
    Texture azimuth_map;                // AzimuthTable
    Fibre tabulated;                    // the fibre of both
    VertexArray no_attributes = make_vertex_array();
    Targets targets;
    PixelBox opaque_box;      // opaque_pixels() of this frame
    bool has_colours = true;  // whether the colours of the multisampled image were cleared
    // The target of draw_to_image.
    Texture image;
    Framebuffer image_target;
    int image_width = 0, image_height = 0;
    PassTimer timer;
    int samples = 4;
    std::size_t vertices_per_thread = 1;  // of the shader that shades strands for compute mode
    std::size_t max_storage = 0;          // largest storage-buffer range, bytes
    int max_size = 0;

    std::vector<DrawnShape> uploaded_shapes;
};

}  // namespace ringlet
