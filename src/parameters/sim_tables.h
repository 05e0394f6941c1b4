// The tables of a simulation, in the order of docs/scene_keys.md. Each function is defined in the
// file of its name and appends to the table. The settings must outlive the table and not move.
#pragma once

#include "parameters/declare.h"
#include "ringlet/settings.h"

namespace ringlet {

void declare_sim(ParameterTable& table, SimSettings& settings);
void declare_pbd(ParameterTable& table, SimSettings& settings);
void declare_rod(ParameterTable& table, SimSettings& settings);
void declare_ftl(ParameterTable& table, SimSettings& settings);
void declare_spring(ParameterTable& table, SimSettings& settings);
void declare_other_models(ParameterTable& table, SimSettings& settings);  // in sim.cpp
void declare_hair_hair(ParameterTable& table, SimSettings& settings);
void declare_strand_contact(ParameterTable& table, SimSettings& settings);
void declare_wind(ParameterTable& table, Wind& settings);

inline constexpr void (*kSimDeclarations[])(ParameterTable&, SimSettings&) = {
    declare_sim,    declare_pbd,          declare_rod,       declare_ftl,
    declare_spring, declare_other_models, declare_hair_hair, declare_strand_contact};

}  // namespace ringlet
