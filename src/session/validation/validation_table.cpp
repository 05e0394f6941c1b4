// Formats a validation for the terminal.
#include <fmt/format.h>

#include "session/validation/validation.h"

namespace ringlet {

namespace {

constexpr int kOneLine = 100;  // columns that a row on one line needs
constexpr std::size_t kIndent = 9;

// Wraps a text at spaces into lines of at most `width` columns, indented by `margin`; `first` is
// printed in the margin of the first line.
std::string wrapped(const std::string& text, std::size_t width, std::size_t margin,
                    const std::string& first = "") {
    std::string out, line;
    const auto flush = [&] {
        out += fmt::format("{:<{}}{}\n", out.empty() ? first : "", margin, line);
        line.clear();
    };
    std::size_t at = 0;
    while (at < text.size()) {
        std::size_t end = text.find(' ', at);
        if (end == std::string::npos) end = text.size();
        const std::string word = text.substr(at, end - at);
        if (!line.empty() && margin + line.size() + 1 + word.size() > width) flush();
        line += (line.empty() ? "" : " ") + word;
        at = end + 1;
    }
    flush();
    return out;
}

std::string one_line(const CheckRow& row) {
    const RowText text = text_of(row);
    return fmt::format("  {:<7}{:<42}{:>12}{:>10}{:>10}{:>9} {}\n", row.model, row.what,
                       text.measured, text.expected, text.error, text.allowed, text.verdict);
}

std::string two_lines(const CheckRow& row) {
    const RowText text = text_of(row);
    std::string second = text.measured;
    if (!text.expected.empty() && row.expected != 0) second += ", expected " + text.expected;
    if (!text.error.empty()) second += ", " + text.error;
    if (!text.allowed.empty()) second += " (allowed " + text.allowed + ")";
    std::string out = fmt::format("  {:<7}{:<7}{}\n", row.model, text.verdict, row.what);
    if (!second.empty()) out += fmt::format("{:16}{}\n", "", second);
    return out;
}

}  // namespace

std::string Validation::to_table(int columns) const {
    const bool is_wide = columns >= kOneLine;
    const auto width = static_cast<std::size_t>(is_wide ? kOneLine : columns < 40 ? 40 : columns);
    std::string out;
    for (const CheckInfo& check : checks) {
        out += check.name + "\n" + wrapped(check.sentence, width, 2) +
               wrapped("Expected: " + check.source + ".", width, 2);
        if (is_wide)
            out += fmt::format("  {:<7}{:<42}{:>12}{:>10}{:>10}{:>9}\n", "model", "", "measured",
                               "expected", "error", "allowed");
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const CheckRow& row = rows[k];
            if (row.check != check.name) continue;
            out += is_wide ? one_line(row) : two_lines(row);
            // Prints a reason that consecutive rows share once, after the last of them.
            const bool goes_on = k + 1 < rows.size() && rows[k + 1].check == row.check &&
                                 rows[k + 1].model == row.model && rows[k + 1].reason == row.reason;
            if (!row.reason.empty() && !goes_on)
                out += wrapped("(" + row.reason + ")", width, kIndent);
        }
        out += "\n";
    }
    out += fmt::format("{} pass, {} fail, {} exempt\n", count(Verdict::pass), count(Verdict::fail),
                       count(Verdict::exempt));
    if (backend == Backend::cuda)
        out += differing == 0 ? "on a GPU; all figures are the CPU's\n"
                              : fmt::format("on a GPU; {} figures are not the CPU's\n", differing);
    return out;
}

}  // namespace ringlet
