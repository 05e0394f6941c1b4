// A mesh body that changes its shape: measured at every frame of its sequence, straight in between.
#pragma once

#include "collide/mesh_body.h"
#include "geom/mesh_sequence.h"

namespace ringlet {

class DeformingBody {
public:
    // About so many samples, where a cell is not asked for: they are measured in every frame.
    static constexpr double kUsualSamples = 1.5e5;

    // All room the shapes take.
    static Bounds room_of(const MeshSequence& shapes);

    // `start` is the first frame, made with room for all of them.
    DeformingBody(const MeshBody& start, std::shared_ptr<const MeshSequence> shapes);

    // Begins a step, at whose end the sequence is at `time`.
    void go_on_to(double time, const TaskPool& pool);
    // The substep of it from one share of the step to another, 0 to 1. Borrowed until the next.
    DistanceGrid at(float from, float to, const TaskPool& pool);

    // Whether samples of this step's substeps are others than before. In the first step at rest
    // they still are: the last of a way is rounded.
    bool changes() const { return steps_at_rest_ < 2; }

    std::size_t byte_count() const;

private:
    MeshBody body_;  // at the frame ahead
    std::shared_ptr<const MeshSequence> shapes_;
    MeshSequence::Moment moment_{0, 0, 0};  // of the step's end; its frames are behind and ahead
    // Samples at the frame behind, at the step's start and end, and at the substep's end.
    std::vector<float> behind_, start_, end_, now_;
    double time_ = 0;   // s, of the step's end
    float frames_ = 0;  // in the step; 0: it rests
    int steps_at_rest_ = 0;
};

}  // namespace ringlet
