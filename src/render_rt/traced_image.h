// The result of the path tracer in linear light, with what other programs composite or denoise.
#pragma once

#include <vector>

#include "geom/linear_image.h"
#include "math/vec2.h"
#include "picture/render_settings.h"
#include "render_rt/lamps.h"
#include "ringlet/image.h"

namespace ringlet {

struct TracedPixel {
    Vec3f light{0, 0, 0};       // of strands and meshes, linear RGB, premultiplied by alpha
    LightBySource by_source{};  // its parts
    Vec3f backdrop{0, 0, 0};    // linear RGB, premultiplied by 1 - alpha
    float alpha = 0;            // share of the pixel that strands and meshes cover
    float coverage = 0;         // share of the pixel that strands cover
    // Means over the covered part of the pixel:
    Vec3f albedo{0, 0, 0};
    Vec3f normal{0, 0, 0};       // of flat strands: towards the eye, across the strand
    float depth = 0;             // m, along the camera's axis
    Vec2f motion{0, 0};          // pixels per frame, to the right and downwards
    float variance = 0;          // of the mean luminance
    float covered_variance = 0;  // of the mean luminance of the covered part alone
    int samples = 0;
};

struct TracedImage {
    int width = 0, height = 0;
    std::vector<TracedPixel> pixels;  // row by row from the upper left corner
    std::vector<Vec3f> denoised;  // replaces TracedPixel::light in the image; empty: nothing does

    // The light of one of the pixels in the image.
    Vec3f shown_light(const TracedPixel& pixel) const {
        if (denoised.empty()) return pixel.light;
        return denoised[static_cast<std::size_t>(&pixel - pixels.data())];
    }
    const TracedPixel& at(int x, int y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
};

inline float luminance(Vec3f light) {
    return 0.2126f * light.x + 0.7152f * light.y + 0.0722f * light.z;
}

// The root mean square error of covered pixels over their mean luminance, as estimated from the
// samples. 0 if nothing is covered.
float noise_of(const TracedImage& image);

// The layers of OpenEXR files that docs/path_tracer.md lists.
LinearImage layers_of(const TracedImage& traced, const RenderSettings& settings);

// Applies exposure, tone curve and sRGB.
Image develop(const TracedImage& traced, const RenderSettings& settings);

}  // namespace ringlet
