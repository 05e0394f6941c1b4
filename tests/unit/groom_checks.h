// Shared by the tests of all groom formats: strands to write, comparisons after a round trip, and
// checks of readers on corrupt bytes.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "counted_memory.h"
#include "ringlet/result.h"
#include "some_strands.h"
#include "strand/strand_set.h"

namespace ringlet {

inline bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

inline bool same_bits(Vec3f a, Vec3f b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

// Expects equal vertex counts and same(strand, vertex) at every vertex.
template <class Same>
void expect_each(const StrandSet& a, const StrandSet& b, const Same& same) {
    ASSERT_EQ(a.strand_count(), b.strand_count());
    for (int s = 0; s < a.strand_count(); ++s) {
        ASSERT_EQ(a.layout->vertex_count(s), b.layout->vertex_count(s)) << "strand " << s;
        for (int i = 0; i < a.layout->vertex_count(s); ++i)
            ASSERT_TRUE(same(s, i)) << "strand " << s << ", vertex " << i;
    }
}

inline void expect_same_positions(const StrandSet& a, const StrandSet& b) {
    expect_each(a, b, [&](int s, int i) {
        return same_bits(a.position.vec3(s, i), b.position.vec3(s, i));
    });
}

inline void expect_same_appearance(const StrandSet& a, const StrandSet& b) {
    expect_each(a, b, [&](int s, int i) {
        return same_bits(a.colour.vec3(s, i), b.colour.vec3(s, i)) &&
               same_bits(a.radius.at(s, i), b.radius.at(s, i));
    });
}

// Writes a number at a byte offset; extends the file if necessary.
template <class T>
void put(std::string& bytes, std::size_t at, T value) {
    if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
    std::memcpy(&bytes[at], &value, sizeof value);
}

// Whether the result is strands; they must be finite. An error must name the file and be one line.
inline bool is_good(const Result<StrandSet>& strands, const std::string& name) {
    if (!strands) {
        EXPECT_EQ(strands.error().file, name);
        EXPECT_GT(strands.error().message.size(), 10u);
        EXPECT_EQ(strands.error().message.find('\n'), std::string::npos);
        return false;
    }
    for (int s = 0; s < strands->strand_count(); ++s)
        for (int i = 0; i < strands->layout->vertex_count(s); ++i) {
            const Vec3f p = strands->position.vec3(s, i);
            EXPECT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
        }
    return true;
}

// A fixed allowance for small files: the message, the padding of the layout and so on.
inline constexpr std::size_t kSmallFileMemory = 16 << 10;

struct Survived {
    int good = 0, bad = 0;
};

// Calls parse(bytes, name) for every proper truncation.
template <class Parse>
Survived survive_truncations(const std::string& whole, const Parse& parse) {
    Survived out;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string bytes =
            whole.substr(0, length);  // a copy, so that a sanitizer detects reads beyond its end
        const std::size_t memory = counted_memory::peak_of(
            [&] { ++(is_good(parse(bytes, "cut"), "cut") ? out.good : out.bad); });
        EXPECT_LE(memory, 16 * whole.size() + kSmallFileMemory) << length;
    }
    return out;
}

// Flips one to three bits in 2,000 copies; half of them in the first `header` bytes, which have the
// sizes.
template <class Parse>
Survived survive_flipped_bits(const std::string& whole, std::size_t header, const Parse& parse) {
    Survived out;
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        std::string bytes = whole;
        const std::size_t reach = round % 2 ? bytes.size() : header;
        for (int flips = 0; flips < 1 + round % 3; ++flips)
            bytes[random() % reach] ^= static_cast<char>(1u << random() % 8);
        const std::size_t memory = counted_memory::peak_of(
            [&] { ++(is_good(parse(bytes, "flipped"), "flipped") ? out.good : out.bad); });
        EXPECT_LE(memory, 16 * whole.size() + kSmallFileMemory) << round;
    }
    return out;
}

// The error of parse(bytes, name), or "no error". The call must not allocate much memory.
template <class Parse>
std::string error_of(const std::string& bytes, const Parse& parse) {
    std::string message = "no error";
    const std::size_t memory = counted_memory::peak_of([&] {
        const Result<StrandSet> strands = parse(bytes, std::string("test"));
        if (!is_good(strands, "test")) message = strands.error().message;
    });
    EXPECT_LE(memory, 16 * bytes.size() + kSmallFileMemory);
    return message;
}

}  // namespace ringlet

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)
