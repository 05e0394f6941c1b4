#include "viewer/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ringlet {

namespace fs = std::filesystem;

int next_number(const fs::path& folder, const std::string& prefix,
                const std::vector<std::string>& endings) {
    int next = 0;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        const std::string name = entry.path().filename().string();
        for (const std::string& ending : endings) {
            if (!name.starts_with(prefix) || !name.ends_with(ending) ||
                name.size() <= prefix.size() + ending.size())
                continue;
            const char *from = name.data() + prefix.size(),
                       *to = name.data() + name.size() - ending.size();
            int number = 0;
            const auto read = std::from_chars(from, to, number);
            if (read.ec == std::errc() && read.ptr == to && number >= 0)
                next = std::max(next, number + 1);
        }
    }
    return next;
}

Result<void> Recorder::start(const Record& record, double time) {
    constexpr const char* kEndings[] = {".png", ".bmp", ".mp4"};
    ending_ = kEndings[static_cast<int>(record.format)];
    const bool video = record.format == RecordFormat::mp4;
    first_ = video ? 0 : next_number(folder_, "render", {".png", ".bmp"});
    video_ =
        (folder_ / fmt::format("recording{:04}.mp4", next_number(folder_, "recording", {".mp4"})))
            .string();
    fps_ = static_cast<double>(record.fps);
    start_ = time;
    frame_count_ = 0;
    width_ = record.width;
    height_ = record.height;
    Result<FrameSink> sink =
        FrameSink::open(video ? video_ : folder_.string() + "/", width_, height_, fps_, ending_);
    if (!sink) return sink.error();
    sink_ = std::move(*sink);
    return {};
}

Result<void> Recorder::add(const Image& frame) {
    Result<void> done = sink_->add(frame, first_ + frame_count_);
    if (done)
        ++frame_count_;
    else
        sink_.reset();
    return done;
}

Result<std::string> Recorder::stop() {
    FrameSink sink = std::move(*sink_);
    sink_.reset();
    if (frame_count_ == 0) return std::string("nothing was recorded");
    const Result<void> done = sink.finish();
    if (!done) return done.error();
    if (ending_ == ".mp4") return fmt::format("recorded {} frames to {}", frame_count_, video_);
    return fmt::format("recorded {} to {}", (folder_ / frame_name(first_, ending_)).string(),
                       frame_name(first_ + frame_count_ - 1, ending_));
}

}  // namespace ringlet
