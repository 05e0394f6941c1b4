#include "base/hash.h"

#include <algorithm>
#include <cstring>

namespace ringlet {

void ByteHash::add(std::span<const std::byte> bytes) {
    total_ += bytes.size();
    const auto add_word = [this](const std::byte* from) {
        std::uint32_t word = 0;
        std::memcpy(&word, from, sizeof word);
        words_.add(word);
    };
    if (tail_size_ > 0) {
        const std::size_t taken = std::min(tail_.size() - tail_size_, bytes.size());
        std::copy_n(bytes.data(), taken, tail_.data() + tail_size_);
        tail_size_ += taken;
        bytes = bytes.subspan(taken);
        if (tail_size_ < tail_.size()) return;
        add_word(tail_.data());
        tail_size_ = 0;
    }
    for (; bytes.size() >= sizeof(std::uint32_t); bytes = bytes.subspan(sizeof(std::uint32_t)))
        add_word(bytes.data());
    std::copy_n(bytes.data(), bytes.size(), tail_.data());
    tail_size_ = bytes.size();
}

std::uint64_t ByteHash::value() const {
    Hash out = words_;
    std::uint32_t last = 0;
    std::memcpy(&last, tail_.data(), tail_size_);
    if (tail_size_ > 0) out.add(last);
    out.add(static_cast<std::uint32_t>(total_));
    out.add(static_cast<std::uint32_t>(total_ >> 32));
    return out.value();
}

std::string Hash::hex() const {
    std::string out(16, '0');
    for (int digit = 0; digit < 16; ++digit)
        out[static_cast<std::size_t>(digit)] =
            "0123456789abcdef"[(state_ >> (60 - 4 * digit)) & 15];
    return out;
}

}  // namespace ringlet
