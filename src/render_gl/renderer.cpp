#include "render_gl/renderer.h"

#include <algorithm>
#include <string>

#include "render_gl/passes.h"

namespace ringlet {

namespace {

// About as many as a strand has, so that the invocations that run together shade equally many.
constexpr std::size_t kSoftwareVertices = 32;

}  // namespace

Result<RendererGl> RendererGl::create(int samples, TileShader shader) {
    if (epoxy_gl_version() < 45)
        return Error{"the current OpenGL context is older than 4.5: update the graphics driver",
                     {}};
    auto maps = ShadowMaps::create();
    if (!maps) return maps.error();
    auto fur = FurPass::create();
    if (!fur) return fur.error();
    auto strands = StrandStream::create();
    if (!strands) return strands.error();
    auto compute_strands = ComputeStrands::create(shader);
    if (!compute_strands) return compute_strands.error();
    auto grid = DensityGrid::create();
    if (!grid) return grid.error();
    auto passes = std::make_unique<Passes>(std::move(*maps), std::move(*fur), std::move(*strands),
                                           std::move(*compute_strands), std::move(*grid));
    const auto load = [](Program& into, Result<Program> made) -> Result<void> {
        if (!made) return made.error();
        into = std::move(*made);
        return {};
    };
    Passes& p = *passes;
    for (const Result<void>& done :
         {load(p.resolve_program, make_compute_program("resolve.comp")),
          load(p.mesh_program, make_program("mesh.vert", "mesh.frag")),
          load(p.mesh_cutout_program, make_program("mesh.vert", "mesh_cutout.frag")),
          load(p.shade_program, make_compute_program("strand_shade.comp")),
          load(p.compute_shade_program, make_compute_program("strands_shade.comp")),
          load(p.compute_shade_fur_program, make_compute_program("strands_shade_fur.comp")),
          load(p.ribbon_program, make_program("ribbon.vert", "ribbon.frag")),
          load(p.curve_program, make_tessellated_program("curve", "ribbon.frag")),
          load(p.solid_program, make_program("ribbon.vert", "solid.frag")),
          load(p.farthest_program, make_program("full_screen.vert", "farthest.frag")),
          load(p.mark_program, make_program("mark.vert", "mark.frag")),
          load(p.add_program, make_program("full_screen.vert", "add.frag")),
          load(p.tone_program, make_compute_program("tone.comp"))})
        if (!done) return done.error();
    GLint most = 1;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    p.samples = std::clamp(samples, 1, std::max(most, 1));
    p.max_storage = max_storage_bytes();
    if (is_software_renderer()) p.vertices_per_thread = kSoftwareVertices;
    GLint texture = 0, buffer = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &buffer);
    p.max_size = std::min(texture, buffer);
    return RendererGl(std::move(passes));
}

RendererGl::RendererGl(std::unique_ptr<Passes> passes) : passes_(std::move(passes)) {}
RendererGl::~RendererGl() = default;
RendererGl::RendererGl(RendererGl&&) noexcept = default;
RendererGl& RendererGl::operator=(RendererGl&&) noexcept = default;

void RendererGl::draw(const Picture& picture, int width, int height, unsigned framebuffer) {
    if (width < 1 || height < 1 || width > passes_->max_size || height > passes_->max_size) return;
    passes_->draw(picture, width, height, framebuffer);
    // CUDA and OpenGL take turns on a GPU. A step that begins before the picture is complete slows
    // both.
    if (drew_from_device()) glFinish();
}

Result<Image> RendererGl::draw_to_image(const Picture& picture, int width, int height) {
    if (width < 1 || height < 1 || width > passes_->max_size || height > passes_->max_size)
        return Error{"cannot draw an image of " + std::to_string(width) + " x " +
                         std::to_string(height) + " pixels: each side must be from 1 to " +
                         std::to_string(passes_->max_size),
                     {}};
    Passes& p = *passes_;
    if (width != p.image_width || height != p.image_height) {
        p.image = make_texture_2d(GL_RGBA8, width, height);
        p.image_target = make_colour_target(p.image);
        p.image_width = width;
        p.image_height = height;
    }
    p.draw(picture, width, height, p.image_target);

    Image upside_down{width, height, {}};
    const std::size_t row = static_cast<std::size_t>(width) * 4;
    upside_down.rgba.resize(row * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glGetTextureImage(p.image, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      static_cast<GLsizei>(upside_down.rgba.size()), upside_down.rgba.data());
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    passes_->log.collect_errors();
    Image image = std::move(upside_down);
    for (int y = 0; y < height / 2; ++y)
        std::swap_ranges(image.pixel(0, y), image.pixel(0, y) + row,
                         image.pixel(0, height - 1 - y));
    return image;
}

void RendererGl::forget_meshes() {
    passes_->meshes.clear();
    passes_->fur.clear();
}

std::vector<std::string> RendererGl::messages() const { return passes_->log.messages(); }

std::vector<std::string> RendererGl::performance_messages() const {
    return passes_->log.performance();
}

std::span<const PassTime> RendererGl::pass_times() const { return passes_->timer.passes(); }

bool RendererGl::drew_from_device() const { return passes_->strands.is_from_device(); }

bool RendererGl::drew_computed_children() const { return passes_->strands.has_computed_children(); }

void RendererGl::compute_children(bool wanted) { passes_->strands.compute_children(wanted); }

void RendererGl::wait_for_passes(bool wait) { passes_->timer.wait_for_passes(wait); }

void RendererGl::time_parts(bool wanted) { passes_->timer.time_parts(wanted); }

}  // namespace ringlet
