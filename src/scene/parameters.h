// Every parameter of a scene, declared once: key, unit, range, meaning, and where its value lives.
// The TOML reader, --set, the list of keys, the scene writer and the viewer's panels use this
// table. The declarations are in src/scene/parameters, and in src/parameters those of simulations.
#pragma once

#include <string>

#include "parameters/parameter.h"
#include "scene/scene.h"

namespace ringlet {

// The table of a scene. Its targets point into the scene, which must outlive the table and not
// move.
ParameterTable parameters_of(Scene& scene);

// The value in TOML syntax.
std::string format_value(const Parameter& parameter);

// Sets a number or vector to one of its words; -1: to its value.
void set_word(const Parameter& parameter, int word);

// "number", "whole number", "true or false", "text", "list of texts", "[x, y, z]", the words of a
// choice separated by commas, or the type of the value and its words; with " or auto" where that is
// allowed.
std::string type_of(const Parameter& parameter);

// Copies a value, and whether it is automatic, between two parameters of the same key.
void copy_value(const Parameter& from, const Parameter& to);

// All keys with type, range, unit, default and sentence, as a Markdown table.
std::string describe_keys();

}  // namespace ringlet
