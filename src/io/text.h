// Text files line by line and word by word, as OBJ and PLY have them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringlet {

// Physical lines; a carriage return alone ends one too, as it does for tinyobjloader.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}

    bool next();
    // What is behind the line.
    std::string_view rest() const { return rest_; }

    std::string_view line;
    int number = 0;  // 1-based

private:
    std::string_view rest_;
};

// Takes the next word off `rest`; empty at its end. Blanks are space and tab.
std::string_view next_word(std::string_view& rest);

// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);

// Fit to appear within a one-line message.
std::string in_quotes(std::string_view word);

// The whole word as a number that a float can hold; nothing where it is none. Rounded once from a
// double, which gives back every float written with nine digits.
std::optional<float> finite_float(std::string_view word);

// A backslash at the end of a line continues it on the next, but not a comment, which may end in
// the name of a Windows folder. The parts are joined by a blank, and the line ends that vanish are
// put back behind the whole, so that line numbers stay true.
std::string with_joined_lines(std::string text);

}  // namespace ringlet
