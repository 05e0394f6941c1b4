// The real-time renderer: draws a Picture in the current OpenGL 4.5 core context (a window's or
// OffscreenContext's).
//
// Passes: shadow maps of the key light (opaque depth, then a deep opacity map of the strands), a
// coarse density grid for soft light, the backdrop and meshes into a multisampled linear HDR
// target, strands shaded per vertex and blended from back to front with analytic coverage, tone
// mapping. Equal pictures give equal bytes on the same driver: no result is reused between frames.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "picture/picture.h"
#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

// The time a pass of a recent frame took on the CPU and on the GPU. Neither includes waiting for
// the other, except on a software renderer.
struct PassTime {
    const char* name = "";
    double cpu_ms = 0, gpu_ms = 0;
};

// The pixels that an invocation of the compute rasteriser draws: four suit software renderers, one
// suits GPUs.
enum class TileShader { by_driver, strips, pixels };

class RendererGl {
public:
    // A GL 4.5 core context must be current during this and all later calls, including destruction.
    // `samples` per pixel for meshes are reduced to the driver's maximum. `shader` is for
    // measurements.
    static Result<RendererGl> create(int samples = 4, TileShader shader = TileShader::by_driver);

    ~RendererGl();
    RendererGl(RendererGl&&) noexcept;
    RendererGl& operator=(RendererGl&&) noexcept;

    // Draws into the lower left width x height pixels of a framebuffer (0: the window) with linear
    // 8-bit colour attachments; the bytes written are sRGB encoded. Leaves depth test, blending and
    // culling off and no program, vertex array or texture bound.
    void draw(const Picture& picture, int width, int height, unsigned framebuffer = 0);

    // Draws off screen and reads the image back. Fails on sizes the driver cannot draw.
    Result<Image> draw_to_image(const Picture& picture, int width, int height);

    // Frees the uploaded meshes. The next draw uploads them again.
    void forget_meshes();

    // GL errors and debug messages above notification level, oldest first. Normally empty.
    std::vector<std::string> messages() const;
    // Debug messages that concern speed only, such as shader recompilation.
    std::vector<std::string> performance_messages() const;

    // The passes of one of the last frames in order; empty for the first few frames. Never blocks.
    std::span<const PassTime> pass_times() const;
    // Whether the strands last drawn were copied directly from the GPU memory of the simulation,
    // rather than through the host.
    bool drew_from_device() const;
    // Whether the children last drawn were computed on the GPU, from the motions of their guides.
    bool drew_computed_children() const;
    // Sets whether a shader computes children where it can, for tests and measurements. By default
    // it does except on a software renderer.
    void compute_children(bool wanted);
    // If true, every pass blocks until it is drawn. Slower, but separates the times of passes on a
    // software renderer (see their CPU times).
    void wait_for_passes(bool wait);
    // If true, pass_times() also lists the parts of passes, for measurements. A part occurs once
    // for each time it ran, and its pass has the time of no part.
    void time_parts(bool wanted);

private:
    struct Passes;
    explicit RendererGl(std::unique_ptr<Passes> passes);
    std::unique_ptr<Passes> passes_;
};

}  // namespace ringlet
