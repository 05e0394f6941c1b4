#include "groom/maps.h"

#include <cmath>

namespace ringlet {

namespace {

template <class Value, class At>
Value bilinear(const Image& image, Vec2f uv, const At& at) {
    const auto repeat = [](float a) { return a - std::floor(a); };
    const float x = repeat(uv.x) * static_cast<float>(image.width) - 0.5f;
    const float y = repeat(1 - uv.y) * static_cast<float>(image.height) - 0.5f;
    const float x0 = std::floor(x), y0 = std::floor(y);
    const auto wrap = [](float a, int size) {
        const int i = static_cast<int>(a) % size;
        return i < 0 ? i + size : i;
    };
    const int left = wrap(x0, image.width), right = wrap(x0 + 1, image.width);
    const int top = wrap(y0, image.height), bottom = wrap(y0 + 1, image.height);
    const float fx = x - x0, fy = y - y0;
    const Value upper = at(image.pixel(left, top)) * (1 - fx) + at(image.pixel(right, top)) * fx;
    const Value lower =
        at(image.pixel(left, bottom)) * (1 - fx) + at(image.pixel(right, bottom)) * fx;
    return upper * (1 - fy) + lower * fy;
}

}  // namespace

float linear_from_srgb(std::uint8_t byte) {
    // c^2.4 = c^2 * (c^2)^(1/5), the fifth root by Newton iteration: std::pow differs between
    // libraries, and a groom must have the same bits everywhere.
    const float c = static_cast<float>(byte) / 255;
    if (c <= 0.04045f) return c / 12.92f;
    const float base = (c + 0.055f) / 1.055f, square = base * base;
    float root = 1;
    for (int i = 0; i < 30; ++i) {
        const float fourth = root * root * root * root;
        root = root - (root * fourth - square) / (5 * fourth);
    }
    return square * root;
}

Vec3f sample_colour(const Image& image, Vec2f uv) {
    if (image.rgba.empty()) return {1, 1, 1};
    return bilinear<Vec3f>(image, uv, [](const std::uint8_t* p) {
        return Vec3f{linear_from_srgb(p[0]), linear_from_srgb(p[1]), linear_from_srgb(p[2])};
    });
}

FlowSample sample_flow(const Image& image, Vec2f uv) {
    const Vec3f out = bilinear<Vec3f>(image, uv, [](const std::uint8_t* p) {
        return Vec3f{static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[3])} *
               (1 / 255.0f);
    });
    return {2 * out.x - 1, 2 * out.y - 1, out.z};
}

float sample_grey(const Image& image, Vec2f uv) {
    if (image.rgba.empty()) return 1;
    return bilinear<float>(image, uv, [](const std::uint8_t* p) {
        const float sum =
            static_cast<float>(p[0]) + static_cast<float>(p[1]) + static_cast<float>(p[2]);
        return sum / (3 * 255.0f) * (static_cast<float>(p[3]) / 255);
    });
}

}  // namespace ringlet
