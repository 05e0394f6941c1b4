// Reads and appends little-endian numbers, independent of the machine's byte order.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "math/vec3.h"

namespace ringlet {

// Precondition of the reading functions: all bytes of the number are inside `bytes`.

inline std::uint16_t u16_at(std::string_view bytes, std::size_t at) {
    return static_cast<std::uint16_t>(static_cast<std::uint8_t>(bytes[at]) |
                                      static_cast<std::uint8_t>(bytes[at + 1]) << 8);
}

inline std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    return value;
}

inline std::uint64_t u64_at(std::string_view bytes, std::size_t at) {
    return u32_at(bytes, at) | std::uint64_t{u32_at(bytes, at + 4)} << 32;
}

inline float f32_at(std::string_view bytes, std::size_t at) {
    return std::bit_cast<float>(u32_at(bytes, at));
}

inline double f64_at(std::string_view bytes, std::size_t at) {
    return std::bit_cast<double>(u64_at(bytes, at));
}

inline Vec3f vec3_at(std::string_view bytes, std::size_t at) {
    return {f32_at(bytes, at), f32_at(bytes, at + 4), f32_at(bytes, at + 8)};
}

inline void append_u32(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 255u);
}

inline void append_u16(std::string& out, std::uint16_t value) {
    for (int shift = 0; shift < 16; shift += 8) out += static_cast<char>(value >> shift & 255);
}

inline void append_u64(std::string& out, std::uint64_t value) {
    append_u32(out, static_cast<std::uint32_t>(value));
    append_u32(out, static_cast<std::uint32_t>(value >> 32));
}

inline void append_f64(std::string& out, double value) {
    append_u64(out, std::bit_cast<std::uint64_t>(value));
}

inline void append_f32(std::string& out, float value) {
    append_u32(out, std::bit_cast<std::uint32_t>(value));
}

inline void append_vec3(std::string& out, Vec3f a) {
    for (const float c : {a.x, a.y, a.z}) append_f32(out, c);
}

}  // namespace ringlet
