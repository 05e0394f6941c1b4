// Parses viewer scripts: text files with one command per line, for demonstrations, bug reports and
// tests.
#pragma once

#include <string>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

struct ScriptCommand {
    std::string verb;
    std::vector<std::string> words;  // arguments; their number depends on the verb
    int line = 0;
};

// Skips empty lines and lines that begin with #. Returns an Error with the line number for an
// unknown verb or a missing argument.
Result<std::vector<ScriptCommand>> parse_script(const std::string& text, const std::string& file);

// Lists all verbs with their arguments and a description, one per line.
std::string describe_script();

}  // namespace ringlet
