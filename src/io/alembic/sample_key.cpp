#include "io/alembic/sample_key.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "io/bytes.h"

namespace ringlet {

namespace {

constexpr std::uint64_t kFactor1 = 0x87c37b91114253d5, kFactor2 = 0x4cf5ad432745937f;

std::uint64_t little_endian(const char* bytes) {
    std::uint64_t out = 0;
    std::memcpy(&out, bytes, sizeof out);
    if constexpr (std::endian::native == std::endian::big) out = __builtin_bswap64(out);
    return out;
}

std::uint64_t scrambled_low(std::uint64_t word) {
    return std::rotl(word * kFactor1, 31) * kFactor2;
}

std::uint64_t scrambled_high(std::uint64_t word) {
    return std::rotl(word * kFactor2, 33) * kFactor1;
}

std::uint64_t finalized(std::uint64_t word) {
    word = (word ^ word >> 33) * 0xff51afd7ed558ccd;
    word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53;
    return word ^ word >> 33;
}

}  // namespace

std::string SampleKey::bytes() const {
    std::string out;
    append_u64(out, low);
    append_u64(out, high);
    return out;
}

void SampleHash::mix_block(const char* block) {
    state_.low ^= scrambled_low(little_endian(block));
    state_.low = (std::rotl(state_.low, 27) + state_.high) * 5 + 0x52dce729;
    state_.high ^= scrambled_high(little_endian(block + 8));
    state_.high = (std::rotl(state_.high, 31) + state_.low) * 5 + 0x38495ab5;
}

void SampleHash::add(std::string_view bytes) {
    total_ += bytes.size();
    if (tail_size_ > 0) {
        const std::size_t taken = std::min(kBlock - tail_size_, bytes.size());
        std::copy_n(bytes.data(), taken, tail_.data() + tail_size_);
        tail_size_ += taken;
        bytes.remove_prefix(taken);
        if (tail_size_ < kBlock) return;
        mix_block(tail_.data());
        tail_size_ = 0;
    }
    for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) mix_block(bytes.data());
    std::copy_n(bytes.data(), bytes.size(), tail_.data());
    tail_size_ = bytes.size();
}

SampleKey SampleHash::key() const {
    std::array<char, kBlock> tail{};
    std::copy_n(tail_.data(), tail_size_, tail.data());
    SampleKey out = state_;
    out.high ^= scrambled_high(little_endian(tail.data() + 8));
    out.low ^= scrambled_low(little_endian(tail.data()));
    out.low ^= total_;
    out.high ^= total_;
    out.low += out.high;
    out.high += out.low;
    out.low = finalized(out.low);
    out.high = finalized(out.high);
    out.low += out.high;
    out.high += out.low;
    return out;
}

}  // namespace ringlet
