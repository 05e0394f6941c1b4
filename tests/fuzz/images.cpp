// The reader of images.
#include "fuzz/fuzz_target.h"
#include "io/image/image_file.h"
#include "unit/image_samples.h"

namespace ringlet {
namespace {

using Seeds = std::vector<std::string>;

FuzzOutcome run_image(std::string_view input) {
    return outcome_of(parse_image(input, "input"), [](const Image& image) -> std::string {
        const auto pixels =
            static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
        return pixels > 0 && image.rgba.size() == 4 * pixels ? "" : "a wrong number of pixels";
    });
}

Seeds written(const std::string& extension) {
    return {written_bytes(extension, [](const std::filesystem::path& path) {
        return write_image(path, smooth_image(9, 7));
    })};
}

// The decoder follows from the content, so that all targets call the same function.
FuzzTarget image(const char* format, std::size_t most_mebibytes,
                 const std::function<Seeds()>& seeds) {
    return {std::string("image_") + format, run_image, seeds, most_mebibytes};
}

}  // namespace

std::vector<FuzzTarget> image_targets() {
    // A few kilobytes of deflated or of arithmetically coded data may hold millions of pixels.
    return {image("png", 300, [] { return written(".png"); }),
            image("bmp", 64, [] { return written(".bmp"); }), image("jpeg", 700, jpeg_samples),
            image("tga", 64, tga_samples), image("pnm", 64, pnm_samples)};
}

}  // namespace ringlet
