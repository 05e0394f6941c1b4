// Files of linear light: read back, damaged, and of kinds that are not supported.
#include "io/image/linear_image_file.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/files.h"
#include "io/bytes.h"
#include "io/image/exr.h"
#include "io/image/radiance.h"
#include "picture/environment_map.h"
#include "session/assets/environment_source.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

LinearImage sample_image(int width, int height) {
    LinearImage image{width, height, {{"A", {}}, {"R", {}}, {"B", {}, true}, {"G", {}}}};
    for (std::size_t c = 0; c < image.channels.size(); ++c)
        for (int i = 0; i < width * height; ++i)
            image.channels[c].values.push_back(
                std::round(std::abs(std::sin(static_cast<float>(i) * 0.3f)) * 64) *
                static_cast<float>(c + 1) / 16);
    return image;
}

TEST(linear_image, reads_what_the_exr_writer_writes) {
    const LinearImage image = sample_image(21, 37);
    const Result<LinearImage> read = parse_exr(encode_exr(image), "a.exr");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->width, 21);
    EXPECT_EQ(read->height, 37);
    ASSERT_EQ(read->channels.size(), 3u);
    const std::size_t order[3] = {1, 3, 2};
    for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_EQ(read->channels[c].name, std::string(1, "RGB"[c]));
        EXPECT_EQ(read->channels[c].values, image.channels[order[c]].values);
    }
}

TEST(linear_image, converts_every_half) {
    for (int bits = 0; bits < 0x10000; ++bits) {
        const auto own = static_cast<std::uint16_t>(bits);
        if ((own & 0x7c00) == 0x7c00 && (own & 0x3ff)) {
            ASSERT_TRUE(std::isnan(half_value(own)));
            continue;
        }
        ASSERT_EQ(half_bits(half_value(own)), own);
    }
    EXPECT_EQ(half_value(0x3c00), 1);
    EXPECT_EQ(half_value(0xc100), -2.5f);
}

void append_attribute(std::string& out, const std::string& name, const std::string& value) {
    out += name + '\0' + "type" + '\0';
    append_u32(out, static_cast<std::uint32_t>(value.size()));
    out += value;
}

// A file of 3 x 2 floats without compression, its lines stored from the bottom, with a data window
// that does not begin at 0.
std::string plain_exr(char compression = 0, std::uint32_t version = 2) {
    std::string out, channels, window;
    append_u32(out, 20000630);
    append_u32(out, version);
    for (const char* const name : {"B", "G", "R"}) {
        channels += std::string(name) + '\0';
        for (const std::uint32_t number : {2u, 0u, 1u, 1u}) append_u32(channels, number);
    }
    channels += '\0';
    for (const std::uint32_t edge : {5u, 7u, 7u, 8u}) append_u32(window, edge);
    append_attribute(out, "channels", channels);
    append_attribute(out, "compression", std::string(1, compression));
    append_attribute(out, "dataWindow", window);
    out += '\0';
    const std::size_t block = 8 + 3 * 3 * 4, first = out.size() + 16;
    append_u64(out, first + block);
    append_u64(out, first);
    for (const std::uint32_t y : {8u, 7u}) {
        append_u32(out, y);
        append_u32(out, 36);
        for (int c = 0; c < 3; ++c)
            for (int x = 0; x < 3; ++x)
                append_f32(out, static_cast<float>(y) * 100 + static_cast<float>(c * 10 + x));
    }
    return out;
}

TEST(linear_image, reads_plain_lines_in_any_order) {
    const Result<LinearImage> read = parse_exr(plain_exr(), "a.exr");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->width, 3);
    EXPECT_EQ(read->height, 2);
    EXPECT_EQ(read->channels[0].values, (std::vector<float>{720, 721, 722, 820, 821, 822}));
    EXPECT_EQ(read->channels[2].values, (std::vector<float>{700, 701, 702, 800, 801, 802}));
}

TEST(linear_image, says_which_exr_files_it_cannot_read) {
    const auto cause = [](const std::string& bytes) {
        const Result<LinearImage> read = parse_exr(bytes, "a.exr");
        return read ? std::string("none") : read.error().text();
    };
    EXPECT_NE(cause(plain_exr(4)).find("a.exr: is compressed by PIZ"), std::string::npos);
    EXPECT_NE(cause(plain_exr(0, 0x202)).find("tiles"), std::string::npos);
    EXPECT_NE(cause(plain_exr(77)).find("damaged"), std::string::npos);
    EXPECT_NE(cause("text").find("not an OpenEXR"), std::string::npos);
    LinearImage grey = sample_image(4, 4);
    grey.channels.resize(2);
    EXPECT_NE(cause(encode_exr(grey)).find("no channels R, G and B"), std::string::npos);
}

TEST(linear_image, survives_truncated_and_changed_exr_files) {
    for (const std::string& whole : {plain_exr(), encode_exr(sample_image(7, 20))}) {
        ASSERT_TRUE(parse_exr(whole, "a"));
        for (std::size_t size = 0; size < whole.size(); ++size)
            ASSERT_FALSE(parse_exr(std::string_view(whole).substr(0, size), "a")) << size;
        for (std::size_t i = 0; i < whole.size(); ++i)
            for (const int change : {1, 128, 255}) {
                std::string other = whole;
                other[i] = static_cast<char>(other[i] ^ change);
                const Result<LinearImage> read = parse_exr(other, "a");
                ASSERT_TRUE(!read || read->channels.size() == 3u);
            }
    }
}

// A picture of 9 x 2 pixels: a row in runs, then a plain one.
std::string radiance_picture(const std::string& header = "FORMAT=32-bit_rle_rgbe\n",
                             const std::string& size = "-Y 2 +X 9\n") {
    std::string out = "#?RADIANCE\n# a comment\n" + header + "\n" + size;
    out += std::string("\x02\x02\x00\x09", 4);
    out += std::string("\x89\x80", 2);                               // red: 9 times 128
    out += std::string("\x04\x01\x02\x03\x04\x85\x40", 7);           // green: 1 2 3 4, 5 times 64
    out += std::string("\x89\x00", 2) + std::string("\x89\x81", 2);  // blue: 0; exponent 129
    for (int x = 0; x < 9; ++x)
        out += {static_cast<char>(x * 10), 20, 30, static_cast<char>(x == 8 ? 0 : 136)};
    return out;
}

TEST(linear_image, reads_radiance_pictures) {
    const Result<LinearImage> read = parse_radiance(radiance_picture(), "a.hdr");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->width, 9);
    EXPECT_EQ(read->height, 2);
    const std::vector<float>&red = read->channels[0].values, &green = read->channels[1].values;
    EXPECT_EQ(red[0], 1);
    EXPECT_EQ(red[8], 1);
    EXPECT_EQ(green[2], 3 / 128.0f);
    EXPECT_EQ(green[5], 0.5f);
    EXPECT_EQ(red[9 + 7], 70);
    EXPECT_EQ(green[9 + 7], 20);
    EXPECT_EQ(green[9 + 8], 0) << "exponent 0 is black";
}

TEST(linear_image, survives_truncated_and_changed_radiance_pictures) {
    const std::string whole = radiance_picture();
    for (std::size_t size = 0; size < whole.size(); ++size)
        ASSERT_FALSE(parse_radiance(std::string_view(whole).substr(0, size), "a")) << size;
    for (std::size_t i = 0; i < whole.size(); ++i)
        for (const int change : {1, 128, 255}) {
            std::string other = whole;
            other[i] = static_cast<char>(other[i] ^ change);
            const Result<LinearImage> read = parse_radiance(other, "a");
            ASSERT_TRUE(!read || read->channels.size() == 3u);
        }
    const auto cause = [](const std::string& bytes) {
        const Result<LinearImage> read = parse_radiance(bytes, "a.hdr");
        return read ? std::string("none") : read.error().text();
    };
    EXPECT_NE(cause(radiance_picture("FORMAT=32-bit_rle_xyze\n")).find("xyze"), std::string::npos);
    EXPECT_NE(cause(radiance_picture("", "+X 9 -Y 2\n")).find("orientation"), std::string::npos);
    EXPECT_NE(cause(radiance_picture("", "-Y 2 +X 99999\n")).find("16384"), std::string::npos);
}

TEST(environment_source, loads_files_beside_the_scene_and_names_faults) {
    const TempFolder folder;
    ASSERT_TRUE(write_file(folder / "sky.hdr", radiance_picture()));
    ASSERT_TRUE(write_exr(folder / "sky.exr", sample_image(8, 4)));
    ASSERT_TRUE(write_file(folder / "bad.hdr", "not a picture"));
    Scene scene;
    scene.name = "scene.toml";
    scene.folder = (folder / "").string();
    const auto load = [&](const std::string& name) {
        scene.light.environment = name;
        return load_environment(scene);
    };
    const auto hdr = load("sky.hdr"), exr = load("sky.exr"), studio = load("studio"),
               none = load("");
    ASSERT_TRUE(hdr && exr && studio && none);
    EXPECT_EQ((*hdr)->width, 9);
    EXPECT_EQ((*hdr)->at(7, 1).x, 70);
    EXPECT_EQ((*exr)->at(1, 0).y, sample_image(8, 4).channels[3].values[1]);
    EXPECT_GT((*studio)->width, 16);
    EXPECT_FALSE(*none);
    const auto bad = load("bad.hdr"), missing = load("gone.hdr");
    ASSERT_FALSE(bad);
    ASSERT_FALSE(missing);
    EXPECT_NE(bad.error().text().find("light.environment: is neither"), std::string::npos);
    EXPECT_NE(missing.error().text().find("light.environment: no such file"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
