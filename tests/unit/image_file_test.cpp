#include "io/image/image_file.h"

#include <gtest/gtest.h>

#include <random>

#include "base/files.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

Image some_image(int width, int height, bool opaque) {
    Image out{width, height, {}};
    std::mt19937 random(5);
    for (int i = 0; i < width * height * 4; ++i)
        out.rgba.push_back(static_cast<std::uint8_t>(opaque && i % 4 == 3 ? 255 : random() % 256));
    return out;
}

TEST(image_file, png_round_trip_keeps_every_pixel) {
    const TempFolder folder;
    for (const bool opaque : {true, false}) {
        const Image image = some_image(37, 21, opaque);
        ASSERT_TRUE(write_image(folder / "a.PNG", image));
        const Result<Image> back = read_image(folder / "a.PNG");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(back->width, 37);
        EXPECT_EQ(back->height, 21);
        EXPECT_EQ(back->rgba, image.rgba);
    }
}

TEST(image_file, png_without_transparency_has_no_alpha_channel) {
    const TempFolder folder;
    for (const bool opaque : {true, false}) {
        ASSERT_TRUE(write_image(folder / "a.png", some_image(8, 8, opaque)));
        // Byte 25 of a PNG is its colour type: 2 is RGB, 6 is RGBA.
        EXPECT_EQ(read_file(folder / "a.png")->at(25), opaque ? 2 : 6);
    }
}

TEST(image_file, bmp_round_trip_is_opaque_and_upright) {
    const TempFolder folder;
    Image image = some_image(35, 20, false);
    ASSERT_TRUE(write_image(folder / "a.bmp", image));
    const Result<Image> back = read_image(folder / "a.bmp");
    ASSERT_TRUE(back) << back.error().text();
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
    EXPECT_EQ(back->rgba, image.rgba);
}

TEST(image_file, errors_list_the_known_extensions) {
    const TempFolder folder;
    for (const char* name : {"a.jpg", "a", "png"}) {
        const Result<void> written = write_image(folder / name, some_image(2, 2, true));
        ASSERT_FALSE(written);
        EXPECT_NE(written.error().message.find(".png or .bmp"), std::string::npos);
    }
    EXPECT_TRUE(folder.is_empty());
}

TEST(image_file, rejects_images_without_their_pixels) {
    const TempFolder folder;
    Image short_of_one = some_image(4, 4, true);
    short_of_one.rgba.pop_back();
    for (const Image& image : {Image{}, Image{0, 5, {}}, Image{-1, -4, {1, 2, 3, 4}},
                               Image{1 << 20, 1 << 20, {}}, short_of_one})
        EXPECT_FALSE(write_image(folder / "a.png", image));
    EXPECT_TRUE(folder.is_empty());
}

TEST(image_file, rejects_files_that_are_not_images) {
    const TempFolder folder;
    EXPECT_FALSE(read_image(folder / "none.png"));
    EXPECT_FALSE(read_image(folder / "."));
    for (const std::string text : {"", "x", "GIF89a\1\0\1\0"}) {
        ASSERT_TRUE(write_file(folder / "a.png", text));
        const Result<Image> image = read_image(folder / "a.png");
        ASSERT_FALSE(image);
        EXPECT_EQ(image.error().file, (folder / "a.png").string());
    }
}

TEST(image_file, rejects_extreme_sizes) {
    const TempFolder folder;
    ASSERT_TRUE(write_image(folder / "a.png", some_image(4, 4, true)));
    std::string bytes = *read_file(folder / "a.png");
    // Width and height are big-endian at 16 and 20: 12288 x 12288 is within a side's limit.
    for (const std::size_t at : {16u, 20u}) bytes.replace(at, 4, std::string("\0\0\x30\0", 4));
    ASSERT_TRUE(write_file(folder / "b.png", bytes));
    const Result<Image> image = read_image(folder / "b.png");
    ASSERT_FALSE(image);
    EXPECT_NE(image.error().message.find("12288 x 12288"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
