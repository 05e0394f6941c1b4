// Signed distance to a mesh on a regular grid: a look-up instead of a search. Near the surface it
// is within a fraction of a cell of the truth; Bvh has the exact answer.
#pragma once

#include "base/parallel.h"
#include "geom/bvh.h"

namespace ringlet {

class DistanceField {
public:
    struct Sample {
        float distance;  // m, negative inside; at least the margin where the grid ends
        Vec3f gradient;  // about unit length, out of the body
    };

    DistanceField() = default;
    // Covers the mesh and `margin` metres around it, with at most a quarter of a million samples.
    // Exact within a band around the surface, interpolated from a coarser grid elsewhere.
    DistanceField(const Mesh& mesh, const Bvh& bvh, float margin, const TaskPool& pool);

    // Trilinear.
    Sample at(Vec3f p) const;
    float cell_size() const { return cell_; }

private:
    void fill(const Bvh& bvh, const TaskPool& pool, const DistanceField* coarse);

    Vec3f low_{0, 0, 0};
    float cell_ = 1;
    float margin_ = 0;
    int size_[3] = {0, 0, 0};
    std::vector<float> samples_;
};

}  // namespace ringlet
