// Signed distance to a mesh, sampled on a regular grid: a lookup instead of a search. Accurate to a
// fraction of a cell near the surface; Bvh computes exact distances.
#pragma once

#include "base/parallel.h"
#include "geom/bvh.h"

namespace ringlet {

class DistanceField {
public:
    struct Sample {
        float distance;  // m, negative inside; the margin outside the grid
        Vec3f gradient;  // points outwards, about unit length
    };

    DistanceField() = default;
    // Covers the mesh and `margin` metres around it with at most 250 000 samples. Samples in a band
    // around the surface are exact, the others are interpolated from a coarser grid. Copies what it
    // needs.
    DistanceField(const Mesh& mesh, const Bvh& bvh, float margin, const TaskPool& pool);

    // Trilinear interpolation. Thread-safe.
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
