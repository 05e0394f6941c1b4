#include "fit/mesh_topology.h"

#include <algorithm>
#include <array>
#include <span>

namespace ringlet {

namespace {

using Triple = std::array<std::uint32_t, 3>;

Triple welded(const Mesh& mesh, const std::vector<std::uint32_t>& weld, int triangle) {
    const std::uint32_t* corner = mesh.indices.data() + static_cast<std::size_t>(triangle) * 3;
    return {weld[corner[0]], weld[corner[1]], weld[corner[2]]};
}

// Items sorted into buckets by a key below `keys`: the items of key k are
// items[first[k]] .. items[first[k + 1]].
struct Buckets {
    std::vector<std::uint32_t> first, items;
};

template <class KeyOf>
Buckets sort_into_buckets(std::size_t keys, std::size_t items, const KeyOf& key_of) {
    Buckets out{std::vector<std::uint32_t>(keys + 1, 0), {}};
    for (std::size_t k = 0; k < items; ++k) ++out.first[key_of(k) + 1];
    for (std::size_t k = 0; k < keys; ++k) out.first[k + 1] += out.first[k];
    out.items.resize(items);
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (std::size_t k = 0; k < items; ++k)
        out.items[next[key_of(k)]++] = static_cast<std::uint32_t>(k);
    return out;
}

// Union-find over triangles that also tracks whether two triangles are wound alike.
class Windings {
public:
    explicit Windings(std::size_t count) : parent_(count), opposed_(count, false) {
        for (std::size_t k = 0; k < count; ++k) parent_[k] = static_cast<std::uint32_t>(k);
    }

    struct Root {
        std::uint32_t triangle;
        bool opposed;  // to the root
    };
    Root root_of(std::uint32_t t) {
        std::uint32_t root = t;
        bool opposed = false;
        while (parent_[root] != root) {
            opposed ^= opposed_[root];
            root = parent_[root];
        }
        // Shortens the path.
        for (bool from_here = opposed; parent_[t] != root && t != root;) {
            const std::uint32_t next = parent_[t];
            const bool step = opposed_[t];
            parent_[t] = root;
            opposed_[t] = from_here;
            from_here ^= step;
            t = next;
        }
        return {root, opposed};
    }
    // False if the two are connected already and contradict `opposed`.
    bool join(std::uint32_t a, std::uint32_t b, bool opposed) {
        const Root x = root_of(a), y = root_of(b);
        if (x.triangle == y.triangle) return (x.opposed != y.opposed) == opposed;
        const auto [low, high] = std::minmax(x.triangle, y.triangle);
        parent_[high] = low;
        opposed_[high] = (x.opposed != y.opposed) != opposed;
        return true;
    }

private:
    std::vector<std::uint32_t> parent_;
    std::vector<bool> opposed_;
};

struct Edge {
    std::uint32_t other;     // the larger of its two vertices
    std::uint32_t triangle;  // that it belongs to
    bool ascending;          // from the smaller vertex to the larger
};

// Calls use(edges) with all edges between the same two vertices.
template <class Use>
void for_each_edge(const Mesh& mesh, const std::vector<std::uint32_t>& weld,
                   const std::vector<bool>& ignored, const Use& use) {
    const auto ends = [&](std::size_t half_edge) {
        const Triple corner = welded(mesh, weld, static_cast<int>(half_edge / 3));
        return std::pair{corner[half_edge % 3], corner[(half_edge + 1) % 3]};
    };
    const Buckets buckets =
        sort_into_buckets(mesh.positions.size(), mesh.indices.size(), [&](std::size_t half_edge) {
            const auto [from, to] = ends(half_edge);
            return std::min(from, to);
        });
    std::vector<Edge> edges;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        edges.clear();
        for (std::uint32_t k = buckets.first[v]; k < buckets.first[v + 1]; ++k) {
            const std::uint32_t half_edge = buckets.items[k];
            if (ignored[half_edge / 3]) continue;
            const auto [from, to] = ends(half_edge);
            edges.push_back({std::max(from, to), half_edge / 3, from < to});
        }
        std::stable_sort(edges.begin(), edges.end(),
                         [](const Edge& a, const Edge& b) { return a.other < b.other; });
        for (std::size_t first = 0; first < edges.size();) {
            std::size_t last = first + 1;
            while (last < edges.size() && edges[last].other == edges[first].other) ++last;
            use(std::span<const Edge>(edges).subspan(first, last - first));
            first = last;
        }
    }
}

}  // namespace

std::vector<bool> find_repeated(const Mesh& mesh, const std::vector<std::uint32_t>& weld) {
    const auto count = static_cast<std::size_t>(mesh.triangle_count());
    std::vector<bool> out(count, false);
    const auto sorted = [&](std::size_t t) {
        Triple corners = welded(mesh, weld, static_cast<int>(t));
        std::sort(corners.begin(), corners.end());
        return corners;
    };
    const Buckets buckets = sort_into_buckets(mesh.positions.size(), count,
                                              [&](std::size_t t) { return sorted(t)[0]; });
    std::vector<std::pair<Triple, std::uint32_t>> here;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        here.clear();
        for (std::uint32_t k = buckets.first[v]; k < buckets.first[v + 1]; ++k)
            here.emplace_back(sorted(buckets.items[k]), buckets.items[k]);
        std::sort(here.begin(), here.end());
        for (std::size_t k = 0; k < here.size(); ++k) {
            const Triple& c = here[k].first;
            if (c[0] == c[1] || c[1] == c[2] || (k > 0 && here[k - 1].first == c))
                out[here[k].second] = true;
        }
    }
    return out;
}

MeshComponents find_components(const Mesh& mesh, const std::vector<std::uint32_t>& weld,
                               const std::vector<bool>& ignored) {
    const auto count = static_cast<std::size_t>(mesh.triangle_count());
    Windings windings(count);
    std::vector<std::uint32_t> contradicting, at_border;
    for_each_edge(mesh, weld, ignored, [&](std::span<const Edge> edges) {
        if (edges.size() != 2) {
            for (const Edge& edge : edges) at_border.push_back(edge.triangle);
            return;
        }
        // Two triangles that are wound alike run along their common edge in opposite directions.
        if (!windings.join(edges[0].triangle, edges[1].triangle,
                           edges[0].ascending == edges[1].ascending))
            contradicting.push_back(edges[0].triangle);
    });
    MeshComponents out;
    out.of.assign(count, -1);
    out.opposed.assign(count, false);
    for (std::size_t t = 0; t < count; ++t) {
        if (ignored[t]) continue;
        const auto root = windings.root_of(static_cast<std::uint32_t>(t));
        // The root is the first triangle of its component, so it has its number already.
        out.of[t] = root.triangle == t ? out.count++ : out.of[root.triangle];
        out.opposed[t] = root.opposed;
    }
    out.consistent.assign(static_cast<std::size_t>(out.count), true);
    out.closed.assign(static_cast<std::size_t>(out.count), true);
    for (const std::uint32_t t : contradicting)
        out.consistent[static_cast<std::size_t>(out.of[t])] = false;
    for (const std::uint32_t t : at_border) out.closed[static_cast<std::size_t>(out.of[t])] = false;
    return out;
}

}  // namespace ringlet
