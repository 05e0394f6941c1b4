#include "io/data/data_file.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/files.h"
#include "groom_checks.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

constexpr DataKind kKinds[] = {DataKind::kHairSalon, DataKind::kCt2Hair};

std::size_t vertex_bytes(DataKind kind) { return kind == DataKind::kHairSalon ? 12 : 28; }

auto parser_of(DataKind kind) {
    return [kind](std::string_view bytes, const std::string& name) {
        return parse_data(bytes, kind, name);
    };
}

// Bytes by the format's definition: strands of 2, 1 and 3 vertices with increasing numbers.
std::string small_file(DataKind kind) {
    std::string bytes;
    put(bytes, 0, std::int32_t{3});
    float value = 0;
    for (const std::int32_t count : {2, 1, 3}) {
        put(bytes, bytes.size(), count);
        for (std::size_t i = 0; i < static_cast<std::size_t>(count) * vertex_bytes(kind) / 4; ++i)
            put(bytes, bytes.size(), value++);
    }
    return bytes;
}

TEST(data_file, round_trip_keeps_every_bit) {
    const TempFolder folder;
    const StrandSet strands = some_strands({3, 1, 5, 2, 1});
    for (const DataKind kind : kKinds) {
        ASSERT_TRUE(write_data(folder / "a", view_of(strands), kind));
        const Result<StrandSet> back = read_data(folder / "a", kind);
        ASSERT_TRUE(back) << back.error().text();
        expect_same_positions(strands, *back);
        EXPECT_EQ(read_file(folder / "a")->size(), 4 + 5 * 4 + 12 * vertex_bytes(kind));
    }
}

TEST(data_file, follows_the_definition_of_the_format) {
    for (const DataKind kind : kKinds) {
        const Result<StrandSet> strands = parse_data(small_file(kind), kind, "small");
        ASSERT_TRUE(strands) << strands.error().text();
        const float stride = static_cast<float>(vertex_bytes(kind) / 4);
        ASSERT_EQ(strands->strand_count(), 3);
        EXPECT_EQ(strands->layout->vertex_count(0), 2);
        EXPECT_EQ(strands->layout->vertex_count(2), 3);
        EXPECT_EQ(strands->position.at(0, 1, 2), stride + 2);
        EXPECT_EQ(strands->position.at(2, 2, 1), 5 * stride + 1);
        EXPECT_EQ(strands->radius.at(2, 2), 0);
        EXPECT_TRUE(strands->root_uv.empty());
    }
}

TEST(data_file, keeps_strands_of_one_vertex) {
    const Result<StrandSet> strands =
        parse_data(small_file(DataKind::kHairSalon), DataKind::kHairSalon, "small");
    ASSERT_TRUE(strands) << strands.error().text();
    EXPECT_EQ(strands->layout->vertex_count(1), 1);
    EXPECT_EQ(strands->position.at(1, 0, 0), 6);
}

TEST(data_file, skips_strands_that_are_not_finite_or_empty) {
    std::string bytes = small_file(DataKind::kHairSalon);
    put(bytes, 4 + 4 + 20, std::numeric_limits<float>::quiet_NaN());
    const Result<StrandSet> strands = parse_data(bytes, DataKind::kHairSalon, "nan");
    ASSERT_TRUE(strands) << strands.error().text();
    ASSERT_EQ(strands->strand_count(), 2);
    EXPECT_EQ(strands->position.at(0, 0, 0), 6);
    EXPECT_EQ(strands->position.at(1, 2, 2), 17);

    put(bytes, 0, std::int32_t{4});
    put(bytes, bytes.size(), std::int32_t{0});
    const Result<StrandSet> empty = parse_data(bytes, DataKind::kHairSalon, "empty");
    ASSERT_TRUE(empty) << empty.error().text();
    EXPECT_EQ(empty->strand_count(), 2);
}

TEST(data_file, rejects_a_file_without_a_valid_strand) {
    std::string bytes;
    put(bytes, 0, std::int32_t{1});
    put(bytes, 4, std::int32_t{1});
    for (std::size_t i = 0; i < 3; ++i)
        put(bytes, 8 + 4 * i, std::numeric_limits<float>::infinity());
    EXPECT_SAYS(error_of(bytes, parser_of(DataKind::kHairSalon)),
                "none of which has only finite positions");
}

TEST(data_file, may_hold_no_strands) {
    for (const DataKind kind : kKinds) {
        const Result<StrandSet> back =
            parse_data(format_data(view_of(StrandSet{}), kind), kind, "empty");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(back->strand_count(), 0);
    }
}

TEST(data_file, distinguishes_the_two_kinds) {
    EXPECT_NE(error_of(small_file(DataKind::kHairSalon), parser_of(DataKind::kCt2Hair)),
              "no error");
    EXPECT_NE(error_of(small_file(DataKind::kCt2Hair), parser_of(DataKind::kHairSalon)),
              "no error");
    EXPECT_SAYS(
        error_of(small_file(DataKind::kHairSalon) + "more", parser_of(DataKind::kHairSalon)),
        "4 bytes after");
}

TEST(data_file, allocates_nothing_for_missing_strands) {
    for (const DataKind kind : kKinds)
        for (const std::uint32_t number : {0xffffffffu, 0x7fffffffu, 0x10000000u, 0x15555556u})
            for (const std::size_t at : {0u, 4u}) {
                std::string bytes = small_file(kind);
                bytes.resize(1024, '\0');
                put(bytes, at, number);
                EXPECT_NE(error_of(bytes, parser_of(kind)), "no error") << number << " at " << at;
            }
}

TEST(data_file, rejects_extremely_long_strands) {
    std::string bytes(8 + 12 * 65537, '\0');
    put(bytes, 0, std::int32_t{1});
    put(bytes, 4, std::int32_t{65537});
    EXPECT_SAYS(error_of(bytes, parser_of(DataKind::kHairSalon)), "resample");
    bytes.resize(8 + 12 * 65536);
    put(bytes, 4, std::int32_t{65536});
    EXPECT_TRUE(parse_data(bytes, DataKind::kHairSalon, "long"));
}

TEST(data_file, rejects_every_truncation) {
    for (const DataKind kind : kKinds) {
        const std::string bytes = format_data(view_of(some_strands({3, 1, 5, 2})), kind);
        EXPECT_EQ(survive_truncations(bytes, parser_of(kind)).good, 0);
        EXPECT_TRUE(parse_data(bytes, kind, "whole"));
    }
}

TEST(data_file, survives_flipped_bits) {
    for (const DataKind kind : kKinds) {
        const std::string bytes = format_data(view_of(some_strands({3, 1, 5, 2})), kind);
        const Survived survived = survive_flipped_bits(bytes, 48, parser_of(kind));
        EXPECT_GT(survived.good, 100);
        EXPECT_GT(survived.bad, 100);
    }
}

TEST(data_file, names_the_missing_file) {
    const TempFolder folder;
    const auto read = read_data(folder / "none.data", DataKind::kHairSalon);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().file, (folder / "none.data").string());
}

}  // namespace
}  // namespace ringlet
