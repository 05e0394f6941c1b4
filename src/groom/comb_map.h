// Directions of hair that are painted as an image over the mesh's UV: a flow map.
#pragma once

#include "geom/bvh.h"
#include "groom/maps.h"

namespace ringlet {

class CombMap {
public:
    // Copies what it needs; nothing is referenced after construction. An empty image is no map.
    CombMap(const Mesh& mesh, const Image& image);

    bool empty() const { return image_.rgba.empty(); }

    // The direction at a point of the skin or above it. Its length is the share of the map in the
    // direction of hair, from 0 to 1; it is 0 where the map is grey or the UVs have no area.
    Vec3f at(Vec3f position) const;

private:
    // Where U and V increase on a triangle: metres per unit.
    struct Tangents {
        Vec3f along_u, along_v;
        Vec2f uv[3];
    };

    Image image_;
    Bvh bvh_;
    std::vector<Tangents> triangles_;
};

}  // namespace ringlet
