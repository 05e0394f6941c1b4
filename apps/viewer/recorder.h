// Records frames at a fixed rate. Scene time follows the frames, however long they take to draw.
#pragma once

#include <filesystem>
#include <optional>

#include "scene/scene.h"
#include "session/frame_sink.h"

namespace ringlet {

class Recorder {
public:
    explicit Recorder(std::filesystem::path folder = "renders") : folder_(std::move(folder)) {}

    // Numbers new files after the existing ones, so nothing is overwritten. `time` is the scene
    // time of the first frame, in seconds.
    Result<void> start(const Record& record, double time);
    bool is_recording() const { return sink_.has_value(); }
    // Scene time of the next frame, in seconds.
    double next_time() const { return start_ + frame_count_ / fps_; }
    Result<void> add(const Image& frame);
    // Ends the recording and returns a message that names the written files. A video without frames
    // is not written.
    Result<std::string> stop();

    int frame_count() const { return frame_count_; }
    int width() const { return width_; }
    int height() const { return height_; }

private:
    std::filesystem::path folder_;
    std::optional<FrameSink> sink_;
    std::string ending_, video_;
    double fps_ = 24, start_ = 0;
    int first_ = 0, frame_count_ = 0;
    int width_ = 0, height_ = 0;
};

// One more than the highest number N among files named PREFIX N ENDING, for any of the endings.
int next_number(const std::filesystem::path& folder, const std::string& prefix,
                const std::vector<std::string>& endings);

}  // namespace ringlet
