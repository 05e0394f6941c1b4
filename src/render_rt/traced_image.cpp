#include "render_rt/traced_image.h"

#include <algorithm>
#include <cmath>

#include "picture/studio.h"

namespace ringlet {

namespace {

std::uint8_t byte_of(float value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 255.0f)));
}

// Adds channels to a LinearImage.
class LayerWriter {
public:
    LayerWriter(const TracedImage& traced, ExrNumbers numbers)
        : traced_(traced),
          is_precise_(numbers == ExrNumbers::full),
          out_{traced.width, traced.height, {}} {}

    template <class Value>
    void channel(const std::string& name, const Value& value, bool is_precise = false) {
        LinearChannel channel{name, {}, is_precise || is_precise_};
        channel.values.reserve(traced_.pixels.size());
        for (const TracedPixel& pixel : traced_.pixels) channel.values.push_back(value(pixel));
        out_.channels.push_back(std::move(channel));
    }
    template <class Value>
    void colour(const std::string& layer, const Value& value) {
        channel(layer + "R", [&](const TracedPixel& pixel) { return value(pixel).x; });
        channel(layer + "G", [&](const TracedPixel& pixel) { return value(pixel).y; });
        channel(layer + "B", [&](const TracedPixel& pixel) { return value(pixel).z; });
    }
    LinearImage take() { return std::move(out_); }

private:
    const TracedImage& traced_;
    bool is_precise_;
    LinearImage out_;
};

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

LinearImage layers_of(const TracedImage& traced, const RenderSettings& settings) {
    LayerWriter write(traced, settings.exr);
    // Filtered and noisy layers have different names, because their sums differ.
    const std::string noisy = traced.denoised.empty() ? "" : "noisy.";
    write.colour("", [&](const TracedPixel& p) { return traced.shown_light(p); });
    if (!noisy.empty()) write.colour(noisy, [](const TracedPixel& p) { return p.light; });
    write.channel("A", [](const TracedPixel& p) { return p.alpha; });
    write.channel("coverage", [](const TracedPixel& p) { return p.coverage; });
    write.colour("backdrop.", [](const TracedPixel& p) { return p.backdrop; });
    write.colour(noisy + "key.", [](const TracedPixel& p) { return p.by_source[0]; });
    write.colour(noisy + "rim.", [](const TracedPixel& p) { return p.by_source[1]; });
    write.colour(noisy + "fill.", [](const TracedPixel& p) { return p.by_source[Lamps::kFill]; });
    write.colour("albedo.", [](const TracedPixel& p) { return p.albedo; });
    write.channel("normal.X", [](const TracedPixel& p) { return p.normal.x; });
    write.channel("normal.Y", [](const TracedPixel& p) { return p.normal.y; });
    write.channel("normal.Z", [](const TracedPixel& p) { return p.normal.z; });
    if (settings.shutter > 0) {
        write.channel("motion.X", [](const TracedPixel& p) { return p.motion.x; });
        write.channel("motion.Y", [](const TracedPixel& p) { return p.motion.y; });
    }
    write.channel(
        "Z", [](const TracedPixel& p) { return p.depth; }, true);
    return write.take();
}

Image develop(const TracedImage& traced, const RenderSettings& settings) {
    Image image{traced.width, traced.height, {}};
    image.rgba.resize(traced.pixels.size() * 4);
    for (int y = 0; y < traced.height; ++y)
        for (int x = 0; x < traced.width; ++x) {
            const TracedPixel& pixel = traced.at(x, y);
            const Vec3f light = traced.shown_light(pixel) + pixel.backdrop;
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
