// A scene as plain structs: everything a run needs to know, with defaults, before any file is read.
#pragma once

#include "groom/settings.h"
#include "shade/look.h"
#include "sim/simulation.h"

namespace ringlet {

struct Record {
    float fps = 24;      // 1/s
    float duration = 4;  // s
    float settle = 0;    // s simulated before the first frame, the head held still
    int width = 960;     // px
    int height = 720;    // px
};

struct Scene {
    std::string name;    // file name or built-in name, for reports
    std::string folder;  // where relative paths start
    std::string title;   // one line for listings
    GroomSettings groom;
    SimSettings sim;
    World world;
    Camera camera;
    Light light;
    Look look;
    Record record;
    bool show_colliders = false;
};

}  // namespace ringlet
