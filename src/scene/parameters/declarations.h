// The tables of a scene file, in the order of docs/scene_keys.md. Each function is defined in the
// file of its name and appends to the table.
#pragma once

#include "scene/parameters/declare.h"

namespace ringlet {

void declare_groom(ParameterTable& table, Scene& scene);
void declare_fur(ParameterTable& table, Scene& scene);
void declare_sim(ParameterTable& table, Scene& scene);
void declare_pbd(ParameterTable& table, Scene& scene);
void declare_rod(ParameterTable& table, Scene& scene);
void declare_ftl(ParameterTable& table, Scene& scene);
void declare_spring(ParameterTable& table, Scene& scene);
void declare_other_models(ParameterTable& table, Scene& scene);  // in sim.cpp
void declare_hair_hair(ParameterTable& table, Scene& scene);
void declare_collider(ParameterTable& table, Scene& scene);
void declare_head(ParameterTable& table, Scene& scene);
void declare_wind(ParameterTable& table, Scene& scene);
void declare_camera(ParameterTable& table, Scene& scene);
void declare_light(ParameterTable& table, Scene& scene);
void declare_render(ParameterTable& table, Scene& scene);
void declare_record(ParameterTable& table, Scene& scene);
void declare_actor(ParameterTable& table, Scene& scene);

inline constexpr void (*kDeclarations[])(ParameterTable&, Scene&) = {
    declare_groom,  declare_fur,    declare_sim,          declare_pbd,       declare_rod,
    declare_ftl,    declare_spring, declare_other_models, declare_hair_hair, declare_collider,
    declare_head,   declare_wind,   declare_camera,       declare_light,     declare_render,
    declare_record, declare_actor,
};

// Declares the keys PREFIX_units, _scale, _up, _facing, _rotate and _offset. `what` is "mesh" or
// "groom file". Defined in placement.cpp.
void declare_placement(ParameterGroup<PlacementSettings> placement, const std::string& prefix,
                       const std::string& what);

// Declares sequence, sequence_fps and sequence_loops under the group's prefix. Defined in head.cpp.
void declare_sequence(ParameterGroup<SequenceFiles> sequence, const std::string& sentence);

}  // namespace ringlet
