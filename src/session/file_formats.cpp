#include "io/extensions.h"
#include "io/groom_file.h"
#include "io/image/exr.h"
#include "io/image/image_file.h"
#include "io/mesh_format.h"
#include "io/shot_format.h"
#include "io/video/video_writer.h"
#include "ringlet/jobs.h"

namespace ringlet {

namespace {

template <class Format>
std::vector<FileFormat> described(std::span<const Format* const> formats) {
    std::vector<FileFormat> out;
    for (const Format* format : formats)
        out.push_back({std::string(format->name), std::string(format->extension),
                       std::string(format->description)});
    return out;
}

}  // namespace

std::vector<FileFormat> groom_formats() { return described(all_groom_formats()); }

std::vector<FileFormat> shot_formats() { return described(all_shot_formats()); }

std::vector<FileFormat> mesh_formats() { return described(all_mesh_formats()); }

std::vector<FileFormat> image_formats() { return described(all_image_formats()); }

std::vector<FileFormat> frame_formats() {
    std::vector<FileFormat> out{{"MP4", std::string(VideoWriter::kExtension), "H.264 video"}};
    for (FileFormat& format : image_formats()) out.push_back(std::move(format));
    out.push_back({"OpenEXR", std::string(kExrExtension),
                   "linear light with alpha and layers, from the renderer trace"});
    return out;
}

std::vector<FileFormat> file_formats() {
    std::vector<FileFormat> out = mesh_formats();
    for (FileFormat& format : groom_formats()) out.push_back(std::move(format));
    return out;
}

std::string list_extensions(const std::vector<FileFormat>& formats) {
    std::vector<std::string> extensions;
    for (const FileFormat& format : formats) extensions.push_back(format.extension);
    return join_with_or(extensions);
}

}  // namespace ringlet
