// Positions that are on a GPU already, as a renderer on the same GPU wants them: the narrow way by
// which whoever simulates there and whoever draws there meet, knowing nothing else of each other.
#pragma once

#include <memory>
#include <vector>

#include "math/vec3.h"

namespace ringlet {

// What drawing must know of strands beside where they are.
struct StrandSurvey {
    // Of all vertices of strands whose root is in reach; low above high where there are none.
    Vec3f low, high;
    // The vertices of some strands, one strand after the other.
    std::vector<Vec3f> sample;
};

// An OpenGL buffer that the device can write to. Must go before the buffer does, and while the
// buffer's context is current.
class DeviceTarget {
public:
    virtual ~DeviceTarget() = default;
};

class DevicePositions {
public:
    virtual ~DevicePositions() = default;

    // A buffer of the OpenGL context that is current, with room for a Channel<3>; null where that
    // context is not on this device.
    virtual std::unique_ptr<DeviceTarget> open_target(unsigned buffer) = 0;
    // Writes them there as Channel<3> has them; what OpenGL does next waits for it. False where the
    // driver will not.
    virtual bool write_to(DeviceTarget& target) = 0;
    // `reach`: coordinates beyond it do not count. The sample is every stride-th strand.
    virtual void survey(float reach, int stride, StrandSurvey& out) = 0;
    // Brings them to the host's channel.
    virtual void fetch() = 0;
};

}  // namespace ringlet
