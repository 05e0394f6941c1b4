// Finds from the shape of a head where hair grows and how long it is.
#pragma once

#include <optional>

#include "base/messages.h"
#include "fit/landmarks.h"
#include "scene/scene.h"

namespace ringlet {

// groom.scalp, or "auto" or everywhere where the mesh has no such material or group.
std::string scalp_on(const GroomSettings& groom, const Mesh& mesh);

// Returns the groom settings of the scene with those values filled in that depend on the mesh: a
// scalp that the mesh does not name becomes "auto", and a length given as a word becomes a height.
// `known` are the landmarks of the mesh; if empty, they are found when needed. Appends what was
// assumed and which images the mesh cannot use to `messages`.
Result<GroomSettings> fit_growth(const Scene& scene, const Mesh& mesh,
                                 const std::optional<Landmarks>& known, Messages& messages);

}  // namespace ringlet
