// The viewer driven from a text file, a command a line: for demonstrations, bug reports and tests.
#pragma once

#include <string>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

struct ScriptCommand {
    std::string verb;
    std::vector<std::string> words;  // as many as the verb takes
    int line = 0;
};

// Empty lines and those that begin with # are left out. An unknown verb, or too few words, is an
// Error with its line.
Result<std::vector<ScriptCommand>> parse_script(const std::string& text, const std::string& file);

// All verbs with their words and what they do, a line each.
std::string describe_script();

}  // namespace ringlet
