// The random streams of a groom. Each random number is a pure function of (seed, strand or clump
// number, stream), so no number depends on the order in which strands are grown.
#pragma once

#include "math/noise.h"

namespace ringlet {

enum GroomDraw : std::uint32_t {
    kDrawLength = 0x67720001,
    kDrawColour,
    kDrawPhase,
    kDrawHand,
    kDrawRadius,
    kDrawPitch,
    kDrawLift,
    kDrawPull,
    kDrawWave,
    kDrawZigzag,
    kDrawStray,
    kDrawFlyaway,
    kDrawDroop,
    kDrawDiameter,
    kDrawHeading,             // three streams: x, y, z
    kDrawFrizz = 0x67730000,  // one stream per noise knot
};

}  // namespace ringlet
