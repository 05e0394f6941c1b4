#include "io/polyline/polylines.h"

#include <algorithm>

#include "io/strand_checks.h"
#include "math/finite.h"

namespace ringlet {

namespace {

constexpr int kNone = -1;

struct Layout {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
};

Result<Layout> layout_of(const Polylines& lines, const std::string& name) {
    // Strands that share only a root stay below this limit.
    if (lines.vertices.size() > 2 * lines.position.size())
        return Error{"its strands pass through " + std::to_string(lines.position.size()) +
                         " vertices " + std::to_string(lines.vertices.size()) +
                         " times; give every strand its own vertices",
                     name};
    Layout out;
    out.counts.reserve(lines.ends.size());
    out.roots.reserve(lines.ends.size());
    int begin = 0;
    for (const int end : lines.ends) {
        const int vertex = lines.vertices[static_cast<std::size_t>(begin)];
        out.counts.push_back(end - begin);
        out.roots.push_back(lines.position[static_cast<std::size_t>(vertex)]);
        if (const auto wrong = strand_too_long(static_cast<std::int64_t>(out.counts.size()) - 1,
                                               static_cast<std::uint64_t>(end - begin)))
            return Error{*wrong, name};
        begin = end;
    }
    // Such strands are refused later and cannot be sorted by position.
    if (!std::ranges::all_of(out.roots, is_finite)) out.roots.clear();
    return out;
}

}  // namespace

Result<StrandSet> strands_of(const Polylines& lines, const std::string& name) {
    const Result<Layout> layout = layout_of(lines, name);
    if (!layout) return layout.error();
    StrandSet out(StrandLayout(layout->counts, layout->roots));
    std::size_t next = 0;
    for (int s = 0; s < out.strand_count(); ++s)
        for (int i = 0; i < out.layout->vertex_count(s); ++i, ++next) {
            const auto v = static_cast<std::size_t>(lines.vertices[next]);
            out.position.set_vec3(s, i, lines.position[v]);
            if (!lines.colour.empty()) out.colour.set_vec3(s, i, lines.colour[v]);
            if (!lines.radius.empty()) out.radius.at(s, i) = lines.radius[v];
        }
    if (const auto wrong = non_finite_strand(out)) return Error{*wrong, name};
    return out;
}

EdgeGraph::EdgeGraph(int vertex_total)
    : neighbours_(static_cast<std::size_t>(vertex_total), std::array<int, 2>{kNone, kNone}) {}

std::optional<std::string> EdgeGraph::add(int a, int b) {
    if (a == b) return "an edge joins vertex " + std::to_string(a) + " to itself";
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
        std::array<int, 2>& ends = neighbours_[static_cast<std::size_t>(from)];
        if (ends[1] != kNone)
            return "vertex " + std::to_string(from) +
                   " has more than two edges; a strand cannot branch; split it there";
        ends[ends[0] == kNone ? 0 : 1] = to;
    }
    return std::nullopt;
}

void EdgeGraph::walk(int root, Polylines& out, std::vector<bool>& seen) const {
    int before = kNone, vertex = root;
    while (vertex != kNone) {
        const std::array<int, 2> ends = neighbours_[static_cast<std::size_t>(vertex)];
        out.vertices.push_back(vertex);
        seen[static_cast<std::size_t>(vertex)] = true;
        const int next = vertex == root || ends[0] != before ? ends[0] : ends[1];
        before = vertex;
        vertex = next;
    }
    out.end_strand();
}

std::optional<std::string> EdgeGraph::trace(Polylines& out) const {
    std::vector<bool> seen(neighbours_.size());
    out.vertices.reserve(neighbours_.size());
    for (std::size_t v = 0; v < neighbours_.size(); ++v)
        if (!seen[v] && neighbours_[v][1] == kNone) walk(static_cast<int>(v), out, seen);
    const auto left = std::ranges::find(seen, false);
    if (left == seen.end()) return std::nullopt;
    return "the edges through vertex " + std::to_string(left - seen.begin()) +
           " form a closed loop; a strand needs a root; remove one of them";
}

}  // namespace ringlet
