// Strands as plain arrays: read from and written to groom files, or grown by a scene.
//
//     auto groom = ringlet::read_groom_file("strands.ply", {.scale = 0.01f});
//     if (!groom) return fail(groom.error().text());
//     auto hair = ringlet::HairSim::create({groom->positions, groom->vertex_counts}, {});
//
// All functions are thread-safe as long as no two calls share an object.
#pragma once

#include <string>

#include "ringlet/export.h"
#include "ringlet/groom_arrays.h"
#include "ringlet/jobs.h"
#include "ringlet/result.h"
#include "ringlet/session.h"

namespace ringlet {

// Reads a file in one of groom_formats(). `options` says how its coordinates become metres with +Y
// up. Returns an Error that names the place in the file if the file is damaged.
RINGLET_API Result<GroomArrays> read_groom_file(const std::string& path,
                                                const ConvertOptions& options = {});

// Writes a file in one of groom_formats(). Data that the format does not store is left out. Returns
// an Error without effect if the arrays do not fit each other or a number is not finite.
RINGLET_API Result<void> write_groom_file(const std::string& path, const GroomArrays& groom);

// Returns the strands of a scene at rest, children included, with colours and radii, as
// save_groom() writes them. Strands of all heads are in world space.
RINGLET_API Result<GroomArrays> groom_at_rest(Session& session);

}  // namespace ringlet
