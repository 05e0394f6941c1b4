// Draws the input widget of a parameter, chosen by its type, range and unit.
#pragma once

#include "scene/parameters.h"
#include "viewer/gui.h"

namespace ringlet {

// Returns true if the user changed the value. `original` is the same parameter of the scene as it
// was opened, or null. `key` is the full key ("collider.2.radius").
bool edit_parameter(const Parameter& parameter, const Parameter* original, const std::string& key,
                    Ui& ui);

// Draws a list of entries with buttons to add and remove entries. Returns true if it changed.
bool edit_list(const ParameterList& list, Ui& ui);

}  // namespace ringlet
