// Frames to an H.264 MP4 that plays everywhere: 4:2:0, BT.709, index at the front of the file.
#pragma once

#include <filesystem>
#include <memory>

#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

class VideoWriter {
public:
    // The path ends in .mp4. Width and height go from 16 to 8192 pixels; since 4:2:0 wants even
    // ones, an odd width or height loses its last column or row. 23.976, 29.97 and 59.94 frames
    // per second mean the exact 24000/1001, 30000/1001 and 60000/1001.
    static Result<VideoWriter> open(const std::filesystem::path& path, int width, int height,
                                    double frames_per_second);
    VideoWriter(VideoWriter&&) noexcept;
    VideoWriter& operator=(VideoWriter&&) noexcept;
    // Without finish(), leaves nothing behind.
    ~VideoWriter();

    // The frame has the size given to open(); its alpha is ignored.
    Result<void> add(const Image& frame);

    // Writes what the encoder still holds and puts the file in its place. To be called once, after
    // at least one frame; nothing can be added any more.
    Result<void> finish();

private:
    struct State;
    explicit VideoWriter(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace ringlet
