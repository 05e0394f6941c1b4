// A mesh body that changes its shape: measured anew at the end of every step, straight in between.
#pragma once

#include "collide/mesh_body.h"
#include "geom/mesh_sequence.h"

namespace ringlet {

class DeformingBody {
public:
    // About so many samples, where a cell is not asked for: they are measured again in every step.
    static constexpr double kUsualSamples = 2.5e5;

    // All room the shapes take.
    static Bounds room_of(const MeshSequence& shapes);

    // `start` is the shape at time 0, made with room for all of them.
    DeformingBody(const MeshBody& start, std::shared_ptr<const MeshSequence> shapes);

    // Begins a step, at whose end the sequence is at `time`.
    void go_on_to(double time, const TaskPool& pool);
    // The substep of it from one share of the step to another, 0 to 1. Borrowed until the next.
    DistanceGrid at(float from, float to, const TaskPool& pool);

    std::size_t byte_count() const;

private:
    MeshBody body_;  // as at the end of the step
    std::shared_ptr<const MeshSequence> shapes_;
    std::vector<Vec3f> positions_;
    std::vector<float> before_, now_;  // samples at the start of the step, and in the substep
    bool moves_ = false;
};

}  // namespace ringlet
