#include "scene/nearest_name.h"

#include <algorithm>
#include <vector>

namespace ringlet {

namespace {

constexpr std::size_t kLongestName = 80;  // no key comes close to this

// Levenshtein distance, one row at a time.
std::size_t edits_between(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t corner = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1])});
            corner = above;
        }
    }
    return row[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& typed, std::span<const std::string> known) {
    if (typed.size() > kLongestName) return "";
    std::string best;
    std::size_t best_edits = typed.size() / 3 + 2;
    for (const std::string& name : known) {
        const std::size_t edits = edits_between(typed, name);
        if (edits < best_edits) {
            best_edits = edits;
            best = name;
        }
    }
    return best;
}

}  // namespace ringlet
