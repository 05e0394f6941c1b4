// The checkpoints of one run: writes them from time to time, finds one to continue from, and
// removes what runs leave behind.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "io/output_start.h"
#include "picture/image_renderer.h"
#include "ringlet/jobs.h"
#include "session/checkpoint_file.h"

namespace ringlet {

// How the output of a run takes part in a checkpoint. Functions may be empty.
struct CheckpointedOutput {
    std::function<Result<std::string>()> save_progress{};  // see OutputStart::progress
    std::function<void()>
        keep_unfinished{};  // called when the first checkpoint refers to its files
};

// Files beside the target: .NAME.checkpoint and .NAME.checkpoint-before, and .NAME.checkpoint-new
// while one is being written, when there is only one other. .NAME.image has the image that a slow
// renderer has begun, .NAME.image-new while it is being written.
class RunCheckpoints {
public:
    // `output` may be empty. `job` has the options on which the result depends; facts about the
    // session are added.
    RunCheckpoints(Session& session, const CheckpointOptions& options, const std::string& output,
                   RunFacts job, const Listener& listener);

    // Removes left-overs of earlier runs and opens the output. With CheckpointOptions::resume,
    // calls `open` for the newest usable checkpoint and restores the session from it, or for the
    // one before it; without a usable one, `open` begins the output. Returns the next frame. Fails
    // if `open` does, or if a checkpoint belongs to a run that differs. `frames_before` of the
    // frames are not part of the output. Call it once.
    Result<int> begin(const std::function<Result<void>(const OutputStart& start)>& open,
                      int frames_before = 0);

    // Writes a checkpoint if it is time. A failure is a warning. Call it between two frames.
    void save_if_due(int next_frame, const CheckpointedOutput& output);

    // Keeps the image that a renderer has begun in a frame, and continues that of an earlier run.
    // `kind` tells several images of a frame apart. Valid as long as this object.
    ImageStore image_store(int frame, const std::string& kind);
    // Call it when the image of a frame is part of the output.
    void finish_image();

    // Removes the checkpoints of a complete run.
    void finish();

    // Whether an unfinished image is kept.
    bool has_image() const { return has_image_; }
    int resumed_from() const { return resumed_from_; }  // -1: not resumed
    // The next frame of the newest checkpoint; -1: there is none.
    int saved_frame() const { return saved_frame_; }
    const std::vector<Warning>& warnings() const { return warnings_; }

private:
    using Clock = std::chrono::steady_clock;

    bool is_on() const { return !newest_.empty() && (options_.every > 0 || options_.resume); }
    void collect_facts();
    Result<void> compare(const RunFacts& then) const;
    Result<bool> continue_from(const CheckpointFile& file,
                               const std::function<Result<void>(const OutputStart&)>& open,
                               int frames_before);
    Result<bool> resume(const std::function<Result<void>(const OutputStart&)>& open,
                        int frames_before);
    Result<void> save(int next_frame, const CheckpointedOutput& output);
    Result<void> read_image();
    Result<void> save_image(int frame, const std::string& kind,
                            const std::function<std::string()>& bytes);
    bool is_due(std::chrono::steady_clock::time_point last) const;
    void warn_unless(const Result<void>& done);
    void remove_checkpoints() const;

    Session& session_;
    CheckpointOptions options_;
    std::string output_, name_;  // name_: of the output or of what checkpoints are beside
    RunFacts facts_;
    const Listener& listener_;
    // Empty: there are no checkpoints.
    std::filesystem::path newest_, before_, fresh_, image_, fresh_image_;
    std::optional<CheckpointContent> begun_image_;  // of an earlier run
    bool has_image_ = false;
    Clock::time_point last_ = Clock::now(), last_image_ = last_;
    int resumed_from_ = -1, saved_frame_ = -1;
    std::vector<Warning> warnings_;
};

}  // namespace ringlet
