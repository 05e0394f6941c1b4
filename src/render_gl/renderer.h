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

struct Picture {
    std::vector<MovedBody> bodies;
    std::vector<FurView> furs;
    StrandView strands{};  // null pointers: no strands. Positions are in world space
    Camera camera;
    Light light;
    Look look;
    std::vector<BodyShape> shapes;
};

// Milliseconds of the last draw, for the one who measures. The GL share is only meaningful after
// draw_to_image, which waits for it.
struct DrawTimes {
    double gather = 0;  // strands to streams
    double grid = 0;    // density grid, and the light's passes handed to GL
    double sort = 0;    // segments by depth
    double total = 0;
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

    const DrawTimes& times() const;

private:
    struct Passes;
    explicit Renderer(std::unique_ptr<Passes> passes);
    std::unique_ptr<Passes> passes_;
};

}  // namespace ringlet
