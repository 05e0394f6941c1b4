// Binds roots to the triangles of a deforming mesh, so that they follow the surface.
#pragma once

#include <span>

#include "base/parallel.h"
#include "geom/mesh_sequence.h"
#include "math/quat.h"

namespace ringlet {

class RootBinding {
public:
    RootBinding() = default;
    // Binds each root to the closest triangle of the mesh at rest, at any distance. `mesh` must
    // outlive this object.
    RootBinding(const MeshSequence& mesh, std::span<const Vec3f> roots);

    bool empty() const { return bindings_.empty(); }
    // The rigid motion of the surface at each root from rest to `time` (s), in the mesh's frame.
    std::vector<Rigidf> motions_at(double time, const TaskPool& pool) const;
    // The same from rest to a shape of the mesh, given by all its positions.
    std::vector<Rigidf> motions_to(const std::vector<Vec3f>& positions, const TaskPool& pool) const;

    struct Corners {
        Vec3f a, b, c;
    };

private:
    struct Binding {
        std::uint32_t corner[3];
        float weight[3];  // barycentric coordinates of the point nearest to the root
        Corners rest;
    };
    static Corners corners_of(const Binding& at, const std::vector<Vec3f>& positions);
    static Vec3f point_of(const Binding& at, const Corners& corners);

    const MeshSequence* mesh_ = nullptr;
    std::vector<Binding> bindings_;
};

}  // namespace ringlet
