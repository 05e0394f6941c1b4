// A scene as plain structs: everything a run needs to know, with defaults, before any file is read.
#pragma once

#include "fur/settings.h"
#include "groom/settings.h"
#include "math/quat.h"
#include "picture/camera.h"
#include "picture/light.h"
#include "picture/render_settings.h"
#include "sim/simulation.h"

namespace ringlet {

enum class RecordFormat { png, bmp, mp4 };

struct Record {
    float fps = 24;      // 1/s
    float duration = 4;  // s
    float settle = 0;    // s simulated before the first frame, the head held still
    int width = 960;     // px
    int height = 720;    // px
    RecordFormat format = RecordFormat::png;  // of what the viewer records
};

// One of several heads in a scene: another scene or this one, changed and placed.
struct ActorSettings {
    Vec3f at{0, 0, 0};             // m
    float turn_degrees = 0;        // about +y
    float delay = 0;               // s; its head moves that much later
    std::string scene;             // built-in name or file; empty: the scene it stands in
    std::vector<std::string> set;  // "key=value"
    std::string file;              // where it was read, for errors
    int line = 0;
};

struct Scene {
    std::string name;    // file name or built-in name, for reports
    std::string folder;  // where relative paths start
    std::string title;   // one line for listings
    GroomSettings groom;
    FurSettings fur;
    SimSettings sim;
    World world;
    Camera camera;
    Light light;
    RenderSettings render;
    Record record;
    bool show_colliders = false;
    std::vector<ActorSettings> actors;  // none: the scene itself, once
};

}  // namespace ringlet
