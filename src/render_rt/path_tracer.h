// The path tracer: a Picture in, linear light out.
#pragma once

#include "base/parallel.h"
#include "picture/image_renderer.h"
#include "picture/picture.h"
#include "render_rt/ray_scene.h"
#include "render_rt/traced_image.h"
#include "ringlet/result.h"

namespace ringlet {

struct TraceState {
    int samples, all_samples;  // per pixel, at most
    float noise;               // noise_of() the image so far
    float share;               // of the work, from 0 to 1
};

// Called between rounds of samples, on the calling thread. Returns false to cancel.
using TraceProgress = std::function<bool(const TraceState& state)>;

// Traces an image of width x height pixels with the samples, bounces and noise target of
// `picture.settings`. `scene` is that of the same picture. The result does not depend on the number
// of threads, nor on whether it continues the image that `store` holds. Fails with Error{"stopped"}
// when `progress` cancels, and if the image of the store has another size.
Result<TracedImage> trace(const Picture& picture, const RayScene& scene, int width, int height,
                          const TaskPool& pool, const TraceProgress& progress = {},
                          const ImageStore& store = {});

// An image that improves for as long as it is worked on: first with few large pixels, then with all
// pixels and one more sample each time, from the middle outwards. Not thread-safe.
class TracedPreview {
public:
    // Copies `picture`. `scene` and everything that the picture refers to must outlive the preview.
    TracedPreview(const Picture& picture, const RayScene& scene, int width, int height);
    ~TracedPreview();
    TracedPreview(TracedPreview&&) noexcept;
    TracedPreview& operator=(TracedPreview&&) noexcept;

    // Traces for about `seconds`, at least one tile per thread. Returns false once the image has
    // the samples or the noise that the settings want.
    bool improve(double seconds, const TaskPool& pool);
    // All of the image, as far as it is traced. Valid until the next improve().
    const TracedImage& image() const;
    // The samples that every pixel has; 0 while pixels are large.
    int samples() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ringlet
