// Where frames go: a video, numbered pictures, or only the last picture.
#pragma once

#include <memory>
#include <string>

#include "io/video/video_writer.h"
#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

class FrameSink {
public:
    // .mp4, .png or .bmp, or a folder ending in /, whose pictures are renderNNNN and `ending`.
    static Result<FrameSink> open(const std::string& output, int width, int height, double fps,
                                  const std::string& ending = ".png");

    // A single picture needs no frame but the last.
    bool wants(int frame, int total) const;
    Result<void> add(const Image& image, int frame);
    Result<void> finish();

private:
    std::string output_, ending_;
    std::unique_ptr<VideoWriter> video_;
};

// "render0007.png"
std::string frame_name(int frame, const std::string& ending);

}  // namespace ringlet
