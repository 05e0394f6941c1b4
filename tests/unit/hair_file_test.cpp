#include "io/hair/hair_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "base/files.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

// Strands of 3, 1, 5 and 2 vertices with values that no short decimal text represents.
StrandSet some_strands() {
    const std::vector<int> counts{3, 1, 5, 2};
    StrandSet out{StrandLayout(counts)};
    std::mt19937 random(3);
    const auto value = [&] { return static_cast<float>(random()) * 0x1.8p-31f - 1.5f; };
    for (int s = 0; s < out.strand_count(); ++s)
        for (int i = 0; i < out.layout->vertex_count(s); ++i) {
            out.position.set_vec3(s, i, {value(), -0.0f, value() * 1e-39f});
            out.colour.set_vec3(s, i, {value(), value(), value()});
            out.radius.at(s, i) = std::abs(value());
        }
    return out;
}

bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool same_bits(Vec3f a, Vec3f b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

void expect_same(const StrandSet& a, const StrandSet& b) {
    ASSERT_EQ(a.strand_count(), b.strand_count());
    for (int s = 0; s < a.strand_count(); ++s) {
        ASSERT_EQ(a.layout->vertex_count(s), b.layout->vertex_count(s));
        for (int i = 0; i < a.layout->vertex_count(s); ++i) {
            EXPECT_TRUE(same_bits(a.position.vec3(s, i), b.position.vec3(s, i)));
            EXPECT_TRUE(same_bits(a.colour.vec3(s, i), b.colour.vec3(s, i)));
            EXPECT_TRUE(same_bits(a.radius.at(s, i), b.radius.at(s, i)));
        }
    }
}

template <class T>
void put(std::string& bytes, std::size_t at, T value) {
    if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
    std::memcpy(&bytes[at], &value, sizeof value);
}

// Bytes by the format's definition: two strands of three points, without other arrays.
std::string bare_file() {
    std::string bytes = "HAIR";
    put(bytes, 4, std::uint32_t{2});
    put(bytes, 8, std::uint32_t{6});
    put(bytes, 12, std::uint32_t{2});
    put(bytes, 16, std::uint32_t{2});
    put(bytes, 20, 0.5f);
    put(bytes, 24, 0.25f);
    for (std::size_t c = 0; c < 3; ++c) put(bytes, 28 + 4 * c, 0.125f * static_cast<float>(c + 1));
    for (std::size_t i = 0; i < 18; ++i) put(bytes, 128 + 4 * i, static_cast<float>(i));
    return bytes;
}

std::string error_of(const std::string& bytes) {
    const Result<StrandSet> strands = parse_hair(bytes, "test.hair");
    if (strands) return "no error";
    EXPECT_EQ(strands.error().file, "test.hair");
    return strands.error().message;
}

TEST(hair_file, round_trip_keeps_every_bit) {
    const TempFolder folder;
    const StrandSet strands = some_strands();
    ASSERT_TRUE(write_hair(folder / "a.hair", view_of(strands), "made by a test"));
    const Result<StrandSet> back = read_hair(folder / "a.hair");
    ASSERT_TRUE(back) << back.error().text();
    expect_same(strands, *back);
}

TEST(hair_file, follows_the_definition_of_the_format) {
    const std::string bytes = format_hair(view_of(some_strands()), std::string(200, 'x'));
    const auto u32 = [&](std::size_t at) {
        std::uint32_t value;
        std::memcpy(&value, &bytes[at], 4);
        return value;
    };
    ASSERT_EQ(bytes.size(), 128u + 2 * 4 + (12 + 4 + 12) * 11);
    EXPECT_EQ(bytes.substr(0, 4), "HAIR");
    EXPECT_EQ(u32(4), 4u);
    EXPECT_EQ(u32(8), 11u);
    EXPECT_EQ(u32(12), 0b10111u);
    EXPECT_EQ(bytes.substr(40, 88), std::string(87, 'x') + '\0');
    EXPECT_EQ(bytes.substr(128, 8), std::string("\2\0\0\0\4\0\1\0", 8));
    const StrandSet strands = some_strands();
    EXPECT_TRUE(same_bits(std::bit_cast<float>(u32(136)), strands.position.at(0, 0, 0)));
    EXPECT_TRUE(same_bits(std::bit_cast<float>(u32(136 + 132)), 2 * strands.radius.at(0, 0)));
    EXPECT_TRUE(same_bits(std::bit_cast<float>(u32(136 + 132 + 44)), strands.colour.at(0, 0, 0)));
}

TEST(hair_file, applies_defaults_for_missing_arrays) {
    const Result<StrandSet> strands = parse_hair(bare_file(), "bare");
    ASSERT_TRUE(strands) << strands.error().text();
    ASSERT_EQ(strands->strand_count(), 2);
    EXPECT_EQ(strands->layout->vertex_count(1), 3);
    EXPECT_EQ(strands->position.at(1, 2, 0), 15);
    EXPECT_EQ(strands->radius.at(1, 2), 0.25f);
    EXPECT_EQ(strands->colour.at(1, 2, 2), 0.375f);
}

TEST(hair_file, skips_transparency) {
    std::string bytes = bare_file();
    put(bytes, 12, std::uint32_t{0b11010});
    for (std::size_t i = 0; i < 6; ++i) put(bytes, 200 + 4 * i, 9.0f);
    for (std::size_t i = 0; i < 18; ++i) put(bytes, 224 + 4 * i, 0.5f);
    const Result<StrandSet> strands = parse_hair(bytes, "transparent");
    ASSERT_TRUE(strands) << strands.error().text();
    EXPECT_EQ(strands->colour.at(0, 0, 0), 0.5f);
    EXPECT_EQ(strands->colour.at(1, 2, 2), 0.5f);
}

TEST(hair_file, may_hold_no_strands) {
    const Result<StrandSet> back = parse_hair(format_hair(view_of(StrandSet{}), ""), "empty");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->strand_count(), 0);
    std::string bytes = bare_file();
    put(bytes, 4, std::uint32_t{0});
    put(bytes, 8, std::uint32_t{0});
    put(bytes, 16, std::uint32_t{0x7fffffff});
    EXPECT_TRUE(parse_hair(bytes, "empty"));
}

TEST(hair_file, rejects_strands_that_are_too_long_and_writes_nothing) {
    const TempFolder folder;
    for (const int segments : {65535, 65536}) {
        const std::vector<int> counts{2, segments + 1};
        const StrandSet strands{StrandLayout(counts)};
        const Result<void> written = write_hair(folder / "long.hair", view_of(strands), "");
        if (segments == 65535) {
            ASSERT_TRUE(written);
            const Result<StrandSet> back = read_hair(folder / "long.hair");
            ASSERT_TRUE(back) << back.error().text();
            EXPECT_EQ(back->layout->vertex_count(1), 65536);
            std::filesystem::remove(folder / "long.hair");
        } else {
            ASSERT_FALSE(written);
            EXPECT_NE(written.error().message.find("strand 1 "), std::string::npos);
            EXPECT_TRUE(folder.is_empty());
        }
    }
}

TEST(hair_file, rejects_other_files) {
    EXPECT_NE(error_of("").find("not a .hair file"), std::string::npos);
    EXPECT_NE(error_of(std::string(500, 'x')).find("not a .hair file"), std::string::npos);
    std::string bytes = bare_file();
    put(bytes, 12, std::uint32_t{0});
    EXPECT_NE(error_of(bytes).find("no points"), std::string::npos);
}

TEST(hair_file, rejects_inconsistent_counts) {
    for (const std::uint32_t segments : {0u, 1u, 3u, 0xffffffffu, 0x55555554u}) {
        std::string bytes = bare_file();
        put(bytes, 16, segments);
        EXPECT_NE(error_of(bytes).find("is inconsistent"), std::string::npos) << segments;
    }
}

TEST(hair_file, allocates_nothing_for_missing_strands) {
    for (const std::uint32_t bits : {2u, 3u, 0x1fu})
        for (const std::uint32_t points : {6u, 0u, 0xffffffffu})
            for (const std::uint32_t segments : {0u, 2u, 0xffffffffu}) {
                std::string bytes = bare_file();
                bytes.resize(1024, '\0');
                put(bytes, 4, std::uint32_t{0xffffffff});
                put(bytes, 8, points);
                put(bytes, 12, bits);
                put(bytes, 16, segments);
                EXPECT_NE(error_of(bytes), "no error");
            }
}

TEST(hair_file, names_the_strand_that_is_not_finite) {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
        std::string tip = bare_file(), root = bare_file();
        put(tip, 128 + 4 * 17, bad);
        put(root, 128 + 4 * 9, bad);
        EXPECT_NE(error_of(tip).find("strand 1, point 2"), std::string::npos);
        EXPECT_NE(error_of(root).find("strand 1, point 0"), std::string::npos);
    }
    std::string thickness = bare_file();
    put(thickness, 20, std::numeric_limits<float>::quiet_NaN());
    EXPECT_NE(error_of(thickness).find("thickness"), std::string::npos);
}

TEST(hair_file, rejects_every_truncation) {
    const std::string bytes = format_hair(view_of(some_strands()), "whole");
    for (std::size_t length = 0; length < bytes.size(); ++length)
        EXPECT_FALSE(parse_hair(std::string_view(bytes).substr(0, length), "cut")) << length;
    EXPECT_TRUE(parse_hair(bytes, "whole"));
    EXPECT_TRUE(parse_hair(bytes + "more", "with more behind it"));
}

TEST(hair_file, survives_flipped_bits) {
    const std::string whole = format_hair(view_of(some_strands()), "whole");
    std::mt19937 random(11);
    int good = 0, bad = 0;
    for (int round = 0; round < 4000; ++round) {
        std::string bytes = whole;
        // Half of the rounds change the header, which has the sizes.
        const std::size_t reach = round % 2 ? bytes.size() : 40;
        for (int flips = 0; flips < 1 + round % 3; ++flips)
            bytes[random() % reach] ^= static_cast<char>(1u << random() % 8);
        ++(parse_hair(bytes, "flipped") ? good : bad);
    }
    EXPECT_GT(good, 100);
    EXPECT_GT(bad, 100);
}

TEST(hair_file, names_the_file_that_is_missing_or_cannot_be_written) {
    const TempFolder folder;
    const auto read = read_hair(folder / "none.hair");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().file, (folder / "none.hair").string());
    ASSERT_TRUE(write_file(folder / "file", "x"));
    EXPECT_FALSE(write_hair(folder / "file/a.hair", view_of(some_strands()), ""));
}

}  // namespace
}  // namespace ringlet
