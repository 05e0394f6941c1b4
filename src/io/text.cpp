#include "io/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace ringlet {

namespace {

constexpr std::string_view kSpaces = " \t";

}  // namespace

bool Lines::next() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
    line = rest_.substr(0, end);
    const bool crlf = rest_.substr(end, 2) == "\r\n";
    rest_.remove_prefix(std::min(end + (crlf ? 2 : 1), rest_.size()));
    ++number;
    return true;
}

std::string_view next_word(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kSpaces), rest.size()));
    const std::string_view word = rest.substr(0, rest.find_first_of(kSpaces));
    rest.remove_prefix(word.size());
    return word;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpaces);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::string in_quotes(std::string_view word) {
    std::string out = "\"";
    for (const char c : word.substr(0, 32)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (word.size() > 32 ? "...\"" : "\"");
}

std::optional<float> finite_float(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure != std::errc{} || end != word.data() + word.size() ||
        !(std::abs(value) <= double{std::numeric_limits<float>::max()}))
        return std::nullopt;
    return static_cast<float>(value);
}

std::string with_joined_lines(std::string text) {
    if (text.find("\\\n") == std::string::npos && text.find("\\\r") == std::string::npos)
        return text;
    std::string out;
    out.reserve(text.size());
    std::size_t joined = 0;
    Lines lines(text);
    while (lines.next()) {
        const bool continues = lines.line.ends_with('\\') && !trimmed(lines.line).starts_with('#');
        out += lines.line;
        if (continues) {
            out.back() = ' ';
            ++joined;
        } else {
            out.append(joined + 1, '\n');
            joined = 0;
        }
    }
    return out;
}

}  // namespace ringlet
