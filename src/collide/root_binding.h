// Roots that ride the triangles they stand on, where the mesh under them changes its shape.
#pragma once

#include <span>

#include "base/parallel.h"
#include "geom/mesh_sequence.h"
#include "math/quat.h"

namespace ringlet {

class RootBinding {
public:
    RootBinding() = default;
    // Each root is bound to the closest triangle of the mesh at rest, however far that is. The
    // sequence must outlive this.
    RootBinding(const MeshSequence& mesh, std::span<const Vec3f> roots);

    bool empty() const { return bindings_.empty(); }
    // The motion of the skin under each root, from rest to the time given, in the mesh's frame.
    std::vector<Rigidf> motions_at(double time, const TaskPool& pool) const;

    struct Corners {
        Vec3f a, b, c;
    };

private:
    struct Binding {
        std::uint32_t corner[3];
        float weight[3];  // of the corners, at the point of the triangle nearest to the root
        Corners rest;
    };
    static Corners corners_of(const Binding& at, const std::vector<Vec3f>& positions);
    static Vec3f point_of(const Binding& at, const Corners& corners);

    const MeshSequence* mesh_ = nullptr;
    std::vector<Binding> bindings_;
};

}  // namespace ringlet
