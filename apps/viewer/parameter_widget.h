// A parameter as something to drag, tick or type, by its type, range and unit alone.
#pragma once

#include "scene/parameters.h"
#include "viewer/gui.h"

namespace ringlet {

// Whether the value was changed. `original` is the same parameter of the scene as it was opened, or
// null; `key` is in full ("collider.2.radius").
bool edit_parameter(const Parameter& parameter, const Parameter* original, const std::string& key,
                    Ui& ui);

// A list of entries: each with its parameters, a way to remove it, and one to add another.
bool edit_list(const ParameterList& list, Ui& ui);

}  // namespace ringlet
