// The prims of a shot: /Shot/Hair/GROUP (BasisCurves), /Shot/Meshes/NAME, /Shot/Camera and
// /Shot/Lights/NAME.
#pragma once

#include "io/usd/usd_prim.h"

namespace ringlet {

// The name of the root prim, which is the layer's defaultPrim.
inline constexpr std::string_view kUsdRoot = "Shot";

// The tree refers to the shot's strands and meshes, which must outlive it.
UsdPrim shot_prims(const ShotDescription& shot);

// The first lines of a layer: unit, axes, time codes from the first frame to `last_frame`, and
// further metadata, one line each.
std::string usd_header(const ShotDescription& shot, int last_frame,
                       const std::vector<std::string>& more = {});

}  // namespace ringlet
