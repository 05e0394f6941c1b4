// A 64-bit FNV-1a hash over 32-bit words, used to compare two simulation states.
#pragma once

#include <bit>
#include <cstdint>
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

}  // namespace ringlet
