// Positions in GPU memory, for a renderer on the same GPU. This interface is the only connection
// between the simulation on the GPU and the renderer.
#pragma once

#include <memory>

#include "strand/deferred_positions.h"
#include "strand/strand_survey.h"

namespace ringlet {

// An OpenGL buffer that the device can write to. Destroy it before the buffer, while the buffer's
// context is current.
class DeviceTarget {
public:
    virtual ~DeviceTarget() = default;
};

class DevicePositions : public DeferredPositions {
public:
    DevicePositions* on_device() final { return this; }

    // Registers a buffer of the current OpenGL context, large enough for a Channel<3>. Returns null
    // if that context is not on this device.
    virtual std::unique_ptr<DeviceTarget> open_target(unsigned buffer) = 0;
    // Writes the positions there in the order of Channel<3>. Subsequent OpenGL commands wait for
    // it. Returns false if the driver refuses.
    virtual bool write_to(DeviceTarget& target) = 0;
    // Ignores coordinates beyond `reach` (m). Samples every stride-th strand.
    virtual void survey(float reach, int stride, StrandSurvey& out) = 0;
};

}  // namespace ringlet
