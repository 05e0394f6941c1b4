// The picture as the path tracer draws it, in place of the drawn one while nothing changes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "picture/image_renderer.h"

namespace ringlet {

class TracedView {
public:
    bool is_on() const { return tracer_ != nullptr; }
    // Fails if the program has no path tracer.
    Result<void> switch_on();
    void switch_off();

    // Call it once per frame with a number that grows whenever the picture changes. Returns the
    // traced image, which this improves a little, or null while the picture changes. Everything
    // that `picture` refers to must stay valid until the number grows. On failure it is switched
    // off.
    Result<const Image*> update(std::int64_t revision, const Picture& picture, int width,
                                int height);
    // "off", "waiting", or how far the image is.
    std::string state() const;

private:
    Result<void> begin(const Picture& picture, int width, int height);

    std::unique_ptr<ImageRenderer> tracer_;
    std::unique_ptr<ImagePreview> preview_;
    Image image_;
    std::int64_t revision_ = -1;  // of the last frame
    int still_frames_ = 0;        // frames since the last change
    bool improves_ = false;
};

}  // namespace ringlet
