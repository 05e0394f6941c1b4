// The renderer `trace` in a build without Embree.
#include "picture/image_renderer.h"

namespace ringlet {

RendererEntry renderer_rt() {
    const Error why{
        "the renderer trace is not in this build: install libembree-dev, then configure and build "
        "again"};
    return {"trace", "path tracer, not in this build", [why] { return Result<void>(why); },
            [why] { return Result<std::unique_ptr<ImageRenderer>>(why); }};
}

}  // namespace ringlet
