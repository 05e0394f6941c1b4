// Splits text files into lines and words, for OBJ, MTL and PLY.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringlet {

// Iterates over physical lines. A carriage return alone also ends a line, as in tinyobjloader.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}

    // Advances to the next line; false at the end of the text.
    bool next();
    // The text after the current line.
    std::string_view rest() const { return rest_; }

    std::string_view line;
    int number = 0;  // 1-based

private:
    std::string_view rest_;
};

// Removes the next word from `rest` and returns it; empty at the end. Words are separated by spaces
// and tabs.
std::string_view next_word(std::string_view& rest);

// Without spaces and tabs at both ends.
std::string_view trimmed(std::string_view text);

// Quotes a word for a one-line message: shortened, with unprintable characters replaced by '?'.
std::string in_quotes(std::string_view word);

// Parses the whole word as a number in the range of float; nothing if it is not one. Rounds once
// from double, so that every float written with nine digits is read back exactly.
std::optional<float> finite_float(std::string_view word);

// Joins lines that end with a backslash with the next line, except comments, which may end with a
// Windows folder name. The removed line ends are added after the joined line, so that line numbers
// stay correct.
std::string with_joined_lines(std::string text);

}  // namespace ringlet
