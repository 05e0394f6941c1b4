// A bounding volume hierarchy over the triangles of a mesh, for closest-point questions.
#pragma once

#include "geom/mesh.h"

namespace ringlet {

struct ClosestPoint {
    int triangle = -1;            // -1: nothing within the distance asked for
    float weight[3] = {0, 0, 0};  // of its corners, at the point
    Vec3f point{0, 0, 0};
    Vec3f normal{0, 1, 0};  // smooth normal of the mesh there
    float distance = 0;     // m, negative behind the surface
};

class Bvh {
public:
    Bvh() = default;
    // Keeps no reference to the mesh; degenerate triangles are left out.
    explicit Bvh(const Mesh& mesh);

    bool empty() const { return nodes_.empty(); }
    // The closest point of the surface no farther than `reach`.
    ClosestPoint closest(Vec3f p, float reach) const;

private:
    struct Node {
        Bounds bounds;
        std::int32_t first;  // leaf: first triangle; otherwise the second child (the first follows)
        std::int32_t count;  // triangles of a leaf, 0 for an inner node
    };
    struct Triangle {
        Vec3f corner[3];
        Vec3f normal[3];
        std::int32_t id;
    };
    void build(std::int32_t first, std::int32_t count);

    std::vector<Node> nodes_;
    std::vector<Triangle> triangles_;
};

}  // namespace ringlet
