// A problem that did not end the work.
#pragma once

#include <string>

namespace ringlet {

// One problem and its remedy, for the terminal, the report and the viewer. A plain value that owns
// its text; copies are independent, and no function keeps a reference to one.
struct Warning {
    std::string text;    // what happened, one sentence without a full stop
    std::string place;   // "strand 12, vertex 3", or a file or key; empty: the run as a whole
    std::string remedy;  // what to change, starting with a verb; never empty

    bool operator==(const Warning&) const = default;
    // Returns "place: text; remedy" in one line.
    std::string line() const { return place + (place.empty() ? "" : ": ") + text + "; " + remedy; }
};

}  // namespace ringlet
