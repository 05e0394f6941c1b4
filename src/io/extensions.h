// Finds file formats by the extension of a path. A format is a struct with a member `extension`.
#pragma once

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/lower_case.h"

namespace ringlet {

// The extension in lower case (ASCII), with its dot; empty if there is none.
inline std::string lower_case_extension(const std::filesystem::path& path) {
    return lower_case(path.extension().string());
}

// Null if no format has the extension of the path.
template <class Format>
const Format* find_by_extension(std::span<const Format* const> formats,
                                const std::filesystem::path& path) {
    const std::string extension = lower_case_extension(path);
    for (const Format* format : formats)
        if (format->extension == extension) return format;
    return nullptr;
}

// Joins words for messages and help texts, each once: ".a, .b or .c".
inline std::string join_with_or(const std::vector<std::string>& words) {
    std::vector<std::string> unique;
    for (const std::string& word : words)
        if (std::ranges::find(unique, word) == unique.end()) unique.push_back(word);
    std::string out;
    for (std::size_t k = 0; k < unique.size(); ++k)
        out += (k == 0 ? "" : k + 1 < unique.size() ? ", " : " or ") + unique[k];
    return out;
}

template <class Format>
std::string list_extensions(std::span<const Format* const> formats) {
    std::vector<std::string> extensions;
    for (const Format* format : formats) extensions.emplace_back(format->extension);
    return join_with_or(extensions);
}

}  // namespace ringlet
