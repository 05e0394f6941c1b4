#include "picture/shape_mesh.h"

namespace ringlet {

Mesh mesh_of(const std::vector<DrawnShape>& shapes) {
    Mesh mesh;
    for (const DrawnShape& shape : shapes) {
        mesh.materials.push_back({"clay", shape.colour});
        if (shape.add_triangles) shape.add_triangles(shape, mesh);
    }
    return mesh;
}

}  // namespace ringlet
