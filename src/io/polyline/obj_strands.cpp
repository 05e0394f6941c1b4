#include "io/polyline/obj_strands.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/files.h"
#include "io/groom_format.h"
#include "io/polyline/polylines.h"
#include "io/strand_checks.h"
#include "io/text.h"

namespace ringlet {

namespace {

// Functions that return a string return an error message, or an empty string.
class Reader {
public:
    std::string line(std::string_view rest, int number) {
        const std::string_view keyword = next_word(rest);
        if (keyword == "v") return vertex(rest);
        if (keyword == "o" || keyword == "g") chain_open_ = false;
        if (keyword != "l" && keyword != "p") return {};
        if (std::string wrong = indices(rest, number); !wrong.empty()) return wrong;
        return keyword == "l" ? polyline() : points();
    }

    Result<StrandSet> strands(const std::string& name) {
        if (lines_.ends.empty())
            return Error{
                "has no polylines (lines that start with l), so no strands; meshes are read by "
                "groom.mesh",
                name};
        if (highest_ >= lines_.vertex_total())
            return Error{out_of_range(highest_ + 1, ""), name, highest_line_};
        return strands_of(lines_, name);
    }

private:
    std::string vertex(std::string_view rest) {
        float number[3];
        for (int i = 0; i < 3; ++i) {
            const std::string_view word = next_word(rest);
            if (word.empty() || word.starts_with('#'))
                return "vertex with " + std::to_string(i) +
                       " of its 3 numbers; the file may be cut short";
            const std::optional<float> value = finite_float(word);
            if (!value) return in_quotes(word) + " where a finite number is needed";
            number[i] = *value;
        }
        lines_.position.push_back({number[0], number[1], number[2]});
        return {};
    }

    // Fills indices_, counted from 0. A line may refer to vertices further down, so the largest
    // index is checked after the whole file is read.
    std::string indices(std::string_view rest, int number) {
        indices_.clear();
        for (std::string_view word = next_word(rest); !word.empty() && !word.starts_with('#');
             word = next_word(rest)) {
            const std::string_view digits = word.substr(0, word.find('/'));
            int index = 0;
            const auto [end, failure] =
                std::from_chars(digits.data(), digits.data() + digits.size(), index);
            if (failure != std::errc{} || end != digits.data() + digits.size())
                return in_quotes(word) + " where the number of a vertex is needed";
            if (index == 0 || index < -lines_.vertex_total()) return out_of_range(index, " so far");
            indices_.push_back(index > 0 ? index - 1 : lines_.vertex_total() + index);
            if (indices_.back() > highest_) {
                highest_ = indices_.back();
                highest_line_ = number;
            }
        }
        return {};
    }

    std::string out_of_range(int index, const char* when) const {
        return "line refers to vertex " + std::to_string(index) + ", of " +
               std::to_string(lines_.vertex_total()) + when + "; they are counted from 1";
    }

    std::string polyline() {
        if (indices_.size() < 2)
            return "polyline with " + std::to_string(indices_.size()) +
                   " vertices where 2 are needed; the file may be cut short";
        if (indices_.size() == 2 && chain_open_ && join(indices_[0], indices_[1])) return {};
        lines_.vertices.insert(lines_.vertices.end(), indices_.begin(), indices_.end());
        lines_.end_strand();
        chain_open_ = indices_.size() == 2;
        return {};
    }

    // Appends the segment to the last strand if it continues it.
    bool join(int a, int b) {
        std::vector<int>& all = lines_.vertices;
        const std::size_t begin =
            lines_.ends.size() > 1 ? static_cast<std::size_t>(*(lines_.ends.end() - 2)) : 0;
        // The strand is stored tip first: the second segment ends where the first one starts.
        if (all.size() - begin == 2 && b == all[begin] && a != all.back())
            std::swap(all[begin], all.back());
        if (a != all.back() && b != all.back()) return false;
        all.push_back(a == all.back() ? b : a);
        lines_.ends.back() = static_cast<int>(all.size());
        return true;
    }

    std::string points() {
        for (const int index : indices_) {
            lines_.vertices.push_back(index);
            lines_.end_strand();
        }
        chain_open_ = false;
        return {};
    }

    Polylines lines_;
    std::vector<int> indices_;  // of the current line
    int highest_ = -1, highest_line_ = 0;
    bool chain_open_ = false;  // the last strand consists of `l` lines of two vertices
};

template <class T>
void append_number(std::string& out, char before, T value) {
    char digits[32];
    const auto [end, failure] = std::to_chars(digits, digits + sizeof digits, value);
    out += before;
    out.append(digits, end);
}

}  // namespace

Result<StrandSet> parse_obj_strands(std::string_view text, const std::string& name) {
    // Makes every count fit an int: the shortest index takes two bytes.
    if (text.size() > std::size_t{1} << 30) return Error{"is larger than 1024 MiB", name};
    if (text.find('\0') != std::string_view::npos)
        return Error{"is not a text file, so not an OBJ file", name};
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // UTF-8 byte order mark
    std::string joined;
    if (text.find('\\') != std::string_view::npos)
        text = joined = with_joined_lines(std::string(text));

    Reader reader;
    Lines lines(text);
    while (lines.next())
        if (const std::string wrong = reader.line(lines.line, lines.number); !wrong.empty())
            return Error{wrong, name, lines.number};
    return reader.strands(name);
}

Result<StrandSet> read_obj_strands(const std::filesystem::path& path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    return parse_obj_strands(*text, path.string());
}

std::string format_obj_strands(const StrandView& strands) {
    std::string out;
    for_each_vertex(strands, [&](int s, int i) {
        const Vec3f a = strands.position->vec3(s, i);
        out += 'v';
        for (const float c : {a.x, a.y, a.z}) append_number(out, ' ', c);
        out += '\n';
    });
    std::int64_t number = 0;
    for (int s = 0; s < strand_count(strands); ++s) {
        const int count = strands.layout->vertex_count(s);
        out += count == 1 ? 'p' : 'l';
        for (int i = 0; i < count; ++i) append_number(out, ' ', ++number);
        out += '\n';
    }
    return out;
}

Result<void> write_obj_strands(const std::filesystem::path& path, const StrandView& strands) {
    return write_file(path, format_obj_strands(strands));
}

extern const GroomFormat kGroomFormatObj;
constinit const GroomFormat kGroomFormatObj{
    .name = "OBJ polylines",
    .extension = ".obj",
    .description = "text: positions and one line element per strand",
    .read = read_obj_strands,
    .write = [](const std::filesystem::path& path, const StrandView& strands,
                const GroomExtras&) { return write_obj_strands(path, strands); },
};

}  // namespace ringlet
