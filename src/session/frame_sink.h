// Writes the frames of a render job as a video, as numbered images, or as one image of the last
// frame.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "geom/linear_image.h"
#include "io/video/video_writer.h"
#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

class FrameSink {
public:
    // `output` has one of frame_formats() or is a folder ending in /, whose images are named
    // renderNNNN with the extension `ending`.
    static Result<FrameSink> open(const std::string& output, int width, int height, double fps,
                                  const std::string& ending = ".png",
                                  const OutputStart& start = {});

    // Whether the frame is part of the output: an image consists of the last frame only.
    bool wants(int frame, int total) const;
    // `linear` is the same image in linear light, or null; .exr files need it.
    Result<void> add(const Image& image, int frame, const LinearImage* linear = nullptr);
    Result<void> finish();
    // As VideoWriter: what open() needs to continue, and whether unfinished files are kept.
    Result<std::string> save_progress() const;
    void keep_unfinished() const;

private:
    std::string output_, ending_;
    std::unique_ptr<VideoWriter> video_;
};

// Whether an output is a folder of numbered files, by its name.
bool is_folder(const std::string& output);
// Whether an output is a video, by its extension.
bool is_video_file(const std::string& output);
// Fails unless the folder has the files 0 to `count` - 1.
Result<void> check_numbered_files(const std::string& folder, int count,
                                  const std::function<std::string(int)>& name);
// "render0007.png"
std::string frame_name(int frame, const std::string& ending);

}  // namespace ringlet
