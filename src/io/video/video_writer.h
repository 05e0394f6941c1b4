// Writes H.264 video in MP4 files that common players accept: 4:2:0, BT.709, index at the front of
// the file.
//
// A video consists of segments of kSegmentFrames frames, each encoded by a new encoder, so that it
// can be continued by another process with the same bytes as a result. Encoded segments are kept in
// one hidden file beside the video; finish() joins them.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "io/output_start.h"
#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

class VideoWriter {
public:
    static constexpr std::string_view kExtension = ".mp4";
    // Two seconds at 24 frames per second. A segment begins with a frame that stands alone, which
    // is large.
    static constexpr int kSegmentFrames = 48;

    // Creates a video. The path ends in .mp4. Width and height are 16 to 8192 pixels; 4:2:0 needs
    // even sizes, so an odd width or height loses its last column or row. 23.976, 29.97 and 59.94
    // frames per second are written as the exact 24000/1001, 30000/1001 and 60000/1001.
    static Result<VideoWriter> open(const std::filesystem::path& path, int width, int height,
                                    double frames_per_second, const OutputStart& start = {});
    VideoWriter(VideoWriter&&) noexcept;
    VideoWriter& operator=(VideoWriter&&) noexcept;
    // Removes the files unless finish() has succeeded or keep_unfinished() was called.
    ~VideoWriter();

    // Encodes a frame of the size given to open(). Ignores alpha.
    Result<void> add(const Image& frame);

    // Returns what open() needs to continue after the frames added so far, in another process.
    // Includes the frames of the segment that is not complete: 1.5 bytes per pixel. Precondition:
    // OutputStart::is_resumable.
    Result<std::string> save_progress();
    // Leaves the unfinished file for another run if finish() is not called.
    void keep_unfinished();

    // Encodes the buffered frames, completes the file and gives it its name. Call it once, after
    // the last frame. A video needs at least one frame.
    Result<void> finish();

private:
    struct State;
    explicit VideoWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ringlet
