// A 64-bit FNV-1a hash over 32-bit words, used to compare two simulation states.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ringlet {

class Hash {
public:
    void add(std::uint32_t word) { state_ = (state_ ^ word) * 0x100000001b3ull; }
    // Adding +0 turns -0 into +0, so both hash to the same value.
    void add(float value) { add(std::bit_cast<std::uint32_t>(value + 0.0f)); }

    std::uint64_t value() const { return state_; }
    // 16 hexadecimal digits, lower case.
    std::string hex() const;

private:
    std::uint64_t state_ = 0xcbf29ce484222325ull;
};

// The same hash over bytes that arrive in pieces: little-endian words, the last one padded with
// zeros, then the number of bytes. It changes if any one bit changes.
class ByteHash {
public:
    void add(std::span<const std::byte> bytes);
    std::uint64_t value() const;

private:
    Hash words_;
    std::array<std::byte, 4> tail_{};
    std::size_t tail_size_ = 0;
    std::uint64_t total_ = 0;
};

}  // namespace ringlet
