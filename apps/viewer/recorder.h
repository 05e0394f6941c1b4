// Recording: frames at the scene's rate, the scene's time locked to them however long they take.
#pragma once

#include <filesystem>
#include <optional>

#include "scene/scene.h"
#include "session/frame_sink.h"

namespace ringlet {

class Recorder {
public:
    explicit Recorder(std::filesystem::path folder = "renders") : folder_(std::move(folder)) {}

    // Pictures go on counting after those in the folder, videos take the next free number: nothing
    // that is there is written over. `time` is the scene's, of the first frame.
    Result<void> start(const Record& record, double time);
    bool is_recording() const { return sink_.has_value(); }
    // The time the next frame must show.
    double next_time() const { return start_ + frame_count_ / fps_; }
    Result<void> add(const Image& frame);
    // What was written, for people to read. A video without a frame leaves nothing.
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

// One more than the highest number N of files called PREFIX N ENDING, for any of the endings.
int next_number(const std::filesystem::path& folder, const std::string& prefix,
                const std::vector<std::string>& endings);

}  // namespace ringlet
