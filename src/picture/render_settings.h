// How a scene is drawn, apart from its camera and its lights: the [render] table of a scene file.
#pragma once

#include <string_view>

#include "math/vec3.h"

namespace ringlet {

// How strands are rasterised.
enum class StrandMode {
    ribbons,       // sorted and blended, with the exact area of each pixel that a strand covers
    compute,       // the same, rasterised in compute shaders; ribbons where memory is too small
    tessellation,  // the same, with ribbons made by tessellation and geometry shaders
    ref,           // the mean of many jittered images of solid strands: a slow reference
    lines,         // one pixel wide whatever the strand's width: a quick preview
};

constexpr std::string_view word_of(StrandMode mode) {
    switch (mode) {
        case StrandMode::ribbons:
            return "ribbons";
        case StrandMode::compute:
            return "compute";
        case StrandMode::tessellation:
            return "tessellation";
        case StrandMode::ref:
            return "ref";
        case StrandMode::lines:
            return "lines";
    }
    return {};
}

// The meaning of the strands' colour: their own colour, or a quantity of the simulation.
enum class ColourBy { hair, stretch, speed, contact, force, id };
constexpr std::string_view word_of(ColourBy quantity) {
    switch (quantity) {
        case ColourBy::hair:
            return "hair";
        case ColourBy::stretch:
            return "stretch";
        case ColourBy::speed:
            return "speed";
        case ColourBy::contact:
            return "contact";
        case ColourBy::force:
            return "force";
        case ColourBy::id:
            return "id";
    }
    return {};
}

// The part of the hair-hair grid that is drawn.
enum class GridView { none, density, velocity };
constexpr std::string_view word_of(GridView view) {
    switch (view) {
        case GridView::none:
            return "none";
        case GridView::density:
            return "density";
        case GridView::velocity:
            return "velocity";
    }
    return {};
}

// The shape of strands for the path tracer.
enum class CurveShape {
    automatic,  // round where a strand is wider than two pixels, flat elsewhere
    flat,       // ribbons that face the ray
    round,      // tubes
};
constexpr std::string_view word_of(CurveShape shape) {
    switch (shape) {
        case CurveShape::automatic:
            return "auto";
        case CurveShape::flat:
            return "flat";
        case CurveShape::round:
            return "round";
    }
    return {};
}

// The numbers of OpenEXR files.
enum class ExrNumbers { half, full };
constexpr std::string_view word_of(ExrNumbers numbers) {
    switch (numbers) {
        case ExrNumbers::half:
            return "half";
        case ExrNumbers::full:
            return "float";
    }
    return {};
}

struct RenderSettings {
    Vec3f background{0.62f, 0.66f, 0.72f};  // linear RGB of the backdrop
    bool ground = true;
    float ground_height = 0;  // m
    float exposure = 1;
    float specular = 1;      // strength of the highlights along the hair
    float roughness = 0.2f;  // 0 sharp highlights, 1 broad
    float width = 1;         // drawn width over real diameter
    bool shadows = true;
    int subdivision = 0;  // drawn segments per simulated segment, 1 to 8; 0: by size on screen
    StrandMode mode = StrandMode::compute;
    int ref_frames = 64;  // images averaged by StrandMode::ref
    // Level of detail: where more strands than this cross a pixel on average, fewer and wider
    // strands are drawn. 0: always draws all of them.
    float lod = 300;
    // Largest share (up to 1) or number (above 1) of strands drawn; the drawn ones are widened, so
    // that coverage and colour do not change. 0: draws all of them.
    float strands = 0;
    // Memory of the lists of StrandMode::compute, MB. With less, strands are drawn in more rounds.
    // 0: 128 on a GPU, 32 on a software renderer.
    float list_mb = 0;
    // The path tracer: samples per pixel, at most; scatterings of a path, at most; relative noise
    // at which a part of the image is finished (0: all samples); largest light that a path may
    // bring after its first scattering (0: no limit, exact).
    int samples = 64;
    int bounces = 64;
    float noise = 0;
    float clamp = 0;
    // The share of the time between two frames during which the shutter is open, until the time of
    // the frame. 0: no motion blur.
    float shutter = 0;
    CurveShape curves = CurveShape::automatic;
    float subsurface = 0;  // m, how far red light travels under skin between scatterings; 0: none
    ExrNumbers exr = ExrNumbers::half;
    bool denoise = false;  // filters the image (render_rt/denoise.h)
    // A matte for measuring: strands in their own colour over black meshes and backdrop, without
    // lighting and tone mapping. Bytes are linear.
    bool flat = false;
    ColourBy colour_by = ColourBy::hair;
    GridView grid = GridView::none;
    bool strand_axes = false;  // draws coordinate axes along some of the strands
};

}  // namespace ringlet
