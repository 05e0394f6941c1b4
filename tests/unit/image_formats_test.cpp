// Images written by other programs are read correctly; corrupt ones are rejected.
#include <gtest/gtest.h>

#include "base/files.h"
#include "image_samples.h"
#include "io/image/image_file.h"
#include "temp_folder.h"
#include "test_paths.h"

namespace ringlet {
namespace {

Image parsed(const std::string& bytes) {
    Result<Image> image = parse_image(bytes, "sample");
    if (image) return std::move(*image);
    ADD_FAILURE() << image.error().text();
    return {};
}

std::string error_of(const std::string& bytes) {
    const Result<Image> image = parse_image(bytes, "sample");
    if (image) return "no error";
    EXPECT_EQ(image.error().file, "sample");
    return image.error().message;
}

// A regression of tests/fuzz.
std::string error_of_corpus(const std::string& name) {
    const Result<std::string> bytes =
        read_file(std::filesystem::path(kSourceFolder) / "tests/fuzz/corpus" / name);
    return bytes ? error_of(*bytes) : bytes.error().text();
}

// The decoder would allocate up to 1 GiB, which the replay of the corpus does not count.
TEST(image_formats, refuses_files_that_are_too_short_for_their_pixels) {
    for (const char* name : {"image_png/many_pixels_in_few_bytes", "image_png/chunk_beyond_the_end",
                             "image_bmp/many_pixels_in_few_bytes"})
        EXPECT_NE(error_of_corpus(name).find("cut short"), std::string::npos) << name;
}

using Pixels = std::vector<std::uint8_t>;

void expect_near(const Image& a, const Image& b, int tolerance) {
    ASSERT_EQ(a.width, b.width);
    ASSERT_EQ(a.height, b.height);
    ASSERT_EQ(a.rgba.size(), b.rgba.size());
    for (std::size_t i = 0; i < a.rgba.size(); ++i)
        ASSERT_NEAR(a.rgba[i], b.rgba[i], tolerance) << "byte " << i;
}

TEST(image_formats, reads_jpeg_baseline_progressive_and_subsampled) {
    const Image image = smooth_image(37, 21);
    expect_near(parsed(jpeg_of(image)), image, 3);
    expect_near(parsed(jpeg_of(image, [](auto& info) { jpeg_simple_progression(&info); })), image,
                3);
    const auto subsampled = [](auto& info) {
        info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = 2;
    };
    expect_near(parsed(jpeg_of(image, subsampled)), image, 8);
}

TEST(image_formats, reads_grey_jpeg) {
    const Image grey = parsed(jpeg_of(2, 1, JCS_GRAYSCALE, 1, {90, 90}));
    ASSERT_EQ(grey.rgba.size(), 8u);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(grey.rgba[static_cast<std::size_t>(k)], 90, 2);
    EXPECT_EQ(grey.rgba[3], 255);
}

// Amounts of C, M, Y, K; Adobe's programs store the inverse.
TEST(image_formats, converts_cmyk_jpeg_to_rgb) {
    const Pixels ink{0, 255, 255, 0, 0, 255, 255, 0};
    Pixels paper = ink;
    for (std::uint8_t& value : paper) value = static_cast<std::uint8_t>(255 - value);
    const auto plain = [](auto& info) { info.write_Adobe_marker = FALSE; };
    for (const std::string& bytes :
         {jpeg_of(2, 1, JCS_CMYK, 4, ink, plain), jpeg_of(2, 1, JCS_CMYK, 4, paper)}) {
        const Image image = parsed(bytes);
        expect_near(image, {2, 1, {255, 0, 0, 255, 255, 0, 0, 255}}, 3);
    }
    const Image dark = parsed(jpeg_of(1, 1, JCS_CMYK, 4, {0, 255, 255, 128}, plain));
    EXPECT_NEAR(dark.rgba[0], 127, 3);
}

TEST(image_formats, rejects_jpeg_of_extreme_size_or_number_of_scans) {
    std::string huge = jpeg_of(smooth_image(9, 7));
    // Start of frame: marker, length, precision, then height and width, big-endian.
    const std::size_t frame = huge.find("\xff\xc0");
    ASSERT_NE(frame, std::string::npos);
    huge.replace(frame + 5, 4, byte_string({0x30, 0, 0x30, 0}));
    EXPECT_NE(error_of(huge).find("12288 x 12288"), std::string::npos);

    std::vector<jpeg_scan_info> scans{{3, {0, 1, 2, 0}, 0, 0, 0, 0}};
    for (int component = 0; component < 3; ++component)
        for (int k = 1; k < 64; ++k) scans.push_back({1, {component, 0, 0, 0}, k, k, 0, 0});
    const auto slowly = [&](auto& info) {
        info.scan_info = scans.data();
        info.num_scans = static_cast<int>(scans.size());
    };
    EXPECT_NE(error_of(jpeg_of(smooth_image(9, 7), slowly)).find("scans"), std::string::npos);
}

// The file stores blue, green, red, alpha.
TEST(image_formats, reads_tga_of_both_row_orders) {
    const std::string two_rows = byte_string({1, 2, 3, 4, 5, 6});
    EXPECT_EQ(parsed(tga_of(2, 1, 2, 24, 0, two_rows)).rgba, (Pixels{6, 5, 4, 255, 3, 2, 1, 255}));
    EXPECT_EQ(parsed(tga_of(2, 1, 2, 24, 32, two_rows)).rgba, (Pixels{3, 2, 1, 255, 6, 5, 4, 255}));
}

TEST(image_formats, reads_tga_packed_grey_and_with_a_palette) {
    // A run of two equal pixels, then a literal one.
    const std::string packets = byte_string({0x81, 10, 20, 30, 0x00, 40, 50, 60});
    EXPECT_EQ(parsed(tga_of(10, 3, 1, 24, 32, packets)).rgba,
              (Pixels{30, 20, 10, 255, 30, 20, 10, 255, 60, 50, 40, 255}));
    EXPECT_EQ(parsed(tga_of(3, 2, 1, 8, 32, byte_string({7, 9}))).rgba,
              (Pixels{7, 7, 7, 255, 9, 9, 9, 255}));
    const std::string palette = byte_string({1, 2, 3, 4, 5, 6}), indices = byte_string({1, 0});
    EXPECT_EQ(parsed(tga_of(1, 2, 1, 8, 32, palette + indices, 2, 24)).rgba,
              (Pixels{6, 5, 4, 255, 3, 2, 1, 255}));
}

TEST(image_formats, uses_the_alpha_of_tga_only_if_the_header_declares_it) {
    const std::string pixel = byte_string({1, 2, 3, 0});
    EXPECT_EQ(parsed(tga_of(2, 1, 1, 32, 32 + 8, pixel)).rgba, (Pixels{3, 2, 1, 0}));
    EXPECT_EQ(parsed(tga_of(2, 1, 1, 32, 32, pixel)).rgba, (Pixels{3, 2, 1, 255}));
}

TEST(image_formats, reads_ascii_and_binary_pnm) {
    EXPECT_EQ(parsed("P2\n# made by hand\n2 1\n4\n0 # a comment\n4").rgba,
              (Pixels{0, 0, 0, 255, 255, 255, 255, 255}));
    EXPECT_EQ(parsed("P3 1 1 255 10 20 30\n").rgba, (Pixels{10, 20, 30, 255}));
    EXPECT_EQ(parsed("P5 2 1 255\n" + byte_string({10, 32})).rgba,
              (Pixels{10, 10, 10, 255, 32, 32, 32, 255}));
    EXPECT_EQ(parsed("P6\n1\t1\r100\n" + byte_string({100, 50, 255})).rgba,
              (Pixels{255, 128, 255, 255}));
    EXPECT_EQ(parsed("P5 2 1 65535\n" + byte_string({0x80, 0, 0xff, 0xff})).rgba,
              (Pixels{128, 128, 128, 255, 255, 255, 255, 255}));
}

TEST(image_formats, rejects_pnm_with_an_invalid_header) {
    for (const char* text : {"P5", "P5 ", "P5 1", "P5 1 1", "P5 1 1 0\n1", "P5 1 1 65536\n11",
                             "P5 -1 1 255\n1", "P5 99999999999 1 255\n1", "P5 #", "P2 1 1 255\nx"})
        EXPECT_NE(error_of(text), "no error") << text;
    EXPECT_NE(error_of("P5 12288 12288 255\n").find("12288 x 12288"), std::string::npos);
}

TEST(image_formats, recognizes_files_by_content) {
    const TempFolder folder;
    ASSERT_TRUE(write_file(folder / "wrong.png", jpeg_of(smooth_image(16, 8))));
    const Result<Image> image = read_image(folder / "wrong.png");
    ASSERT_TRUE(image) << image.error().text();
    EXPECT_EQ(image->width, 16);
    EXPECT_NE(error_of("GIF89a\1").find("PNG, JPEG, BMP, TGA or PNM"), std::string::npos);
}

TEST(image_formats, rejects_truncated_images) {
    std::vector<std::string> samples{tga_samples()[0]};
    std::ranges::move(jpeg_samples(), std::back_inserter(samples));
    std::ranges::move(pnm_samples(), std::back_inserter(samples));
    for (const std::string& whole : samples)
        // The last ASCII number may lose a digit or its separator unnoticed.
        for (std::size_t length = 0; length + 4 < whole.size(); ++length)
            ASSERT_FALSE(parse_image(whole.substr(0, length), "cut")) << length;
}

}  // namespace
}  // namespace ringlet
