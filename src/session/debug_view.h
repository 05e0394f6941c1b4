// Visualizes simulation data: strands coloured by a quantity, the hair-hair grid, frames along
// strands. Controlled by the [render] keys, for renders and the viewer alike.
#pragma once

#include "session/colour_scale.h"
#include "session/draw.h"
#include "session/live/session_impl.h"

namespace ringlet {

// A quantity of one vertex of a simulated strand, in the scale's unit: stretch of the adjacent
// segments (%), speed (m/s), distance to the nearest collider (mm), acceleration by the model
// beyond gravity (m/s^2).
float debug_value(const Actor& actor, ColourBy what, int strand, int vertex);

// Adds the colours, grid and frames that the scene's [render] keys select.
void add_debug_view(const Session::Impl& impl, Picture& picture);

}  // namespace ringlet
