#include "io/image/linear_image_file.h"

#include "base/files.h"
#include "io/image/exr.h"
#include "io/image/image_limits.h"
#include "io/image/radiance.h"

namespace ringlet {

Result<LinearImage> read_linear_image(const std::filesystem::path& path) {
    const Result<std::string> bytes = read_file(path, kMaxReadBytes);
    if (!bytes) return bytes.error();
    if (is_exr(*bytes)) return parse_exr(*bytes, path.string());
    if (is_radiance(*bytes)) return parse_radiance(*bytes, path.string());
    return Error{"is neither an OpenEXR file nor a Radiance picture (.hdr)", path.string()};
}

}  // namespace ringlet
