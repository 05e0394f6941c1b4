// All chance of a groom: numbers drawn by (seed, strand or lock, channel).
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
    kDrawHeading,             // and the two after it
    kDrawFrizz = 0x67730000,  // and as many as there are knots
};

}  // namespace ringlet
