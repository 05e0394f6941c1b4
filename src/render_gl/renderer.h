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

#include "fur/view.h"
#include "geom/mesh.h"
#include "math/quat.h"
#include "ringlet/image.h"
#include "ringlet/result.h"
#include "shade/look.h"
#include "strand/strand_set.h"

namespace ringlet {

// A collider or prop drawn as matte clay, in world space.
struct BodyShape {
    enum class Kind { sphere, capsule, plane, ellipsoid };
    Kind kind = Kind::sphere;
    Vec3f a{0, 0, 0};  // centre; first end of a capsule's axis; a point of a plane
    // Second end of a capsule's axis; normal of a plane, any length; radii of an ellipsoid.
    Vec3f b{0, 1, 0};
    float radius = 0.1f;               // m; half the side of the square drawn for a plane
    Vec3f colour{0.55f, 0.53f, 0.5f};  // linear
    Quatf turn{0, 0, 0, 1};            // of an ellipsoid
};

struct MovedBody {
    const Mesh* mesh = nullptr;  // may be null; uploaded again only when its contents change
    Rigidf motion{};             // from the mesh's coordinates to the world's
};

// A line of plain colour drawn over the strands, hidden by bodies: for showing what is not there to
// see. From a point to itself it is a square that faces the camera.
struct Mark {
    Vec3f a{0, 0, 0}, b{0, 0, 0};  // m, in world space
    Vec3f colour{1, 1, 1};         // linear
    float opacity = 1;
    float width = 0;   // m
    float pixels = 0;  // or that wide at least, on screen
};

struct Picture {
    std::vector<MovedBody> bodies;
    std::vector<FurView> furs;
    StrandView strands{};  // null pointers: no strands. Positions are in world space
    Camera camera;
    Light light;
    Look look;
    std::vector<BodyShape> shapes;
    std::vector<Mark> marks;
    bool plain_strands = false;  // in their colours, hardly shaded, so that these can be read
    std::shared_ptr<const Channel<3>> own_colours;  // where strands.colour is the picture's own
};

// A pass of a recent frame: how long it kept the CPU, and how long the GPU. Waiting for the other
// side counts in neither, except on the software renderer, where both are the same machine.
struct PassTime {
    const char* name = "";
    double cpu_ms = 0, gpu_ms = 0;
};

class Renderer {
public:
    // A GL 4.5 core context must be current, here and in every later call, destruction included.
    // `samples` per pixel for bodies: lowered to what the driver has.
    static Result<Renderer> create(int samples = 4);

    ~Renderer();
    Renderer(Renderer&&) noexcept;
    Renderer& operator=(Renderer&&) noexcept;

    // Draws into the lower left width x height pixels of a framebuffer (0: the window), which must
    // hold plain 8-bit colour: bytes come out sRGB encoded. Leaves depth test, blending and culling
    // off and no program, vertex array or texture bound.
    void draw(const Picture& picture, int width, int height, unsigned framebuffer = 0);

    // Draws off screen and reads back. Fails on sizes the driver cannot draw.
    Result<Image> draw_to_image(const Picture& picture, int width, int height);

    // Frees the uploaded meshes; the next draw of them uploads again.
    void forget_bodies();

    // GL errors and debug messages above notification, oldest first. Empty when all is well.
    std::vector<std::string> messages() const;
    // What the driver says of speed alone: that a shader is compiled for a state it had not met,
    // for one. The picture is right all the same.
    std::vector<std::string> performance_remarks() const;

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
    explicit Renderer(std::unique_ptr<Passes> passes);
    std::unique_ptr<Passes> passes_;
};

}  // namespace ringlet
