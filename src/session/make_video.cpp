// Encodes numbered images as a video.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "io/image/image_file.h"
#include "io/video/video_writer.h"
#include "ringlet/jobs.h"
#include "session/boundary.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// The frames of a folder by the number at the end of their names: render0007.png is 7.
std::map<long long, fs::path> frames_in(const fs::path& folder, std::error_code& failed) {
    std::map<long long, fs::path> out;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
        if (!is_image_file(entry.path())) continue;
        const std::string stem = entry.path().stem().string();
        std::size_t first = stem.size();
        while (first > 0 && std::isdigit(static_cast<unsigned char>(stem[first - 1]))) --first;
        const std::string digits = stem.substr(first);
        if (!digits.empty() && digits.size() <= 18) out.emplace(std::stoll(digits), entry.path());
    }
    return out;
}

Result<void> write_video(const std::map<long long, fs::path>& frames, const VideoOptions& options,
                         const Listener& listener) {
    std::unique_ptr<VideoWriter> video;
    int width = 0, height = 0;
    int done = 0;
    for (const auto& [number, path] : frames) {
        if (!listener.proceed("encoding", done++, static_cast<int>(frames.size())))
            return Error{"stopped; not written", options.output};
        const Result<Image> image = read_image(path);
        if (!image) return image.error();
        if (!video) {
            width = image->width;
            height = image->height;
            Result<VideoWriter> opened =
                VideoWriter::open(options.output, width, height, options.fps);
            if (!opened) return opened.error();
            video = std::make_unique<VideoWriter>(std::move(*opened));
        }
        if (image->width != width || image->height != height)
            return Error{"differs in size from the frames before it; render all at one size",
                         path.string()};
        const Result<void> added = video->add(*image);
        if (!added) return added;
    }
    listener.proceed("encoding", done, done);
    return video->finish();
}

}  // namespace

Result<void> make_video(const VideoOptions& options, const Listener& listener) try {
    if (fs::path(options.output).extension() != ".mp4")
        return Error{"unknown file type; use .mp4", options.output};
    if (Result<void> ready = check_writable(options.output); !ready) return ready;
    std::error_code failed;
    const std::map<long long, fs::path> frames = frames_in(options.folder, failed);
    if (failed) return Error{"no such folder of frames", options.folder};
    if (frames.empty())
        return Error{"no frames here; they are named like render0000.png", options.folder};
    const Result<void> done = write_video(frames, options, listener);
    if (!done) return done;
    if (options.delete_frames)
        for (const auto& [number, path] : frames) fs::remove(path, failed);
    return {};
} catch (...) {
    return error_from_exception();
}

}  // namespace ringlet
