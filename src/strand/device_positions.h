// Positions in GPU memory, for a renderer on the same GPU. This interface is the only connection
// between the simulation on the GPU and the renderer.
#pragma once

#include <memory>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// Properties of strands that a renderer needs in addition to their positions.
struct StrandSurvey {
    // Bounds of all vertices of strands whose root is within reach; low > high if there are none.
    Vec3f low, high;
    // The vertices of the sampled strands, strand by strand.
    std::vector<Vec3f> sample;
};

// An OpenGL buffer that the device can write to. Destroy it before the buffer, while the buffer's
// context is current.
class DeviceTarget {
public:
    virtual ~DeviceTarget() = default;
};

class DevicePositions {
public:
    virtual ~DevicePositions() = default;

    // Registers a buffer of the current OpenGL context, large enough for a Channel<3>. Returns null
    // if that context is not on this device.
    virtual std::unique_ptr<DeviceTarget> open_target(unsigned buffer) = 0;
    // Writes the positions there in the order of Channel<3>. Subsequent OpenGL commands wait for
    // it. Returns false if the driver refuses.
    virtual bool write_to(DeviceTarget& target) = 0;
    // Ignores coordinates beyond `reach` (m). Samples every stride-th strand.
    virtual void survey(float reach, int stride, StrandSurvey& out) = 0;
    // Copies the positions to the host's channel.
    virtual void fetch() = 0;
};

}  // namespace ringlet
