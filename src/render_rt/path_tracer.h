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

}  // namespace ringlet
