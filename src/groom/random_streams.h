// The random streams of a groom. Each random number is a pure function of (seed, strand or clump
// number, stream), so no number depends on the order in which strands are grown.
#pragma once

#include "math/noise.h"

namespace ringlet {

enum GroomStream : std::uint32_t {
    kStreamLength = 0x67720001,
    kStreamColour,
    kStreamPhase,
    kStreamHand,
    kStreamRadius,
    kStreamPitch,
    kStreamLift,
    kStreamPull,
    kStreamWave,
    kStreamZigzag,
    kStreamStray,
    kStreamFlyaway,
    kStreamDroop,
    kStreamDiameter,
    kStreamHeading,                  // three streams: x, y, z
    kStreamMember = 0x67720020,      // one stream per level of clumps
    kStreamClumpStray = 0x67720030,  // one stream per level of clumps
    kStreamReversal = 0x67720040,
    kStreamClumpHeading = 0x67720050,  // three streams: x, y, z
    kStreamFrizz = 0x67730000,         // one stream per noise knot
};

}  // namespace ringlet
