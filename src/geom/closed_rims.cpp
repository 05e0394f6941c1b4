#include "geom/closed_rims.h"

#include "geom/weld.h"

namespace ringlet {

namespace {

// A rim is that of a sheet if the cosine between surface and fan is below this in the mean.
constexpr float kSheet = -0.7f;

// The directed edges of all triangles, by the vertex at which they start.
struct HalfEdges {
    std::vector<std::uint32_t> first, end, triangle;
    std::vector<bool> is_open;  // no triangle has the opposite edge
};

HalfEdges find_half_edges(const Mesh& mesh, const std::vector<std::uint32_t>& weld) {
    const auto vertex = [&](std::size_t triangle, std::size_t k) {
        return weld[mesh.indices[triangle * 3 + k % 3]];
    };
    const auto count = static_cast<std::size_t>(mesh.triangle_count());
    const auto for_each = [&](const auto& use) {
        for (std::size_t t = 0; t < count; ++t)
            for (std::size_t k = 0; k < 3; ++k)
                if (vertex(t, k) != vertex(t, k + 1)) use(t, vertex(t, k), vertex(t, k + 1));
    };
    HalfEdges out;
    out.first.assign(mesh.positions.size() + 1, 0);
    for_each([&](std::size_t, std::uint32_t from, std::uint32_t) { ++out.first[from + 1]; });
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) out.first[v + 1] += out.first[v];
    out.end.resize(out.first.back());
    out.triangle.resize(out.first.back());
    std::vector<std::uint32_t> next = out.first;
    for_each([&](std::size_t t, std::uint32_t from, std::uint32_t to) {
        out.end[next[from]] = to;
        out.triangle[next[from]++] = static_cast<std::uint32_t>(t);
    });
    out.is_open.assign(out.end.size(), true);
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
        for (std::uint32_t e = out.first[v]; e < out.first[v + 1]; ++e)
            for (std::uint32_t k = out.first[out.end[e]]; k < out.first[out.end[e] + 1]; ++k)
                if (out.end[k] == v) out.is_open[e] = false;
    return out;
}

// A closed loop of open edges. Corner k and the next one are the ends of an edge of triangles[k].
struct Rim {
    std::vector<std::uint32_t> corners, triangles;
};

// Follows the open edges from one that starts at `start`, and removes them. Returns an empty rim if
// they do not lead back.
Rim take_rim(HalfEdges& edges, std::uint32_t start) {
    Rim out;
    for (std::uint32_t at = start; at != start || out.corners.empty();) {
        std::uint32_t e = edges.first[at];
        while (e < edges.first[at + 1] && !edges.is_open[e]) ++e;
        if (e == edges.first[at + 1]) return {};
        edges.is_open[e] = false;
        out.corners.push_back(at);
        out.triangles.push_back(edges.triangle[e]);
        at = edges.end[e];
    }
    return out;
}

std::vector<Rim> find_rims(const Mesh& mesh, const std::vector<std::uint32_t>& weld) {
    HalfEdges edges = find_half_edges(mesh, weld);
    std::vector<Rim> out;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v)
        for (std::uint32_t e = edges.first[v]; e < edges.first[v + 1]; ++e)
            if (edges.is_open[e])
                if (Rim rim = take_rim(edges, v); rim.corners.size() >= 3)
                    out.push_back(std::move(rim));
    return out;
}

// The triangles from the edges of a rim to their mean.
struct Fan {
    Vec3f centre{0, 0, 0}, normal{0, 0, 0};
    std::vector<Vec3f> normals;  // by edge; unit, or zero
    bool closes_sheet = false;
};

Fan make_fan(const Mesh& mesh, const Rim& rim) {
    Fan out;
    const std::size_t count = rim.corners.size();
    // Relative to a corner: a mesh far from the origin loses no precision.
    const Vec3f origin = mesh.positions[rim.corners.front()];
    for (const std::uint32_t corner : rim.corners) out.centre += mesh.positions[corner] - origin;
    out.centre = origin + out.centre * (1 / static_cast<float>(count));
    float cosines = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Vec3f a = mesh.positions[rim.corners[k]];
        const Vec3f b = mesh.positions[rim.corners[(k + 1) % count]];
        const Vec3f area = cross(a - b, out.centre - b);
        out.normal += area;
        out.normals.push_back(unit_or(area, Vec3f{0, 0, 0}));
        const Vec3f surface = area_normal(mesh, static_cast<int>(rim.triangles[k]));
        cosines += dot(out.normals.back(), unit_or(surface, Vec3f{0, 0, 0}));
    }
    out.normal = unit_or(out.normal, Vec3f{0, 1, 0});
    // Areas that overflow have no angle.
    out.closes_sheet = !(cosines > kSheet * static_cast<float>(count));
    return out;
}

}  // namespace

Mesh with_closed_rims(const Mesh& mesh) {
    const std::vector<std::uint32_t> weld = weld_positions(mesh.positions);
    Mesh out;
    out.positions = mesh.positions;
    out.normals = mesh.normals;
    out.indices = mesh.indices;
    std::vector<Vec3f> turned(mesh.positions.size(), Vec3f{0, 0, 0});
    for (const Rim& rim : find_rims(mesh, weld)) {
        const Fan fan = make_fan(mesh, rim);
        if (fan.closes_sheet) continue;
        const auto centre = static_cast<std::uint32_t>(out.positions.size());
        out.positions.push_back(fan.centre);
        out.normals.push_back(fan.normal);
        for (std::size_t k = 0; k < rim.corners.size(); ++k) {
            const std::uint32_t a = rim.corners[k], b = rim.corners[(k + 1) % rim.corners.size()];
            out.indices.insert(out.indices.end(), {b, a, centre});
            turned[a] += fan.normals[k];
            turned[b] += fan.normals[k];
        }
    }
    for (std::size_t v = 0; v < turned.size(); ++v) {
        const Vec3f of_fan = unit_or(turned[weld[v]], Vec3f{0, 0, 0});
        if (dot(of_fan, of_fan) > 0)
            out.normals[v] = unit_or(mesh.normals[v] + of_fan, mesh.normals[v]);
    }
    return out;
}

}  // namespace ringlet
