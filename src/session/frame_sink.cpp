#include "session/frame_sink.h"

#include <fmt/format.h>

#include <filesystem>

#include "io/extensions.h"
#include "io/image/exr.h"
#include "io/image/image_file.h"
#include "ringlet/jobs.h"

namespace ringlet {

bool is_folder(const std::string& output) { return output.ends_with('/'); }

bool is_video_file(const std::string& output) {
    return lower_case_extension(output) == VideoWriter::kExtension;
}

std::string frame_name(int frame, const std::string& ending) {
    return fmt::format("render{:04}{}", frame, ending);
}

Result<void> check_numbered_files(const std::string& folder, int count,
                                  const std::function<std::string(int)>& name) {
    std::error_code ignored;
    for (int k = 0; k < count; ++k)
        if (!std::filesystem::exists(std::filesystem::path(folder) / name(k), ignored))
            return Error{"the file " + name(k) + " of the earlier run is missing", folder};
    return {};
}

Result<FrameSink> FrameSink::open(const std::string& output, int width, int height, double fps,
                                  const std::string& ending, const OutputStart& start) {
    FrameSink sink;
    sink.output_ = output;
    sink.ending_ = ending;
    const Result<void> known = check_output(output, OutputKind::frames);
    if (!known) return known.error();
    if (is_video_file(output)) {
        Result<VideoWriter> video = VideoWriter::open(output, width, height, fps, start);
        if (!video) return video.error();
        sink.video_ = std::make_unique<VideoWriter>(std::move(*video));
    }
    if (is_folder(output))
        if (const Result<void> there = check_numbered_files(
                output, start.next_frame, [&](int k) { return frame_name(k, ending); });
            !there)
            return there.error();
    return sink;
}

bool FrameSink::wants(int frame, int total) const {
    return video_ || is_folder(output_) || frame + 1 == total;
}

Result<void> FrameSink::add(const Image& image, int frame, const LinearImage* linear) {
    if (video_) return video_->add(image);
    if (is_exr_file(output_))
        return linear ? write_exr(output_, *linear) : Error{"needs linear light", output_};
    if (!is_folder(output_)) return write_image(output_, image);
    return write_image(std::filesystem::path(output_) / frame_name(frame, ending_), image);
}

Result<std::string> FrameSink::save_progress() const {
    return video_ ? video_->save_progress() : Result<std::string>(std::string());
}

void FrameSink::keep_unfinished() const {
    if (video_) video_->keep_unfinished();
}

Result<void> FrameSink::finish() { return video_ ? video_->finish() : Result<void>(); }

}  // namespace ringlet
