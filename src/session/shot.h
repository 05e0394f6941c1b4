// Records a session as a shot: strands, heads, colliders, camera and lights, one frame at a time.
#pragma once

#include "io/shot_format.h"
#include "ringlet/jobs.h"

namespace ringlet {

class ShotRecorder {
public:
    // Starts to write `frame_count` frames, numbered from `first_frame`. Precondition: the output
    // has one of shot_formats(). The session must outlive the recorder.
    static Result<std::unique_ptr<ShotRecorder>> open(Session& session, const std::string& output,
                                                      const ShotOptions& options, int first_frame,
                                                      int frame_count, const OutputStart& start);
    ~ShotRecorder();

    // Writes what the session displays. Precondition: advance_to() the time of the frame.
    Result<void> add(int frame);
    Result<void> finish() { return writer_->finish(); }
    const ShotWriter& writer() const { return *writer_; }
    ShotWriter& writer() { return *writer_; }

private:
    struct Body;  // a head or a collider

    explicit ShotRecorder(Session& session);
    void add_bodies();
    ShotMeshPose pose_of(Body& body) const;

    Session& session_;
    ShotDescription shot_;
    std::vector<std::unique_ptr<Body>> bodies_;
    Channel<3> velocities_;
    std::unique_ptr<ShotWriter> writer_;
};

}  // namespace ringlet
