#include "viewer/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace ringlet {

namespace {

struct Verb {
    const char* name;
    int words;  // number of arguments; the last one extends to the end of the line
    const char* usage;
    const char* sentence;
};

constexpr Verb kVerbs[] = {
    {"frames", 1, "N", "advance by N frames at record.fps"},
    {"key", 1, "KEYS", "press a key: C, Alt+G, Ctrl+Z"},
    {"set", 1, "KEY=VALUE", "change a parameter, as --set does"},
    {"slide", 2, "KEY FRACTION", "drag its slider to a fraction of its range, 0 to 1"},
    {"press", 1, "NAME", "press a button on the picture: Dismiss, or one of the paint tools"},
    {"panel", 1, "NAME", "open a panel and scroll it into view"},
    {"close", 1, "NAME", "close a panel"},
    {"find", 1, "TEXT", "show only parameters that contain the text; - shows all"},
    {"click", 2, "X Y", "click the picture; fractions of its size from the upper left"},
    {"drag", 4, "X Y X Y", "drag on the picture from one point to another"},
    {"open", 1, "FILE", "open a file as if it were dropped on the window, or a built-in scene"},
    {"preset", 1, "NAME", "replace the hairstyle with a preset"},
    {"size", 2, "WIDTH HEIGHT", "resize the window, in pixels"},
    {"screenshot", 1, "FILE", "write a picture of the whole window, .png or .bmp"},
    {"save", 1, "FILE", "write the scene, .toml"},
    {"print", 1, "WHAT", "print hash, time, strands, selected, messages, panels, or a key's value"},
    {"quit", 0, "", "close the window, as the end of the script does"},
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
            return Error{fmt::format("no command \"{}\"; the commands are:\n{}", command.verb,
                                     describe_script()),
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
