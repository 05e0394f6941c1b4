// OpenEXR files, decoded here by the rules of the format.
#include "io/image/exr.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <map>

#include "base/files.h"
#include "temp_folder.h"

namespace ringlet {
namespace {

double from_half(std::uint16_t bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31) return sign * (mantissa ? NAN : INFINITY);
    return sign *
           (exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25));
}

TEST(exr, rounds_to_the_nearest_half) {
    for (int bits = 0; bits < 0x7c00; ++bits) {
        const auto own = static_cast<std::uint16_t>(bits);
        ASSERT_EQ(half_bits(static_cast<float>(from_half(own))), own);
    }
    EXPECT_EQ(half_bits(1 + 0x1p-11f), 0x3c00) << "a tie goes to even";
    EXPECT_EQ(half_bits(1 + 3 * 0x1p-11f), 0x3c02);
    EXPECT_EQ(half_bits(1 + 0x1.1p-11f), 0x3c01);
    EXPECT_EQ(half_bits(0x1p-25f), 0) << "a tie goes to even";
    EXPECT_EQ(half_bits(0x1.1p-25f), 1);
    EXPECT_EQ(half_bits(65519), 0x7bff);
    EXPECT_EQ(half_bits(65520), 0x7c00);
    EXPECT_EQ(half_bits(-2), 0xc000);
    EXPECT_EQ(half_bits(NAN) & 0x7fff, 0x7e00);
}

template <class T>
T take(const std::string& bytes, std::size_t& at) {
    T value;
    EXPECT_LE(at + sizeof value, bytes.size());
    std::memcpy(&value, &bytes[at], sizeof value);
    at += sizeof value;
    return value;
}

std::string take_text(const std::string& bytes, std::size_t& at) {
    const std::string text = bytes.c_str() + at;
    at += text.size() + 1;
    return text;
}

// Undoes ZIP compression.
std::string expanded(const std::string& packed, std::size_t size) {
    if (packed.size() == size) return packed;
    std::string bytes(size, '\0'), out(size, '\0');
    uLongf length = size;
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
              Z_OK);
    for (std::size_t i = 1; i < size; ++i)
        bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i - 1]) +
                                     static_cast<unsigned char>(bytes[i]) - 128);
    for (std::size_t i = 0; i < size; ++i) out[i] = bytes[i / 2 + (i % 2) * ((size + 1) / 2)];
    return out;
}

struct Decoded {
    std::map<std::string, std::string> attributes;
    std::map<std::string, std::vector<double>> channels;
};

Decoded decode(const std::string& file, int width, int height) {
    std::size_t at = 0;
    EXPECT_EQ(take<std::uint32_t>(file, at), 20000630u);
    EXPECT_EQ(take<std::uint32_t>(file, at), 2u);
    Decoded out;
    while (file[at] != '\0') {
        const std::string name = take_text(file, at), type = take_text(file, at);
        const auto size = static_cast<std::size_t>(take<std::int32_t>(file, at));
        out.attributes[name] = file.substr(at, size);
        at += size;
    }
    ++at;
    std::vector<std::pair<std::string, bool>> channels;
    const std::string& list = out.attributes["channels"];
    std::size_t pixel_bytes = 0;
    for (std::size_t k = 0; list[k] != '\0'; k += 12) {
        const std::string name = take_text(list, k);
        const bool is_half = take<std::int32_t>(list, k) == 1;
        channels.emplace_back(name, is_half);
        pixel_bytes += is_half ? 2 : 4;
    }
    for (int first = 0; first < height; first += 16) {
        std::size_t block = static_cast<std::size_t>(take<std::uint64_t>(file, at));
        EXPECT_EQ(take<std::int32_t>(file, block), first);
        const auto packed = static_cast<std::size_t>(take<std::int32_t>(file, block));
        const int lines = std::min(16, height - first);
        const std::string bytes = expanded(file.substr(block, packed),
                                           pixel_bytes * static_cast<std::size_t>(lines * width));
        std::size_t next = 0;
        for (int y = 0; y < lines; ++y)
            for (const auto& [name, is_half] : channels)
                for (int x = 0; x < width; ++x)
                    out.channels[name].push_back(
                        is_half ? from_half(take<std::uint16_t>(bytes, next))
                                : static_cast<double>(take<float>(bytes, next)));
    }
    return out;
}

TEST(exr, files_contain_every_channel) {
    constexpr int kWidth = 23, kHeight = 37;
    LinearImage image{kWidth, kHeight, {{"Z", {}, true}, {"R", {}}, {"A", {}}, {"albedo.R", {}}}};
    for (std::size_t c = 0; c < image.channels.size(); ++c)
        for (int i = 0; i < kWidth * kHeight; ++i)
            image.channels[c].values.push_back(std::sin(static_cast<float>(i) * 0.01f) *
                                               static_cast<float>(c + 1));
    const TempFolder folder;
    ASSERT_TRUE(write_exr(folder / "a.exr", image));
    const Result<std::string> file = read_file(folder / "a.exr", 1 << 20);
    ASSERT_TRUE(file);
    const Decoded decoded = decode(*file, kWidth, kHeight);
    ASSERT_EQ(decoded.channels.size(), 4u);
    for (const LinearChannel& channel : image.channels) {
        const std::vector<double>& found = decoded.channels.at(channel.name);
        ASSERT_EQ(found.size(), channel.values.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            const auto wanted = static_cast<double>(channel.values[i]);
            ASSERT_NEAR(found[i], wanted, channel.is_precise ? 0 : 1e-3 * std::abs(wanted) + 1e-6)
                << channel.name << " " << i;
        }
    }
    EXPECT_FALSE(write_exr(folder / "b.exr", {}));
    EXPECT_TRUE(is_exr_file("A.EXR"));
    EXPECT_FALSE(is_exr_file("a.png"));
}

}  // namespace
}  // namespace ringlet
