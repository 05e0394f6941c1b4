#include "io/usd/usd_text.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

namespace ringlet {

namespace {

// "nan" without a sign: readers know no other spelling.
template <class T>
void append_shortest(std::string& out, T value) {
    char digits[32];
    if (value != value) {
        out += "nan";
        return;
    }
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

}  // namespace

void UsdStream::number(float value) { append_shortest(buffer_, value); }
void UsdStream::number(double value) { append_shortest(buffer_, value); }
void UsdStream::number(std::int64_t value) { append_shortest(buffer_, value); }

void UsdStream::flush() {
    if (!file_) return;
    file_->write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
}

UsdFile::UsdFile(const std::filesystem::path& path)
    : name_(path.string()),
      pending_(path),
      file_(pending_.temporary(), std::ios::binary | std::ios::trunc) {}

Result<void> UsdFile::close() {
    if (Result<void> ready = pending_.check_folder(); !ready) return ready;
    stream_.flush();
    file_.close();
    if (!file_) return Error{std::string("cannot be written: ") + std::strerror(errno), name_};
    return {};
}

Result<void> UsdFile::commit() {
    Result<void> closed = close();
    return closed ? pending_.commit() : closed;
}

std::string_view word_of(UsdElement element) {
    switch (element) {
        case UsdElement::float1:
            return "float1";
        case UsdElement::float2:
            return "float2";
        case UsdElement::float3:
            return "float3";
        case UsdElement::int1:
            return "int1";
    }
    return {};
}

void UsdValueOut::begin_array(UsdElement element, std::size_t count) {
    is_first_ = true;
    if (!blob_) {
        text_.text("[");
        return;
    }
    text_.text("None");
    blob_->index +=
        blob_->key + '\t' + std::string(word_of(element)) + '\t' + std::to_string(count) + '\n';
}

void UsdValueOut::add(std::int32_t value) {
    if (blob_) {
        blob_->bytes.bytes(&value, sizeof value);
        return;
    }
    separate();
    text_.number(std::int64_t{value});
}

void UsdValueOut::add_all(const float* values, int count) {
    if (blob_) {
        blob_->bytes.bytes(values, sizeof(float) * static_cast<std::size_t>(count));
        return;
    }
    separate();
    if (count > 1) text_.text("(");
    for (int k = 0; k < count; ++k) {
        if (k > 0) text_.text(", ");
        text_.number(values[k]);
    }
    if (count > 1) text_.text(")");
}

std::string usd_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' ? ' ' : c;
    }
    return out + '"';
}

std::string usd_name(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        out += is_letter || (c >= '0' && c <= '9') ? c : '_';
    }
    if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out.insert(out.begin(), '_');
    return out;
}

}  // namespace ringlet
