#include "base/assert.h"
#include "ringlet/result.h"

namespace ringlet {

namespace {

// Messages quote text from files. Replaces control characters, so a message is always one line.
std::string printable(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
    return text;
}

}  // namespace

std::string Error::text() const {
    std::string out;
    if (!file.empty()) {
        out += file;
        if (line > 0) {
            out += ':' + std::to_string(line);
            if (column > 0) out += ':' + std::to_string(column);
        }
        out += ": ";
    }
    return printable(out + message);
}

void failed_result_dereferenced(const Error& error) {
    const std::string what = "a Result that failed is dereferenced: " + error.text();
    assertion_failed("result", what.c_str(), __FILE__, __LINE__);
}

void error_of_successful_result() {
    assertion_failed("!result", "error() is called on a Result that succeeded", __FILE__, __LINE__);
}

}  // namespace ringlet
