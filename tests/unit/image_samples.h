// Small images in the formats that are read but not written, built byte by byte.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>
// jpeglib.h requires cstdio to be included before it.
#include <jpeglib.h>

#include "ringlet/image.h"

namespace ringlet {

inline std::string byte_string(std::initializer_list<int> bytes) {
    std::string out;
    for (const int byte : bytes) out += static_cast<char>(byte);
    return out;
}

// Smooth, so that lossy formats keep it, with a different slope in every channel and direction.
inline Image smooth_image(int width, int height) {
    Image out{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (const int value : {40 + 180 * x / width, 200 - 150 * y / height,
                                    60 + 120 * (x + y) / (width + height), 255})
                out.rgba.push_back(static_cast<std::uint8_t>(value));
    return out;
}

// `components` bytes per pixel, row by row. `adjust` may change the compressor's settings before it
// starts.
inline std::string jpeg_of(int width, int height, J_COLOR_SPACE space, int components,
                           std::vector<std::uint8_t> samples,
                           const std::function<void(jpeg_compress_struct&)>& adjust = {}) {
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &bytes, &size);
    info.image_width = static_cast<JDIMENSION>(width);
    info.image_height = static_cast<JDIMENSION>(height);
    info.input_components = components;
    info.in_color_space = space;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 97, TRUE);
    for (int i = 0; i < info.num_components; ++i)
        info.comp_info[i].h_samp_factor = info.comp_info[i].v_samp_factor = 1;
    if (adjust) adjust(info);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < info.image_height) {
        JSAMPROW row =
            &samples[info.next_scanline * info.image_width * static_cast<std::size_t>(components)];
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    std::string out(reinterpret_cast<char*>(bytes), size);
    std::free(bytes);
    return out;
}

inline std::string jpeg_of(const Image& image,
                           const std::function<void(jpeg_compress_struct&)>& adjust = {}) {
    return jpeg_of(image.width, image.height, JCS_EXT_RGBA, 4, image.rgba, adjust);
}

// type: 1 palette, 2 colour, 3 grey, and 8 more when packed. descriptor: bits of alpha, and 32 when
// the first row is the upper one.
inline std::string tga_of(int type, int width, int height, int bits, int descriptor,
                          const std::string& data, int palette_length = 0, int palette_bits = 0) {
    return byte_string({0, type % 8 == 1, type, 0, 0, palette_length, 0, palette_bits, 0, 0, 0, 0,
                        width, 0, height, 0, bits, descriptor}) +
           data;
}

// Images of 9 x 7 pixels.
inline std::vector<std::string> jpeg_samples() {
    const Image image = smooth_image(9, 7);
    return {jpeg_of(image), jpeg_of(image, [](auto& info) { jpeg_simple_progression(&info); }),
            jpeg_of(image, [](auto& info) { info.arith_code = TRUE; }),
            jpeg_of(9, 7, JCS_CMYK, 4, image.rgba)};
}

inline std::string raw_pixels() {
    const Image image = smooth_image(9, 7);
    return {image.rgba.begin(), image.rgba.end()};
}

// The first is not packed and has no palette.
inline std::vector<std::string> tga_samples() {
    const std::string raw = raw_pixels();
    std::string packed;
    for (int y = 0; y < 7; ++y) packed += byte_string({0x83, y, 2, 3, 0x04}) + raw.substr(0, 15);
    return {tga_of(2, 9, 7, 32, 8, raw), tga_of(10, 9, 7, 24, 32, packed),
            tga_of(9, 9, 7, 8, 32, raw.substr(0, 48) + packed, 16, 24)};
}

inline std::vector<std::string> pnm_samples() {
    const std::string raw = raw_pixels();
    std::string text = "P3 9 7 255\n";
    for (int i = 0; i < 9 * 7 * 3; ++i) text += std::to_string(i) + " ";
    return {text, "P6 9 7 255\n" + raw.substr(0, 9 * 7 * 3),
            "P5 9 7 1000\n" + raw.substr(0, 9 * 7 * 2)};
}

}  // namespace ringlet
