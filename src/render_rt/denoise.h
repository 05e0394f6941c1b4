// Removes noise from traced light: a simple filter, far from those that are learned from images.
#pragma once

#include <vector>

#include "base/parallel.h"
#include "render_rt/traced_image.h"

namespace ringlet {

// TracedPixel::light of every pixel, filtered; coverage and backdrop stay as they are. Each pixel
// becomes a mean over its neighbourhood, weighted by how similar the neighbours are in albedo,
// normal, depth, share of strands and, beyond the noise, light. The result does not depend on the
// number of threads.
std::vector<Vec3f> denoised_light(const TracedImage& traced, const TaskPool& pool);

}  // namespace ringlet
