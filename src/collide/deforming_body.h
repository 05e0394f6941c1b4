// A deforming mesh body: its distances are measured at every frame of the sequence and interpolated
// linearly in between.
#pragma once

#include "collide/mesh_body.h"
#include "geom/mesh_sequence.h"

namespace ringlet {

class DeformingBody {
public:
    // Approximate number of samples if no cell is given. Fewer than of a rigid body, because they
    // are measured at every frame.
    static constexpr double kUsualSamples = 1.5e5;

    // Bounds of all shapes.
    static Bounds bounds_of_all(const MeshSequence& shapes);

    // `start` has the shape of the first frame and was made with the bounds of all frames.
    DeformingBody(const MeshBody& start, std::shared_ptr<const MeshSequence> shapes);

    // Begins a step that ends at `time` (s) of the sequence.
    void advance_to(double time, const TaskPool& pool);
    // The grid of the substep between two fractions of the step. Valid until the next call.
    DistanceGrid at(float from, float to, const TaskPool& pool);

    std::size_t byte_count() const;

private:
    // Whether the samples change in this step. They still do in the first step at rest, because of
    // rounding.
    bool changes() const { return steps_at_rest_ < 2; }

    MeshBody body_;  // at the next frame
    std::shared_ptr<const MeshSequence> shapes_;
    MeshSequence::Moment moment_{0, 0, 0};  // of the step's end: previous and next frame
    // Samples at the previous frame, at the start and end of the step, and at the end of the
    // substep.
    std::vector<float> previous_, start_, end_, now_;
    double time_ = 0;   // s, of the step's end
    float frames_ = 0;  // frames per step; 0: at rest
    int steps_at_rest_ = 0;
    std::uint64_t version_ = 0;  // of now_
};

}  // namespace ringlet
