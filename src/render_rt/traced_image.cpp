#include "render_rt/traced_image.h"

#include <algorithm>
#include <cmath>

#include "picture/studio.h"

namespace ringlet {

namespace {

std::uint8_t byte_of(float value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 255.0f)));
}

}  // namespace

float noise_of(const TracedImage& image) {
    double variance = 0, light = 0;
    int covered = 0;
    for (const TracedPixel& pixel : image.pixels) {
        if (!(pixel.alpha > 0)) continue;
        variance += static_cast<double>(pixel.variance);
        light += static_cast<double>(luminance(pixel.light + pixel.backdrop));
        ++covered;
    }
    if (covered == 0 || !(light > 0)) return 0;
    return static_cast<float>(std::sqrt(variance / covered) / (light / covered));
}

LinearImage layers_of(const TracedImage& traced) {
    LinearImage out{traced.width, traced.height, {}};
    const auto add = [&](const char* name, auto value, bool is_precise = false) {
        LinearChannel channel{name, {}, is_precise};
        channel.values.reserve(traced.pixels.size());
        for (const TracedPixel& pixel : traced.pixels) channel.values.push_back(value(pixel));
        out.channels.push_back(std::move(channel));
    };
    add("R", [](const TracedPixel& p) { return p.light.x; });
    add("G", [](const TracedPixel& p) { return p.light.y; });
    add("B", [](const TracedPixel& p) { return p.light.z; });
    add("A", [](const TracedPixel& p) { return p.alpha; });
    add("backdrop.R", [](const TracedPixel& p) { return p.backdrop.x; });
    add("backdrop.G", [](const TracedPixel& p) { return p.backdrop.y; });
    add("backdrop.B", [](const TracedPixel& p) { return p.backdrop.z; });
    add("albedo.R", [](const TracedPixel& p) { return p.albedo.x; });
    add("albedo.G", [](const TracedPixel& p) { return p.albedo.y; });
    add("albedo.B", [](const TracedPixel& p) { return p.albedo.z; });
    add("normal.X", [](const TracedPixel& p) { return p.normal.x; });
    add("normal.Y", [](const TracedPixel& p) { return p.normal.y; });
    add("normal.Z", [](const TracedPixel& p) { return p.normal.z; });
    add(
        "Z", [](const TracedPixel& p) { return p.depth; }, true);
    return out;
}

Image develop(const TracedImage& traced, const RenderSettings& settings) {
    Image image{traced.width, traced.height, {}};
    image.rgba.resize(traced.pixels.size() * 4);
    for (int y = 0; y < traced.height; ++y)
        for (int x = 0; x < traced.width; ++x) {
            const TracedPixel& pixel = traced.at(x, y);
            const Vec3f light = pixel.light + pixel.backdrop;
            // The noise is counted from the lower left corner.
            const float grain = settings.flat
                                    ? 0
                                    : tone_grain(static_cast<unsigned>(x),
                                                 static_cast<unsigned>(traced.height - 1 - y));
            const Vec3f colour = settings.flat ? light : tone_mapped(light * settings.exposure);
            std::uint8_t* const out = image.pixel(x, y);
            out[0] = byte_of(colour.x * 255 + grain);
            out[1] = byte_of(colour.y * 255 + grain);
            out[2] = byte_of(colour.z * 255 + grain);
            out[3] = 255;
        }
    return image;
}

}  // namespace ringlet
