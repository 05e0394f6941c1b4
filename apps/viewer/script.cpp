#include "viewer/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace ringlet {

namespace {

struct Verb {
    const char* name;
    int words;  // the last takes the rest of the line
    const char* usage;
    const char* sentence;
};

constexpr Verb kVerbs[] = {
    {"frames", 1, "N", "go on by N frames at record.fps"},
    {"key", 1, "KEYS", "press a key: C, Alt+G, Ctrl+Z"},
    {"set", 1, "KEY=VALUE", "change a parameter, as --set does"},
    {"slide", 2, "KEY SHARE", "take its slider to a share of its range, 0 to 1, with the mouse"},
    {"panel", 1, "NAME", "open a panel and bring it into view"},
    {"find", 1, "TEXT", "show the parameters that have this"},
    {"click", 2, "X Y", "click the picture, in shares of its size from the upper left"},
    {"drag", 4, "X Y X Y", "drag on the picture, likewise"},
    {"open", 1, "FILE", "as if it were dropped on the window; or a built-in scene"},
    {"preset", 1, "NAME", "take a hairstyle"},
    {"size", 2, "WIDTH HEIGHT", "of the window"},
    {"screenshot", 1, "FILE", "of the whole window, .png or .bmp"},
    {"save", 1, "FILE", "write the scene, .toml"},
    {"print", 1, "WHAT", "hash, time, strands, selected, panels, or a parameter's key"},
    {"quit", 0, "", "close the window; the end of the script does too"},
};

const Verb* find_verb(const std::string& name) {
    const auto found = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                                    [&](const Verb& verb) { return name == verb.name; });
    return found == std::end(kVerbs) ? nullptr : found;
}

}  // namespace

Result<std::vector<ScriptCommand>> parse_script(const std::string& text, const std::string& file) {
    std::vector<ScriptCommand> out;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream words(line);
        ScriptCommand command{"", {}, number};
        words >> command.verb;
        if (command.verb.empty() || command.verb[0] == '#') continue;
        const Verb* verb = find_verb(command.verb);
        if (!verb)
            return Error{
                fmt::format("no command \"{}\"; there are:\n{}", command.verb, describe_script()),
                file, number};
        for (int k = 0; k < verb->words; ++k) {
            std::string word;
            if (k + 1 == verb->words)
                std::getline(words >> std::ws, word);
            else
                words >> word;
            if (word.empty())
                return Error{fmt::format("write it as: {} {}", verb->name, verb->usage), file,
                             number};
            command.words.push_back(word);
        }
        out.push_back(std::move(command));
    }
    return out;
}

std::string describe_script() {
    std::string out;
    for (const Verb& verb : kVerbs)
        out += fmt::format("{:<11}{:<14}{}\n", verb.name, verb.usage, verb.sentence);
    return out;
}

}  // namespace ringlet
