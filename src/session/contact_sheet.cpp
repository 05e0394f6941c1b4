// Draws hairstyles next to each other in one image, each from the front and from the side.
#include <algorithm>
#include <cmath>

#include "base/files.h"
#include "io/image/image_file.h"
#include "ringlet/jobs.h"
#include "session/boundary.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "session/renderers.h"

namespace ringlet {

namespace {

constexpr int kTileWidth = 300, kTileHeight = 340;  // px

void paste(const Image& tile, int left, int top, Image& onto) {
    for (int y = 0; y < tile.height; ++y)
        std::copy_n(tile.pixel(0, y), static_cast<std::size_t>(tile.width) * 4,
                    onto.pixel(left, top + y));
}

// The scene's camera rotated about its target and moved back, so that tall hairstyles fit.
Camera turned(Camera camera, float x, float z) {
    const Vec3f away = camera.eye - camera.target;
    const float distance = 1.2f * std::sqrt(away.x * away.x + away.z * away.z);
    camera.target.y += 0.02f * distance;
    camera.eye = camera.target + Vec3f{x * distance, away.y, z * distance};
    return camera;
}

}  // namespace

Result<void> contact_sheet(const SheetOptions& options, const SessionOptions& session_options,
                           const Listener& listener) try {
    if (Result<void> ready = check_writable(options.output); !ready) return ready;
    std::vector<std::string> scenes = options.scenes;
    if (scenes.empty()) scenes = preset_names();
    const int count = static_cast<int>(scenes.size());
    const int columns = std::min(options.columns, count);
    const int rows = (count + columns - 1) / columns;
    Image sheet{columns * 2 * kTileWidth, rows * kTileHeight, {}};
    sheet.rgba.assign(
        static_cast<std::size_t>(sheet.width) * static_cast<std::size_t>(sheet.height) * 4, 255);

    const Result<std::unique_ptr<ImageRenderer>> renderer = create_renderer(options.renderer);
    if (!renderer) return renderer.error();
    for (int k = 0; k < count; ++k) {
        if (!listener.proceed("drawing hairstyles", k, count)) return Error{"stopped"};
        Result<Session> session =
            Session::open(scenes[static_cast<std::size_t>(k)], session_options,
                          {.log = {},
                           .warn = listener.warn,
                           .progress = {},
                           .stop_requested = listener.stop_requested});
        if (!session) return session.error();
        session->impl().advance_to(0);
        Picture picture = picture_of(*session);
        const Camera camera = picture.camera;
        int left = k % columns * 2 * kTileWidth;
        for (const Camera& view : {turned(camera, 0, 1), turned(camera, 1, 0.15f)}) {
            picture.camera = view;
            const Result<Image> tile = (*renderer)->render(picture, kTileWidth, kTileHeight, {});
            if (!tile) return tile.error();
            paste(*tile, left, k / columns * kTileHeight, sheet);
            left += kTileWidth;
        }
    }
    listener.proceed("drawing hairstyles", count, count);
    return write_image(options.output, sheet);
} catch (...) {
    return error_from_exception();
}

}  // namespace ringlet
