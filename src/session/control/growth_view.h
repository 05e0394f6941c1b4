// Shows where hair grows, as coloured points on the head, while it is painted.
#pragma once

#include <memory>

#include "groom/growth.h"
#include "picture/picture.h"

namespace ringlet {

class GrowthView {
public:
    // Spreads sample points over the mesh and computes the weights without the painting. Copies
    // what it needs.
    GrowthView(const Mesh& mesh, const GroomSettings& settings, GroomMaps maps);

    // Adds a point per sample: its colour shows the weight under `paint`, or under the painting of
    // the maps if it is null. `pose` places the mesh in the world. Computes the weights only if
    // `paint` is another one than in the last call.
    void add_marks(const std::shared_ptr<const GrowthPaint>& paint, const Rigidf& pose,
                   Picture& picture);

private:
    struct Sample {
        Vec3f position;  // m, slightly above the skin
        float below;     // weight without the painting
        float weight;
    };
    std::vector<Sample> samples_;
    float spacing_ = 0;  // m, between samples
    std::shared_ptr<const GrowthPaint> own_, shown_;
};

}  // namespace ringlet
