#include <gtest/gtest.h>
#include <zlib.h>

#include "base/files.h"
#include "groom_checks.h"
#include "io/bytes.h"
#include "io/groom_file.h"
#include "io/numpy/npy_array.h"
#include "io/numpy/numpy_groom.h"
#include "io/numpy/zip_file.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

// An .npy file with any header.
std::string npy_with(const std::string& type, const std::string& order, const std::string& shape,
                     const std::string& data, char version = 1) {
    const std::string header =
        "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
    std::string out = std::string("\x93NUMPY", 6) + version + '\0';
    if (version == 1)
        append_u16(out, static_cast<std::uint16_t>(header.size()));
    else
        append_u32(out, static_cast<std::uint32_t>(header.size()));
    return out + header + data;
}

// The numbers 0, 1, 2, ... in the given order, each encoded by `encode`.
template <class Encode>
std::string numbers(const std::vector<int>& order, const Encode& encode) {
    std::string out;
    for (const int k : order) out += encode(k);
    return out;
}

std::vector<int> ascending(int count) {
    std::vector<int> out;
    for (int k = 0; k < count; ++k) out.push_back(k);
    return out;
}

std::string float32(int k) {
    std::string out;
    append_f32(out, static_cast<float>(k));
    return out;
}

std::string float64(int k) {
    std::string out;
    append_f64(out, k);
    return out;
}

std::string reversed(const std::string& bytes) { return {bytes.rbegin(), bytes.rend()}; }

// Strand s, vertex i, axis c of an array of the shape (2, 3, 3) is 9 s + 3 i + c.
void expect_counting(const std::string& bytes) {
    const Result<StrandSet> strands = parse_npy_groom(bytes, "test");
    ASSERT_TRUE(strands) << strands.error().text();
    ASSERT_EQ(strands->strand_count(), 2);
    for (int s = 0; s < 2; ++s)
        for (int i = 0; i < 3; ++i) {
            const auto first = static_cast<float>(9 * s + 3 * i);
            EXPECT_TRUE(
                same_bits(strands->position.vec3(s, i), Vec3f{first, first + 1, first + 2}));
        }
}

TEST(npy_file, reads_every_kind_of_number_and_order) {
    const std::string shape = "(2, 3, 3)";
    expect_counting(npy_with("'<f4'", "False", shape, numbers(ascending(18), float32)));
    expect_counting(npy_with("'<f8'", "False", shape, numbers(ascending(18), float64)));
    expect_counting(npy_with("'<f4'", "False", shape, numbers(ascending(18), float32), 2));
    expect_counting(npy_with("\"<f4\"", "False", "(2L, 3L, 3L,)", numbers(ascending(18), float32)));
    const auto big = [](int k) { return reversed(float32(k)); };
    expect_counting(npy_with("'>f4'", "False", shape, numbers(ascending(18), big)));
    const auto big64 = [](int k) { return reversed(float64(k)); };
    expect_counting(npy_with("'>f8'", "False", shape, numbers(ascending(18), big64)));
    // Small integers in half precision: 1.xxx * 2^(exponent - 15).
    const auto half = [](int k) {
        std::uint16_t bits = 0;
        if (k > 0) {
            int exponent = 0;
            while (k >> (exponent + 1)) ++exponent;
            bits =
                static_cast<std::uint16_t>((exponent + 15) << 10 | (k << (10 - exponent) & 1023));
        }
        std::string out;
        append_u16(out, bits);
        return out;
    };
    expect_counting(npy_with("'<f2'", "False", shape, numbers(ascending(18), half)));
    std::vector<int> fortran;
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < 3; ++i)
            for (int s = 0; s < 2; ++s) fortran.push_back(9 * s + 3 * i + c);
    expect_counting(npy_with("'<f4'", "True", shape, numbers(fortran, float32)));
}

TEST(npy_file, decodes_half_precision) {
    const std::vector<std::pair<std::uint16_t, double>> cases{
        {0x0001, 0x1p-24}, {0x03ff, 1023 * 0x1p-24}, {0x0400, 0x1p-14}, {0x3c00, 1},
        {0xc000, -2},      {0x7bff, 65504},          {0x8000, -0.0},    {0x7c00, HUGE_VAL}};
    for (const auto& [bits, value] : cases) {
        std::string data;
        append_u16(data, bits);
        const std::string bytes = npy_with("'<f2'", "False", "(1,)", data);
        const Result<NpyArray> array = parse_npy(bytes);
        ASSERT_TRUE(array);
        EXPECT_EQ(array->at(0), value) << bits;
        EXPECT_EQ(std::signbit(array->at(0)), std::signbit(value)) << bits;
    }
}

TEST(npy_file, refuses_other_arrays_with_a_remedy) {
    const auto refused = [](const std::string& type, const std::string& shape,
                            const std::string& data) {
        return error_of(npy_with(type, "False", shape, data), parse_npy_groom);
    };
    const std::string floats = numbers(ascending(18), float32);
    EXPECT_SAYS(refused("'|O'", "(2,)", "xx"), "Python objects");
    EXPECT_SAYS(refused("'<c8'", "(3, 3)", floats), "float32");
    EXPECT_SAYS(refused("[('x', '<f4')]", "(18,)", floats), "several fields");
    EXPECT_SAYS(refused("'<i4'", "(2, 3, 3)", floats), "floating-point array");
    EXPECT_SAYS(refused("'<f4'", "(6, 3)", floats), "(6, 3)");
    EXPECT_SAYS(refused("'<f4'", "(3, 3, 2)", floats), "(strands, vertices, 3)");
    EXPECT_SAYS(refused("'<f4'", "(2, 3, 4)", floats), "cut short");
    EXPECT_SAYS(refused("'<f4'", "(1, 3, 3)", floats), "after its last item");
    EXPECT_SAYS(refused("'<f4'", "(4294967296, 4294967296, 3)", floats), "cut short");
    EXPECT_SAYS(refused("'<f4'", "(1, 70000, 3)", std::string(840000, '\0')), "resample");
    EXPECT_SAYS(refused("'<f4'", "(1, 1, 3)", std::string("\0\0\xc0\x7f\0\0\0\0\0\0\0\0", 12)),
                "not a finite number");
    EXPECT_SAYS(error_of("HAIR", parse_npy_groom), "NUMPY");
}

TEST(npy_file, survives_truncations_and_flipped_bits) {
    const std::string whole = format_npy_groom(view_of(some_strands({4, 4, 4})));
    EXPECT_EQ(survive_truncations(whole, parse_npy_groom).good, 0);
    const Survived flipped = survive_flipped_bits(whole, 128, parse_npy_groom);
    EXPECT_GT(flipped.good, 100);
    EXPECT_GT(flipped.bad, 100);
}

// A zip archive with one deflated entry.
std::string deflated_zip(const std::string& name, const std::string& content) {
    std::string packed(content.size() + 100, '\0');
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    ZipWriter zip;
    zip.add(name, packed);
    std::string out = zip.finish();
    const auto checksum = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
    const std::size_t entry = out.rfind("PK\x01\x02");
    put(out, entry + 10, std::uint16_t{8});
    put(out, entry + 16, checksum);
    put(out, entry + 24, static_cast<std::uint32_t>(content.size()));
    return out;
}

TEST(npz_file, reads_deflated_arrays_of_any_usual_name) {
    const StrandSet strands = some_strands({3, 3, 3});
    for (const char* name : {"positions.npy", "points.npy", "strands.npy", "hair_42.npy"}) {
        const std::string bytes = deflated_zip(name, format_npy_groom(view_of(strands)));
        const Result<StrandSet> back = parse_npz_groom(bytes, "test");
        ASSERT_TRUE(back) << back.error().text();
        expect_same_positions(strands, *back);
    }
}

TEST(npz_file, keeps_unequal_strands_with_their_appearance) {
    StrandSet strands = some_strands({3, 1, 5});
    strands.root_uv = {{0.25f, 0.5f}, {0.75f, 1}, {0.5f, 0.125f}};
    const Result<StrandSet> back =
        parse_npz_groom(format_npz_groom(view_of(strands), strands.root_uv), "test");
    ASSERT_TRUE(back) << back.error().text();
    expect_same_positions(strands, *back);
    expect_same_appearance(strands, *back);
    ASSERT_EQ(back->root_uv.size(), 3u);
    EXPECT_EQ(back->root_uv[2].y, 0.125f);
}

std::string points_zip(const std::string& list_name, const std::vector<std::uint32_t>& list) {
    std::string integers;
    for (const std::uint32_t value : list) append_u32(integers, value);
    ZipWriter zip;
    zip.add("points.npy", npy_bytes("<f4", {6, 3}, numbers(ascending(18), float32)));
    zip.add(list_name, npy_bytes("<i4", {list.size()}, integers));
    return zip.finish();
}

TEST(npz_file, takes_counts_or_offsets_of_strands) {
    for (const auto& [name, list] : std::vector<std::pair<std::string, std::vector<std::uint32_t>>>{
             {"counts.npy", {2, 0, 4}}, {"offsets.npy", {0, 2}}, {"offsets.npy", {0, 2, 2, 6}}}) {
        const Result<StrandSet> strands = parse_npz_groom(points_zip(name, list), "test");
        ASSERT_TRUE(strands) << strands.error().text();
        ASSERT_EQ(strands->strand_count(), 2) << "the strand without points is left out";
        EXPECT_EQ(strands->layout->vertex_count(1), 4);
        EXPECT_TRUE(same_bits(strands->position.vec3(1, 0), Vec3f{6, 7, 8}));
    }
    EXPECT_SAYS(error_of(points_zip("counts.npy", {2, 3}), parse_npz_groom), "add up to 5");
    EXPECT_SAYS(error_of(points_zip("other.npy", {6}), parse_npz_groom), "counts");
}

TEST(npz_file, refuses_object_arrays_and_other_archives_with_a_remedy) {
    ZipWriter objects;
    objects.add("strands.npy", npy_with("'|O'", "False", "(2,)", "pickle"));
    const std::string refused = error_of(objects.finish(), parse_npz_groom);
    EXPECT_SAYS(refused, "Python objects");
    ZipWriter flat;
    flat.add("weights.npy", npy_bytes("<f4", {2}, std::string(8, '\0')));
    const std::string message = error_of(flat.finish(), parse_npz_groom);
    EXPECT_SAYS(message, "weights");
    EXPECT_SAYS(message, "(strands, vertices, 3)");
    EXPECT_SAYS(error_of("PK\x03\x04 not a zip", parse_npz_groom), "zip");
}

TEST(npz_file, notices_wrong_checksums_and_sizes) {
    const StrandSet strands = some_strands({3, 3});
    std::string bytes = format_npz_groom(view_of(strands), {});
    bytes[200] ^= 1;
    EXPECT_SAYS(error_of(bytes, parse_npz_groom), "damaged");
    std::string huge = deflated_zip("positions.npy", format_npy_groom(view_of(strands)));
    put(huge, huge.rfind("PK\x01\x02") + 24, 0xfffffff0u);
    EXPECT_SAYS(error_of(huge, parse_npz_groom), "damaged");
}

TEST(npz_file, survives_truncations_and_flipped_bits) {
    const StrandSet strands = some_strands({3, 1, 5});
    for (const std::string& whole :
         {format_npz_groom(view_of(strands), {}),
          deflated_zip("positions.npy", format_npy_groom(view_of(some_strands({4, 4}))))}) {
        EXPECT_EQ(survive_truncations(whole, parse_npz_groom).good, 0);
        EXPECT_GT(survive_flipped_bits(whole, whole.size(), parse_npz_groom).bad, 1000);
    }
}

}  // namespace
}  // namespace ringlet
