#include "viewer/traced_view.h"

#include "session/renderers.h"

namespace ringlet {

namespace {

constexpr int kStillFrames = 8;         // without a change before an image begins
constexpr int kShowFrames = 4;          // between two images that are shown
constexpr double kShareOfFrame = 0.06;  // s of tracing per frame: input stays responsive

}  // namespace

Result<void> TracedView::switch_on() {
    Result<std::unique_ptr<ImageRenderer>> tracer = create_renderer("trace");
    if (!tracer) return tracer.error();
    tracer_ = std::move(*tracer);
    return {};
}

void TracedView::switch_off() {
    preview_ = nullptr;
    tracer_ = nullptr;
    still_frames_ = 0;
}

Result<void> TracedView::begin(const Picture& picture, int width, int height) {
    Result<std::unique_ptr<ImagePreview>> begun = tracer_->begin_preview(picture, width, height);
    if (!begun) return begun.error();
    if (!*begun) return Error{"this renderer has no preview", {}};
    preview_ = std::move(*begun);
    improves_ = true;
    return {};
}

Result<const Image*> TracedView::update(std::int64_t revision, const Picture& picture, int width,
                                        int height) {
    const bool has_changed =
        revision != revision_ || image_.width != width || image_.height != height;
    revision_ = revision;
    if (has_changed) {
        preview_ = nullptr;
        still_frames_ = 0;
        image_.width = width;
        image_.height = height;
    }
    if (!is_on() || ++still_frames_ < kStillFrames) return nullptr;
    if (!preview_)
        if (Result<void> begun = begin(picture, width, height); !begun) {
            switch_off();
            return begun.error();
        }
    if (improves_) {
        improves_ = preview_->improve(kShareOfFrame);
        if (!improves_ || still_frames_ % kShowFrames == 0) image_ = preview_->image();
    }
    return &image_;
}

std::string TracedView::state() const {
    if (!is_on()) return "off";
    if (!preview_) return "waiting";
    return (improves_ ? "" : "complete, ") + preview_->state();
}

}  // namespace ringlet
