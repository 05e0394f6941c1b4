// The real-time renderer: one picture of bodies and their strands, in whatever OpenGL 4.5 core
// context is current (a window's or OffscreenContext's).
//
// Passes: what the key light sees (opaque depth, then a deep opacity map of the strands), a coarse
// density grid for soft light, the backdrop and bodies into a multisampled linear HDR target,
// strands shaded per vertex and blended over from back to front with analytic coverage, tone
// mapping. Equal pictures give equal bytes on the same driver; nothing carries over from frame to
// frame but buffers.
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

// A pass of a recent frame: how long it kept the CPU, and how long the GPU. Waiting for the other
// side counts in neither, except on the software renderer, where both are the same machine.
struct PassTime {
    const char* name = "";
    double cpu_ms = 0, gpu_ms = 0;
};

class RendererGl {
public:
    // A GL 4.5 core context must be current, here and in every later call, destruction included.
    // `samples` per pixel for bodies: lowered to what the driver has.
    static Result<RendererGl> create(int samples = 4);

    ~RendererGl();
    RendererGl(RendererGl&&) noexcept;
    RendererGl& operator=(RendererGl&&) noexcept;

    // Draws into the lower left width x height pixels of a framebuffer (0: the window), which must
    // hold plain 8-bit colour: bytes come out sRGB encoded. Leaves depth test, blending and culling
    // off and no program, vertex array or texture bound.
    void draw(const Picture& picture, int width, int height, unsigned framebuffer = 0);

    // Draws off screen and reads back. Fails on sizes the driver cannot draw.
    Result<Image> draw_to_image(const Picture& picture, int width, int height);

    // Frees the uploaded meshes; the next draw of them uploads again.
    void forget_meshes();

    // GL errors and debug messages above notification, oldest first. Empty when all is well.
    std::vector<std::string> messages() const;
    // What the driver says of speed alone: that a shader is compiled for a state it had not met,
    // for one. The picture is right all the same.
    std::vector<std::string> performance_messages() const;

    // The passes of one of the last frames, in order; empty for the first few. Reading them never
    // waits.
    std::span<const PassTime> pass_times() const;
    // Whether the strands last drawn came straight from where they were simulated, on the same GPU;
    // otherwise they were copied through the host.
    bool drew_from_device() const;
    // From now on every pass waits until it is drawn: slower, but then the software renderer's
    // passes can be told apart (by their CPU time).
    void wait_for_passes(bool wait);

private:
    struct Passes;
    explicit RendererGl(std::unique_ptr<Passes> passes);
    std::unique_ptr<Passes> passes_;
};

}  // namespace ringlet
