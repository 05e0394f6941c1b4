// [[actor]]: several heads in one scene.
#include "scene/parameters/declarations.h"

namespace ringlet {

namespace {

void declare_actor_entry(ParameterGroup<ActorSettings> actor) {
    actor.vector("at", &ActorSettings::at).unit("m").range(-1000, 1000).says("Its position.");
    actor.real("turn", &ActorSettings::turn_degrees)
        .unit("degrees")
        .range(-36000, 36000)
        .says("Its rotation about +y.");
    actor.real("delay", &ActorSettings::delay)
        .unit("s")
        .range(0, 86400)
        .says("Delay of its head's motion.");
    actor.text("scene", &ActorSettings::scene)
        .says("Built-in name or file of its scene; empty: this scene.");
    actor.texts("set", &ActorSettings::set)
        .says("Changes to that scene, each in the form of --set: \"key=value\".");
}

}  // namespace

void declare_actor(ParameterTable& table, Scene& scene) {
    std::vector<ActorSettings>& actors = scene.actors;
    table.lists.push_back(declare_list("actor", actors, 1024,
                                       "One of several heads; none: the scene has one head.",
                                       declare_actor_entry));
    table.lists.back().set_source = [&actors](const std::string& file, int line) {
        actors.back().file = file;
        actors.back().line = line;
    };
}

}  // namespace ringlet
