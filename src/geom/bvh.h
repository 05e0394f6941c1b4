// A bounding volume hierarchy over the triangles of a mesh, for closest-point queries.
#pragma once

#include "geom/mesh.h"

namespace ringlet {

struct ClosestPoint {
    int triangle = -1;            // -1: no point within reach
    float weight[3] = {0, 0, 0};  // barycentric
    Vec3f point{0, 0, 0};
    Vec3f normal{0, 1, 0};  // smooth normal of the mesh at the point
    float distance = 0;     // m, negative behind the surface
};

class Bvh {
public:
    Bvh() = default;
    // Copies the triangles; the mesh is not referenced after construction. Skips degenerate ones.
    explicit Bvh(const Mesh& mesh);

    bool empty() const { return nodes_.empty(); }
    // The closest point of the surface within `reach` metres. Thread-safe.
    ClosestPoint closest(Vec3f p, float reach) const;

private:
    struct Node {
        Bounds bounds;
        std::int32_t first;  // leaf: first triangle; inner node: second child (the first is next)
        std::int32_t count;  // leaf: number of triangles; inner node: 0
    };
    struct Triangle {
        Vec3f corner[3];
        Vec3f normal[3];
        std::int32_t id;
    };
    void add_triangles(const Mesh& mesh);
    void build(std::int32_t first, std::int32_t count);

    std::vector<Node> nodes_;
    std::vector<Triangle> triangles_;
};

}  // namespace ringlet
