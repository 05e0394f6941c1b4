// Everything a renderer needs to draw one image: meshes, fur, strands, camera, light and settings.
// A Picture refers to meshes, strands and fur that the caller owns; they must outlive its use. It
// names no graphics API, so every renderer draws the same Picture.
#pragma once

#include <memory>
#include <vector>

#include "fur/view.h"
#include "geom/drawn_shape.h"
#include "geom/mesh.h"
#include "math/quat.h"
#include "picture/camera.h"
#include "picture/light.h"
#include "picture/render_settings.h"
#include "strand/strand_set.h"

namespace ringlet {

struct DrawnMesh {
    const Mesh* mesh = nullptr;  // Not owned. May be null.
    Rigidf transform{};          // from the mesh's coordinates to world space
};

// A line of uniform colour drawn over the strands and hidden by meshes, for debug views. A line
// whose ends are equal is drawn as a square that faces the camera.
struct Mark {
    Vec3f a{0, 0, 0}, b{0, 0, 0};  // m, in world space
    Vec3f colour{1, 1, 1};         // linear RGB
    float opacity = 1;
    float width = 0;   // m
    float pixels = 0;  // least width on screen
};

// Where everything was when the shutter opened, for motion blur.
struct OpenShutter {
    struct MeshPose {
        Rigidf transform;
        std::vector<Vec3f> positions;  // in the mesh's coordinates
    };
    Channel<3> positions;          // of Picture::strands
    std::vector<MeshPose> meshes;  // of Picture::meshes
    Camera camera;
};

struct Picture {
    std::vector<DrawnMesh> meshes;
    std::vector<FurView> furs;
    // In world space. Null pointers: no strands. If `strands.deferred` is set, call its fetch()
    // before reading positions on the host.
    StrandView strands{};
    // The number of the first strand of each head, ascending from 0; empty: all belong to one head.
    // Changes only together with the layout of the strands.
    std::vector<int> first_strands;
    Camera camera;
    Light light;
    RenderSettings settings;
    std::vector<DrawnShape> shapes;  // drawn as matte clay
    std::vector<Mark> marks;
    // Size of the body that the strands grow on over that of a head. Scales the distances over
    // which strands and skin shadow themselves.
    float body_scale = 1;
    // Draws strands in their own colours with little shading, so that the colours can be read.
    bool plain_strands = false;
    // The start of the motion that the picture blurs; null: nothing is blurred.
    std::shared_ptr<const OpenShutter> open_shutter;
    // Owns the colours where `strands.colour` was made for this picture.
    std::shared_ptr<const Channel<3>> own_colours;
};

}  // namespace ringlet
