// A deforming mesh body: its distances are measured at every frame of a sequence, or at the end of
// every step in the shape that the caller sets, and interpolated linearly in between.
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

    // `start` has the shape of the first frame and was made with the bounds of all frames. If there
    // are no frames, set_shape() sets the shapes.
    DeformingBody(const MeshBody& start, std::shared_ptr<const MeshSequence> shapes);

    // Begins a step that ends at `time` (s) of the sequence.
    void advance_to(double time, const TaskPool& pool);

    // For a body without frames. set_shape() sets all positions, within the bounds that `start`
    // was made with; advance() begins a step that ends in that shape; jump() takes it at once.
    bool has_sequence() const { return !shapes_->frames.empty(); }
    void set_shape(std::span<const Vec3f> positions);
    void advance(const TaskPool& pool);
    void jump(const TaskPool& pool);

    // The memory that advance_to(), or set_shape(), advance() and jump(), change and a later call
    // reads. Call restore() after it was overwritten.
    std::vector<std::span<std::byte>> changing_memory();
    void restore();

    // The grid of the substep between two fractions of the step. Valid until the next call.
    DistanceGrid at(float from, float to, const TaskPool& pool);

    std::size_t byte_count() const;

private:
    // Whether the samples change in this step. They still do in the first step at rest, because of
    // rounding.
    bool changes() const { return steps_at_rest_ < 2; }

    bool take_shape(const TaskPool& pool);
    void stay();

    MeshBody body_;  // at the next frame
    std::shared_ptr<const MeshSequence> shapes_;
    std::vector<Vec3f> shape_;              // the positions set last; empty with a sequence
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
