// The renderer `gl`: draws images off screen with RendererGl.
#include "picture/image_renderer.h"
#include "render_gl/offscreen.h"
#include "render_gl/renderer.h"

namespace ringlet {

namespace {

class ImageRendererGl final : public ImageRenderer {
public:
    ImageRendererGl(OffscreenContext context, RendererGl renderer)
        : context_(std::move(context)), renderer_(std::move(renderer)) {}

    std::string description() const override { return "OpenGL on " + context_.description(); }

    // An image takes milliseconds, so `progress` is not called.
    Result<Image> render(const Picture& picture, int width, int height,
                         const ImageProgress&) override {
        return renderer_.draw_to_image(picture, width, height);
    }

    std::vector<std::string> warnings() const override { return renderer_.messages(); }

private:
    OffscreenContext context_;
    RendererGl renderer_;  // after the context, because its destructor needs it
};

Result<std::unique_ptr<ImageRenderer>> create() {
    Result<OffscreenContext> context = OffscreenContext::create();
    if (!context) return context.error();
    Result<RendererGl> renderer = RendererGl::create();
    if (!renderer) return renderer.error();
    return std::unique_ptr<ImageRenderer>(
        std::make_unique<ImageRendererGl>(std::move(*context), std::move(*renderer)));
}

Result<void> check() {
    const Result<OffscreenContext> context = OffscreenContext::create();
    return context ? Result<void>() : context.error();
}

}  // namespace

RendererEntry renderer_gl() { return {"gl", "real-time, OpenGL 4.5", check, create}; }

}  // namespace ringlet
