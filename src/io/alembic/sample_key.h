// The 128-bit content hash that Alembic stores with every sample (MurmurHash3_x64_128, seed 0, by
// Austin Appleby, public domain). Readers compare keys to find samples with equal content.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringlet {

struct SampleKey {
    std::uint64_t low = 0, high = 0;

    bool operator==(const SampleKey&) const = default;
    bool operator<(const SampleKey& other) const {
        return high != other.high ? high < other.high : low < other.low;
    }
    // 16 bytes, little endian.
    std::string bytes() const;
};

// Hashes data that arrives in pieces.
class SampleHash {
public:
    void add(std::string_view bytes);
    // The key of all bytes added so far.
    SampleKey key() const;

private:
    static constexpr std::size_t kBlock = 16;

    void mix_block(const char* block);

    SampleKey state_;
    std::array<char, kBlock> tail_{};
    std::size_t tail_size_ = 0;
    std::uint64_t total_ = 0;
};

}  // namespace ringlet
