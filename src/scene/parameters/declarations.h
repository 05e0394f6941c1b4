// The tables of a scene file, in the order of docs/scene_keys.md. Each function is defined in the
// file of its name and appends to the table. Those of a simulation are in parameters/sim_tables.h.
#pragma once

#include "parameters/sim_tables.h"
#include "scene/parameters.h"

namespace ringlet {

void declare_groom(ParameterTable& table, Scene& scene);
void declare_fur(ParameterTable& table, Scene& scene);
void declare_collider(ParameterTable& table, Scene& scene);
void declare_head(ParameterTable& table, Scene& scene);
void declare_camera(ParameterTable& table, Scene& scene);
void declare_light(ParameterTable& table, Scene& scene);
void declare_render(ParameterTable& table, Scene& scene);
void declare_record(ParameterTable& table, Scene& scene);
void declare_actor(ParameterTable& table, Scene& scene);

inline void declare_simulation(ParameterTable& table, Scene& scene) {
    for (const auto declare : kSimDeclarations) declare(table, scene.sim);
    for (Parameter& p : table.parameters)
        if (p.key == "sim.substeps") p.automatic = &scene.automatic.substeps;
}
inline void declare_air(ParameterTable& table, Scene& scene) {
    declare_wind(table, scene.world.wind);
}

inline constexpr void (*kDeclarations[])(ParameterTable&, Scene&) = {
    declare_groom,  declare_fur,   declare_simulation, declare_collider, declare_head,  declare_air,
    declare_camera, declare_light, declare_render,     declare_record,   declare_actor,
};

// Declares the keys PREFIX_units, _scale, _up, _facing, _rotate and _offset. `what` is "mesh" or
// "groom file". Defined in placement.cpp.
void declare_placement(ParameterGroup<PlacementSettings> placement, const std::string& prefix,
                       const std::string& what);

// Declares sequence, sequence_fps and sequence_loops under the group's prefix. Defined in head.cpp.
void declare_sequence(ParameterGroup<SequenceFiles> sequence, const std::string& sentence);

}  // namespace ringlet
