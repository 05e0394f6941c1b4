#include "io/obj/obj_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace ringlet {

namespace {

constexpr std::string_view kBlanks = " \t";
// Opening files takes time, and a small OBJ could name millions.
constexpr std::size_t kMaxLibraries = 64;

// Physical lines; a carriage return alone ends one too, as it does for tinyobjloader.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}

    bool next() {
        if (rest_.empty()) return false;
        const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
        line = rest_.substr(0, end);
        const bool two = rest_.substr(end, 2) == "\r\n";
        rest_.remove_prefix(std::min(end + (two ? 2 : 1), rest_.size()));
        ++number;
        return true;
    }

    std::string_view line;
    int number = 0;

private:
    std::string_view rest_;
};

// Takes the next word off `rest`; empty at its end.
std::string_view next_word(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
    rest.remove_prefix(word.size());
    return word;
}

// Fit to appear within a one-line message.
std::string quoted(std::string_view word) {
    std::string out = "\"";
    for (const char c : word.substr(0, 32)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (word.size() > 32 ? "...\"" : "\"");
}

// A backslash at the end of a line continues it on the next, but not a comment, which may end in
// the name of a Windows folder. The parts are joined by a blank, and the line ends that vanish are
// put back behind the whole, so that line numbers stay true.
std::string with_joined_lines(std::string text) {
    if (text.find("\\\n") == std::string::npos && text.find("\\\r") == std::string::npos)
        return text;
    std::string out;
    out.reserve(text.size());
    std::size_t owed = 0;
    Lines lines(text);
    while (lines.next()) {
        const bool goes_on = lines.line.ends_with('\\') && !trimmed(lines.line).starts_with('#');
        out += lines.line;
        if (goes_on) {
            out.back() = ' ';
            ++owed;
        } else {
            out.append(owed + 1, '\n');
            owed = 0;
        }
    }
    return out;
}

enum Kind { kPosition, kUv, kNormal, kKinds };
constexpr std::array<const char*, kKinds> kKindNames{"vertex", "texture vertex", "normal"};
using Counts = std::array<int, kKinds>;

int kind_of(std::string_view keyword) {
    if (keyword == "v") return kPosition;
    if (keyword == "vt") return kUv;
    return keyword == "vn" ? kNormal : -1;
}

Counts count_elements(std::string_view text) {
    Counts counts{};
    Lines lines(text);
    while (lines.next()) {
        std::string_view rest = lines.line;
        const int kind = kind_of(next_word(rest));
        if (kind >= 0) ++counts[static_cast<std::size_t>(kind)];
    }
    return counts;
}

bool is_finite_float(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    return failure == std::errc{} && end == word.data() + word.size() &&
           std::abs(value) <= double{std::numeric_limits<float>::max()};
}

// Fills a part of the text; what looks at the text stays where it is.
void overwrite(std::string& text, std::string_view part, char with) {
    text.replace(static_cast<std::size_t>(part.data() - text.data()), part.size(), part.size(),
                 with);
}

// The functions below return what is wrong, or nothing.

std::string check_element(std::string& text, Kind kind, std::string_view rest) {
    const std::string_view numbers = rest;
    const int needed = kind == kUv ? 1 : 3, used = kind == kUv ? 2 : 3;
    bool finite = true;
    for (int i = 0; i < used; ++i) {
        const std::string_view word = next_word(rest);
        const bool missing = word.empty() || word.starts_with('#');
        if (missing && i >= needed) break;
        if (missing)
            return std::string(kKindNames[kind]) + " with " + std::to_string(i) + " of its " +
                   std::to_string(needed) + " numbers; the file may be cut short";
        finite = finite && is_finite_float(word);
        if (!finite && kind != kNormal) return quoted(word) + " where a finite number is needed";
    }
    // A normal can be computed, unlike the others, and is where it is zero.
    if (!finite)
        for (const char& c : numbers)
            if (kBlanks.find(c) == std::string_view::npos) overwrite(text, {&c, 1}, '0');
    return {};
}

std::string check_index(Kind kind, std::string_view word, const Counts& total,
                        const Counts& so_far) {
    int index = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (failure == std::errc::invalid_argument || end != word.data() + word.size())
        return "face with the corner " + quoted(word) + " where a number is needed";
    const int count = index < 0 ? so_far[kind] : total[kind];
    const bool in_range = index > 0 ? index <= count : index < 0 && index >= -count;
    if (failure == std::errc{} && in_range) return {};
    return "face refers to " + std::string(kKindNames[kind]) + " " +
           std::string(word.substr(0, 20)) + ", of " + std::to_string(count) +
           (index < 0 ? " so far" : "") + "; they are counted from 1";
}

// A corner is v, v/vt, v//vn or v/vt/vn.
std::string check_corner(std::string_view corner, const Counts& total, const Counts& so_far) {
    for (const Kind kind : {kPosition, kUv, kNormal}) {
        const std::size_t slash = corner.find('/');
        const std::string_view word = corner.substr(0, slash);
        if (kind != kUv || !word.empty())
            if (std::string wrong = check_index(kind, word, total, so_far); !wrong.empty())
                return wrong;
        if (slash == std::string_view::npos) return {};
        corner.remove_prefix(slash + 1);
    }
    return "face with a corner of more than three numbers";
}

// Blanks out what is legal but would mislead tinyobjloader: a comment behind the corners, and the
// slashes at a corner's end ("1//"), after which it would read the next corner's number.
std::string check_face(std::string& text, std::string_view rest, const Counts& total,
                       const Counts& so_far) {
    int corners = 0;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
        if (word.starts_with('#')) {
            overwrite(text, {word.data(), word.size() + rest.size()}, ' ');
            break;
        }
        const std::size_t length = std::min(word.find_last_not_of('/') + 1, word.size());
        overwrite(text, word.substr(length), ' ');
        std::string wrong = check_corner(word.substr(0, length), total, so_far);
        if (!wrong.empty()) return wrong;
        ++corners;
    }
    if (corners >= 3) return {};
    return "face with " + std::to_string(corners) +
           " corners where 3 are needed; the file may be cut short";
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Result<ObjText> check_obj(std::string raw, const std::string& name) {
    // With this limit every count fits an int: the shortest corner takes two bytes.
    if (raw.size() > std::size_t{1} << 30) return Error{"is larger than 1024 MiB", name};
    if (raw.find('\0') != std::string::npos) return Error{"is no text, so no OBJ file", name};
    if (raw.starts_with("\xef\xbb\xbf")) raw.erase(0, 3);  // a byte-order mark

    ObjText out{with_joined_lines(std::move(raw)), {}};
    const Counts total = count_elements(out.text);
    Counts so_far{};
    bool any_face = false;
    Lines lines(out.text);
    while (lines.next()) {
        std::string_view rest = lines.line;
        const std::string_view keyword = next_word(rest);
        std::string wrong;
        if (const int kind = kind_of(keyword); kind >= 0) {
            wrong = check_element(out.text, static_cast<Kind>(kind), rest);
            ++so_far[static_cast<std::size_t>(kind)];
        } else if (keyword == "f") {
            wrong = check_face(out.text, rest, total, so_far);
            any_face = true;
        } else if (keyword == "mtllib" && out.libraries.size() < kMaxLibraries) {
            const std::string library(trimmed(rest));
            if (std::ranges::find(out.libraries, library) == out.libraries.end())
                out.libraries.push_back(library);
        }
        if (!wrong.empty()) return Error{wrong, name, lines.number};
    }
    if (!any_face)
        return Error{"has no faces (" + std::to_string(total[kPosition]) +
                         " vertices); is it an OBJ file, and whole?",
                     name};
    return out;
}

}  // namespace ringlet
