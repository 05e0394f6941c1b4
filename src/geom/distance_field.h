// Signed distance to a mesh on a regular grid: a look-up instead of a search, exact enough to
// decide whether a point is near the skin at all. Bvh has the exact answer.
#pragma once

#include "base/parallel.h"
#include "geom/bvh.h"

namespace ringlet {

class DistanceField {
public:
    DistanceField() = default;
    // Covers the mesh and `margin` metres around it, with at most 2 million samples.
    DistanceField(const Mesh& mesh, const Bvh& bvh, float margin, const TaskPool& pool);

    // Trilinear; at least `margin` outside the grid. Off by at most about cell_size().
    float distance(Vec3f p) const;
    float cell_size() const { return cell_; }

private:
    Vec3f low_{0, 0, 0};
    float cell_ = 1;
    float margin_ = 0;
    int size_[3] = {0, 0, 0};
    std::vector<float> samples_;
};

}  // namespace ringlet
