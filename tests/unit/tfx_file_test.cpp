#include "io/tfx/tfx_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "groom_checks.h"
#include "temp_folder.h"
#include "test_paths.h"

namespace ringlet {
namespace {

const std::filesystem::path kRealFiles =
    std::filesystem::path(kSourceFolder).parent_path() / "shared/data";

// Three strands of four vertices, with UVs.
StrandSet full_strands() {
    StrandSet out = some_strands({4, 4, 4});
    for (int s = 0; s < 3; ++s) {
        out.root_uv.push_back({0.1f * static_cast<float>(s), 0.3f});
        for (int i = 1; i < 4; ++i) out.radius.at(s, i) = out.radius.at(s, 0);
    }
    return out;
}

std::string bytes_of(const StrandSet& strands) {
    return format_tfx(view_of(strands), strands.root_uv);
}

// Bytes by the format's definition: two strands of three vertices, only positions.
std::string bare_file() {
    std::string bytes(160, '\0');
    put(bytes, 0, 4.0f);
    put(bytes, 4, std::uint32_t{2});
    put(bytes, 8, std::uint32_t{3});
    put(bytes, 12, std::uint32_t{160});
    for (std::size_t i = 0; i < 24; ++i) put(bytes, 160 + 4 * i, static_cast<float>(i));
    return bytes;
}

TEST(tfx_file, round_trip_keeps_every_bit) {
    const TempFolder folder;
    const StrandSet strands = full_strands();
    ASSERT_TRUE(write_tfx(folder / "a.tfx", view_of(strands), strands.root_uv));
    const Result<StrandSet> back = read_tfx(folder / "a.tfx");
    ASSERT_TRUE(back) << back.error().text();
    expect_same_positions(strands, *back);
    expect_same_appearance(strands, *back);
    ASSERT_EQ(back->root_uv.size(), 3u);
    for (std::size_t s = 0; s < 3; ++s) {
        EXPECT_EQ(back->root_uv[s].x, strands.root_uv[s].x);
        EXPECT_EQ(back->root_uv[s].y, strands.root_uv[s].y);
    }
}

TEST(tfx_file, follows_the_definition_of_the_format) {
    const StrandSet strands = full_strands();
    const std::string bytes = bytes_of(strands);
    const auto u32 = [&](std::size_t at) {
        std::uint32_t value;
        std::memcpy(&value, &bytes[at], 4);
        return value;
    };
    const auto f32 = [&](std::size_t at) { return std::bit_cast<float>(u32(at)); };
    ASSERT_EQ(bytes.size(), 160u + 12 * 16 + 3 * 8 + 12 * 16 + 3 * 4);
    EXPECT_EQ(f32(0), 4.0f);
    EXPECT_EQ(u32(4), 3u);
    EXPECT_EQ(u32(8), 4u);
    EXPECT_EQ(u32(12), 160u);
    EXPECT_EQ(u32(20), 0u);
    for (const std::size_t offset : {16u, 24u, 28u}) EXPECT_EQ(u32(offset) % 8, 0u) << offset;
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(f32(160 + 64 + 16 * i + 12), i < 2 ? 0.0f : 1.0f) << "inverse mass of " << i;
    EXPECT_TRUE(same_bits(f32(160 + 64), strands.position.at(1, 0, 0)));
    EXPECT_EQ(f32(u32(16) + 8), strands.root_uv[1].x);
    EXPECT_EQ(f32(u32(24) + 4), 2 * strands.radius.at(1, 0));
    EXPECT_EQ(f32(u32(28) + 16 * 4), strands.colour.at(1, 0, 0));
    EXPECT_EQ(f32(u32(28) + 12), 1.0f);
}

TEST(tfx_file, omits_arrays_without_data) {
    StrandSet strands{StrandLayout(std::vector<int>{3, 3})};
    EXPECT_EQ(bytes_of(strands).size(), 160u + 6 * 16);
    const Result<StrandSet> back = parse_tfx(bare_file(), "bare");
    ASSERT_TRUE(back) << back.error().text();
    ASSERT_EQ(back->strand_count(), 2);
    EXPECT_EQ(back->layout->vertex_count(1), 3);
    EXPECT_EQ(back->position.at(1, 2, 0), 20);
    EXPECT_EQ(back->radius.at(1, 2), 0);
    EXPECT_EQ(back->colour.at(1, 2, 0), 0);
    EXPECT_TRUE(back->root_uv.empty());
}

TEST(tfx_file, takes_the_root_uv_from_vertices_if_strands_have_none) {
    std::string bytes = bare_file();
    put(bytes, 20, std::uint32_t{256});
    for (std::size_t i = 0; i < 12; ++i) put(bytes, 256 + 4 * i, 0.5f * static_cast<float>(i));
    const Result<StrandSet> back = parse_tfx(bytes, "vertex uvs");
    ASSERT_TRUE(back) << back.error().text();
    ASSERT_EQ(back->root_uv.size(), 2u);
    EXPECT_EQ(back->root_uv[1].x, 3.0f);
    EXPECT_EQ(back->root_uv[1].y, 3.5f);
}

TEST(tfx_file, writes_the_largest_diameter_of_a_tapering_strand) {
    StrandSet strands{StrandLayout(std::vector<int>{3})};
    strands.radius.at(0, 0) = 0.25f;
    strands.radius.at(0, 1) = 0.5f;
    const Result<StrandSet> back = parse_tfx(bytes_of(strands), "tapering");
    ASSERT_TRUE(back) << back.error().text();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(back->radius.at(0, i), 0.5f);
}

TEST(tfx_file, suggests_resampling_if_vertex_counts_differ) {
    const TempFolder folder;
    const StrandSet strands = some_strands({4, 4, 5});
    const Result<void> written = write_tfx(folder / "a.tfx", view_of(strands), {});
    ASSERT_FALSE(written);
    EXPECT_SAYS(written.error().message, "strand 2 has 5");
    EXPECT_SAYS(written.error().message, "resample");
    EXPECT_TRUE(folder.is_empty());
}

TEST(tfx_file, may_hold_no_strands) {
    const Result<StrandSet> back = parse_tfx(bytes_of(StrandSet{}), "empty");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->strand_count(), 0);
}

TEST(tfx_file, rejects_other_files) {
    EXPECT_SAYS(error_of("", parse_tfx), "not a .tfx file");
    EXPECT_SAYS(error_of(std::string(500, 'x'), parse_tfx), "not a .tfx file");
    for (const float version : {3.0f, 5.0f, std::numeric_limits<float>::quiet_NaN()}) {
        std::string bytes = bare_file();
        put(bytes, 0, version);
        EXPECT_SAYS(error_of(bytes, parse_tfx), "not a .tfx file");
    }
    std::string bytes = bare_file();
    put(bytes, 8, std::uint32_t{0});
    EXPECT_SAYS(error_of(bytes, parse_tfx), "without vertices");
}

TEST(tfx_file, rejects_arrays_outside_the_file) {
    for (const std::size_t offset : {12u, 16u, 20u, 24u, 28u})
        for (const std::uint32_t at : {1u, 159u, 257u, 0xfffffff0u, 0xffffffffu}) {
            std::string bytes = bare_file();
            put(bytes, offset, at);
            EXPECT_SAYS(error_of(bytes, parse_tfx), "its header states") << offset << " " << at;
        }
}

TEST(tfx_file, allocates_nothing_for_missing_strands) {
    // 2^30 times 2^30 times 16 bytes is 2^64, which overflows to 0.
    for (const std::uint32_t strands : {0xffffffffu, 0x80000000u, 0x40000000u, 1u})
        for (const std::uint32_t each : {0u, 1u, 16u, 0x40000000u, 0xffffffffu}) {
            if (strands == 1 && each < 60) continue;
            std::string bytes = bare_file();
            bytes.resize(1024, '\0');
            put(bytes, 4, strands);
            put(bytes, 8, each);
            EXPECT_NE(error_of(bytes, parse_tfx), "no error") << strands << " x " << each;
        }
}

TEST(tfx_file, names_the_strand_that_is_not_finite) {
    std::string tip = bare_file(), root = bare_file(), uv = bare_file();
    put(tip, 160 + 4 * 21, std::numeric_limits<float>::quiet_NaN());
    put(root, 160 + 4 * 12, std::numeric_limits<float>::infinity());
    EXPECT_SAYS(error_of(tip, parse_tfx), "strand 1, point 2");
    EXPECT_SAYS(error_of(root, parse_tfx), "strand 1, point 0");
    put(uv, 16, std::uint32_t{256});
    put(uv, 256 + 12, std::numeric_limits<float>::quiet_NaN());
    EXPECT_SAYS(error_of(uv, parse_tfx), "strand 1: its UV");
}

TEST(tfx_file, rejects_every_truncation) {
    const std::string bytes = bytes_of(full_strands());
    EXPECT_EQ(survive_truncations(bytes, parse_tfx).good, 0);
    EXPECT_TRUE(parse_tfx(bytes, "whole"));
}

TEST(tfx_file, survives_flipped_bits) {
    const Survived survived = survive_flipped_bits(bytes_of(full_strands()), 32, parse_tfx);
    EXPECT_GT(survived.good, 100);
    EXPECT_GT(survived.bad, 100);
}

TEST(tfx_file, reads_files_of_other_programs) {
    if (!std::filesystem::exists(kRealFiles))
        GTEST_SKIP() << "no " << kRealFiles << ", which has the files to read";
    const Result<StrandSet> mohawk = read_tfx(kRealFiles / "ratboy_mohawk.tfx");
    ASSERT_TRUE(mohawk) << mohawk.error().text();
    EXPECT_EQ(mohawk->strand_count(), 2226);
    EXPECT_EQ(mohawk->layout->vertex_total(), 2226 * 32);
    EXPECT_EQ(mohawk->position.at(0, 0, 1), 81.22692f);
    ASSERT_EQ(mohawk->root_uv.size(), 2226u);
    for (const Vec2f uv : mohawk->root_uv)
        EXPECT_TRUE(uv.x >= 0 && uv.x <= 1 && uv.y >= 0 && uv.y <= 1);
    const Result<StrandSet> hair = read_tfx(kRealFiles / "sintel_hair.tfx");
    ASSERT_TRUE(hair) << hair.error().text();
    EXPECT_EQ(hair->strand_count(), 11400);
    EXPECT_EQ(hair->layout->vertex_count(11399), 16);
    EXPECT_TRUE(hair->root_uv.empty());
    const Result<StrandSet> guides = read_tfx(kRealFiles / "sintel_guides.tfx");
    ASSERT_TRUE(guides) << guides.error().text();
    EXPECT_EQ(guides->strand_count(), 228);
}

}  // namespace
}  // namespace ringlet
