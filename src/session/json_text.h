// JSON as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ringlet {

// Ends with a newline. File, material and scene names may hold any bytes: those that are not UTF-8
// become U+FFFD, where a plain dump() throws.
inline std::string json_text(const nlohmann::ordered_json& json, int indent) {
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ringlet
