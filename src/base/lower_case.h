// Text in lower case, for names and keywords that are not case-sensitive.
#pragma once

#include <string>
#include <string_view>

namespace ringlet {

// Changes ASCII letters only, so the result does not depend on the locale.
inline std::string lower_case(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

}  // namespace ringlet
