// Positions of displayed strands that host memory does not hold yet.
#pragma once

namespace ringlet {

class DevicePositions;
class GuidedStrands;

class DeferredPositions {
public:
    virtual ~DeferredPositions() = default;

    // Writes the positions to the host's channel, unless they are there already.
    virtual void fetch() = 0;

    // How a renderer obtains the positions without the host. At most one of them is not null.
    virtual DevicePositions* on_device() { return nullptr; }  // strand/device_positions.h
    virtual GuidedStrands* guided() { return nullptr; }       // strand/guided_strands.h
};

}  // namespace ringlet
