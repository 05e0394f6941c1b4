// Random changes of a file, for tests that a reader survives them.
#pragma once

#include <random>
#include <string>

namespace ringlet {

// Cuts the file, or changes, removes or repeats a few of its bytes.
inline std::string mutated(std::string bytes, std::mt19937& random) {
    const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
    if (below(8) == 0) return bytes.substr(0, below(bytes.size()));
    const std::size_t changes = 1 + below(8);
    static constexpr char kTelling[] = "0123456789-.eE,[]{}\"\0\x80\xff";
    for (std::size_t k = 0; k < changes && !bytes.empty(); ++k) {
        const std::size_t at = below(bytes.size());
        switch (below(6)) {
            case 0:
                bytes[at] = static_cast<char>(below(256));
                break;
            case 1:
                bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8));
                break;
            case 2:
                bytes.erase(at, 1 + below(16));
                break;
            case 3:
                bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(64)));
                break;
            case 4:
                bytes.replace(at, 4, "\xff\xff\xff\xff");
                break;
            default:
                bytes[at] = kTelling[below(sizeof kTelling - 1)];
        }
    }
    return bytes;
}

}  // namespace ringlet
