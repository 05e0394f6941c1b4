// Writes the values of USD layers: as text, or large arrays as bytes beside the text, from which
// OpenUSD makes a binary layer without parsing numbers.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "math/vec2.h"
#include "math/vec3.h"

namespace ringlet {

// Text or bytes on their way to a file or to memory. Files are written in pieces of a megabyte.
class UsdStream {
public:
    // In memory.
    UsdStream() = default;
    // To a file that outlives the stream. Not owned.
    explicit UsdStream(std::ofstream* file) : file_(file) {}

    void text(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= kPiece) flush();
    }
    void bytes(const void* from, std::size_t count) {
        text({static_cast<const char*>(from), count});
    }
    // Shortest decimal form that reads back to the same bits.
    void number(float value);
    void number(double value);
    void number(std::int64_t value);
    // Writes to the file; does nothing in memory.
    void flush();
    // The text in memory.
    const std::string& str() const { return buffer_; }

private:
    static constexpr std::size_t kPiece = 1 << 20;
    std::string buffer_;
    std::ofstream* file_ = nullptr;
};

// A file under construction that a UsdStream writes.
class UsdFile {
public:
    explicit UsdFile(const std::filesystem::path& path);
    UsdStream& stream() { return stream_; }
    std::ofstream& file() { return file_; }
    const std::filesystem::path& temporary() const { return pending_.temporary(); }
    // Completes the temporary file.
    Result<void> close();
    // Completes the file and gives it its name.
    Result<void> commit();

private:
    std::string name_;
    PendingFile pending_;
    std::ofstream file_;
    UsdStream stream_{&file_};
};

// The types of array elements that are stored as bytes.
enum class UsdElement { float1, float2, float3, int1 };
std::string_view word_of(UsdElement element);

// Arrays as bytes, and a line about each: prim path, attribute, time or "-", element, count. The
// arrays follow each other in that order.
struct UsdBlob {
    UsdStream bytes;
    std::string index;
    std::string key;  // prim path, attribute and time of the next value, separated by tabs
};

// Receives one value.
class UsdValueOut {
public:
    // Without a blob, arrays are written as text.
    explicit UsdValueOut(UsdStream& text, UsdBlob* blob = nullptr) : text_(text), blob_(blob) {}

    // A value that is not an array of numbers.
    void text(std::string_view value) { text_.text(value); }
    UsdStream& stream() { return text_; }

    // Call begin_array(), then add() `count` times, then end_array().
    void begin_array(UsdElement element, std::size_t count);
    void add(float value) { add_all(&value, 1); }
    void add(Vec2f value) {
        const float v[] = {value.x, value.y};
        add_all(v, 2);
    }
    void add(Vec3f value) {
        const float v[] = {value.x, value.y, value.z};
        add_all(v, 3);
    }
    void add(std::int32_t value);
    void end_array() {
        if (!blob_) text_.text("]");
    }

private:
    void separate() {
        if (!is_first_) text_.text(", ");
        is_first_ = false;
    }
    void add_all(const float* values, int count);

    UsdStream& text_;
    UsdBlob* blob_;
    bool is_first_ = true;
};

// A string in quotes with its special characters escaped.
std::string usd_string(std::string_view text);

// A name that may stand in a prim path: letters, digits and _, not beginning with a digit.
std::string usd_name(std::string_view text);

}  // namespace ringlet
