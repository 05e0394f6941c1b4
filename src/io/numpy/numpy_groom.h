// Strands in numpy files, as programs that reconstruct hair from pictures write them.
//
// .npy: one array (strands, vertices, 3) of float16, float32 or float64.
// .npz: an archive of named arrays. The positions are an array (strands, vertices, 3), or an array
// (points, 3) with the number of points of each strand beside it. Arrays of thickness, colour and
// root UV are read under their usual names; other arrays are ignored.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "io/groom_format.h"

namespace ringlet {

// Positions are returned as stored: the formats define no unit and no axes.
Result<StrandSet> parse_npy_groom(std::string_view bytes, const std::string& name);
Result<StrandSet> parse_npz_groom(std::string_view bytes, const std::string& name);

// Float32. All strands have the same number of vertices.
std::string format_npy_groom(const StrandView& strands);

// The arrays positions, counts (unless all strands have the same number of vertices), radius,
// colour and root_uv.
std::string format_npz_groom(const StrandView& strands, std::span<const Vec2f> root_uv);

}  // namespace ringlet
