// Formats a validation as a documentation page.
#include <fmt/format.h>

#include "session/validation/validation.h"

namespace ringlet {

namespace {

constexpr const char* kIntroduction =
    "`ringlet validate` compares every model with closed forms, with tables that were computed "
    "without Ringlet, and with\nlaws that hold for any hair.\n\n"
    "A model *passes* a row if its error is within the tolerance. It is *exempt* where it makes no "
    "claim; a note gives the\nreason, and the value is still measured where it has a meaning. "
    "Errors are relative to the expected value. Where that\nvalue is 0, the error is the measured "
    "value.\n\n";

std::string overview_cell(const Validation& all, const std::string& check,
                          const std::string& model) {
    int counts[3] = {0, 0, 0};
    for (const CheckRow& row : all.rows)
        if (row.check == check && row.model == model) ++counts[static_cast<int>(row.verdict)];
    const auto [pass, fail, exempt] = counts;
    if (fail > 0) return "**fail**";
    if (pass == 0) return "exempt";
    return exempt == 0 ? "pass" : fmt::format("pass, {} of {} exempt", exempt, pass + exempt);
}

std::string overview(const Validation& all) {
    std::string out = "| check |", rule = "|---|";
    for (const std::string& model : all.models) {
        out += " `" + model + "` |";
        rule += "---|";
    }
    out += "\n" + rule + "\n";
    for (const CheckInfo& check : all.checks) {
        out += fmt::format("| [{0}](#{0}) |", check.name);
        for (const std::string& model : all.models)
            out += " " + overview_cell(all, check.name, model) + " |";
        out += "\n";
    }
    return out;
}

// The number of a footnote; adds the footnote if it is new.
int note_of(std::vector<std::string>& notes, const std::string& reason) {
    for (std::size_t k = 0; k < notes.size(); ++k)
        if (notes[k] == reason) return static_cast<int>(k) + 1;
    notes.push_back(reason);
    return static_cast<int>(notes.size());
}

std::string section(const Validation& all, const CheckInfo& check) {
    std::string out =
        fmt::format("\n## {}\n{}\nExpected: {}.\n\n", check.name, check.sentence, check.source);
    for (const Plot& plot : all.plots)
        if (plot.check == check.name)
            out += fmt::format("![{}]({}.svg)\n\n", plot.title, plot.name);
    out += "| model | | measured | expected | error | allowed | |\n|---|---|---|---|---|---|---|\n";
    std::vector<std::string> notes;
    for (const CheckRow& row : all.rows) {
        if (row.check != check.name) continue;
        const RowText text = text_of(row);
        std::string verdict = text.verdict;
        if (!row.reason.empty()) verdict += fmt::format(" ({})", note_of(notes, row.reason));
        out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.model, row.what,
                           text.measured, text.expected, text.error, text.allowed, verdict);
    }
    if (!notes.empty()) out += "\n";
    for (std::size_t k = 0; k < notes.size(); ++k) out += fmt::format("{}. {}.\n", k + 1, notes[k]);
    return out;
}

}  // namespace

std::string validation_page(const Validation& all) {
    const bool is_full = all.size == ValidationSize::full;
    std::string out = "# Validation of the models\n\n";
    out += kIntroduction;
    out += fmt::format(
        "Made by `ringlet validate{} -o docs/validation`; the same checks run in `./test` at "
        "quick size. {} rows pass,\n{} fail, {} are exempt.\n\n",
        is_full ? "" : " --quick", all.count(Verdict::pass), all.count(Verdict::fail),
        all.count(Verdict::exempt));
    out += overview(all);
    for (const CheckInfo& check : all.checks) out += section(all, check);
    return out;
}

}  // namespace ringlet
