#include "io/obj/obj_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <system_error>

#include "io/text.h"
#include "math/srgb.h"

namespace ringlet {

namespace {

// Bounds the number of files to open: a small OBJ could name millions.
constexpr std::size_t kMaxLibraries = 64;

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

// Overwrites a part of the text in place; views into the text stay valid.
void overwrite(std::string& text, std::string_view part, char with) {
    text.replace(static_cast<std::size_t>(part.data() - text.data()), part.size(), part.size(),
                 with);
}

// The functions below return an error message, or an empty string.

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
        finite = finite && finite_float(word);
        if (!finite && kind != kNormal) return in_quotes(word) + " where a finite number is needed";
    }
    // An invalid normal is replaced by zero; the reader computes normals that are zero.
    if (!finite)
        for (const char& c : numbers)
            if (c != ' ' && c != '\t') overwrite(text, {&c, 1}, '0');
    return {};
}

// The three numbers after the position of a vertex; nothing if there are others than three.
std::optional<Vec3f> colour_of_vertex(std::string_view rest) {
    for (int i = 0; i < 3; ++i) next_word(rest);
    std::array<float, 3> colour{};
    for (float& c : colour) {
        const std::optional<float> value = finite_float(next_word(rest));
        if (!value || *value < 0) return std::nullopt;
        c = *value;
    }
    if (!next_word(rest).empty()) return std::nullopt;
    return Vec3f{colour[0], colour[1], colour[2]};
}

// The colours of vertices as written, in the order of the file.
class VertexColours {
public:
    void add(std::string_view rest) {
        const std::optional<Vec3f> colour = colour_of_vertex(rest);
        if (colour && colours_.empty()) colours_.assign(count_, std::nullopt);
        if (colour || !colours_.empty()) colours_.push_back(colour);
        ++count_;
        if (colour) most_ = std::max({most_, colour->x, colour->y, colour->z});
    }
    std::vector<Vec3f> linear() const {
        const double range = most_ > 1 ? 255 : 1;
        const auto channel = [&](float c) {
            return linear_from_srgb(std::min(double{c} / range, 1.0));
        };
        std::vector<Vec3f> out;
        for (const std::optional<Vec3f>& c : colours_)
            out.push_back(c ? Vec3f{channel(c->x), channel(c->y), channel(c->z)} : Vec3f{1, 1, 1});
        return out;
    }

private:
    std::vector<std::optional<Vec3f>> colours_;  // empty until the first colour
    std::size_t count_ = 0;
    float most_ = 0;
};

std::string check_index(Kind kind, std::string_view word, const Counts& total,
                        const Counts& so_far) {
    int index = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (failure == std::errc::invalid_argument || end != word.data() + word.size())
        return "face with the corner " + in_quotes(word) + " where a number is needed";
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

// Overwrites legal text that tinyobjloader misreads with spaces: a comment after the corners, and
// slashes at the end of a corner ("1//"), after which it would read the next corner's number.
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

Result<ObjText> check_obj(std::string raw, const std::string& name) {
    // Makes every count fit an int: the shortest corner takes two bytes.
    if (raw.size() > std::size_t{1} << 30) return Error{"is larger than 1024 MiB", name};
    if (raw.find('\0') != std::string::npos)
        return Error{"is not a text file, so not an OBJ file", name};
    if (raw.starts_with("\xef\xbb\xbf")) raw.erase(0, 3);  // UTF-8 byte order mark

    ObjText out{with_joined_lines(std::move(raw)), {}};
    VertexColours colours;
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
            if (kind == kPosition) colours.add(rest);
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
                         " vertices); it may not be an OBJ mesh, or be cut short",
                     name};
    out.colours = colours.linear();
    return out;
}

}  // namespace ringlet
