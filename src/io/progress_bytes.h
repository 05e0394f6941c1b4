// The progress of a writer as bytes, in the byte order of the machine (OutputStart::progress).
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace ringlet {

class ProgressOut {
public:
    template <class T>
    void add(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void add_text(std::string_view text) {
        add(std::uint64_t{text.size()});
        bytes_ += text;
    }
    std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

// Reads what ProgressOut wrote. After a value that is not there, is_good() is false and all values
// are 0.
class ProgressIn {
public:
    explicit ProgressIn(std::string_view bytes) : left_(bytes) {}

    bool is_good() const { return good_; }
    // Whether all was read.
    bool is_complete() const { return good_ && left_.empty(); }
    // Whether there may be that many values of a size.
    bool has(std::uint64_t count, std::size_t size) {
        good_ = good_ && count <= left_.size() / size;
        return good_;
    }

    template <class T>
    T take() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value{};
        if (!has(1, sizeof value)) return value;
        std::memcpy(&value, left_.data(), sizeof value);
        left_.remove_prefix(sizeof value);
        return value;
    }
    std::string_view take_text() {
        const auto size = take<std::uint64_t>();
        if (!has(size, 1)) return {};
        const std::string_view out = left_.substr(0, static_cast<std::size_t>(size));
        left_.remove_prefix(out.size());
        return out;
    }

private:
    std::string_view left_;
    bool good_ = true;
};

}  // namespace ringlet
