// A scene as plain structs with defaults: all settings of a run, before assets are loaded.
#pragma once

#include "fur/settings.h"
#include "groom/growth_paint.h"
#include "groom/settings.h"
#include "math/quat.h"
#include "picture/camera.h"
#include "picture/light.h"
#include "picture/render_settings.h"
#include "sim/models/registry.h"
#include "sim/simulation.h"

namespace ringlet {

enum class RecordFormat { png, bmp, mp4 };
constexpr std::string_view word_of(RecordFormat format) {
    switch (format) {
        case RecordFormat::png:
            return "png";
        case RecordFormat::bmp:
            return "bmp";
        case RecordFormat::mp4:
            return "mp4";
    }
    return {};
}

struct Record {
    float fps = 24;      // 1/s
    float duration = 4;  // s
    float settle = 0;    // s simulated before the first frame, with the head at rest
    float orbit = 0;     // degrees/s by which the camera of a rendered video turns about its target
    int width = 960;     // px
    int height = 720;    // px
    RecordFormat format = RecordFormat::png;  // of the viewer's recordings
};

// The animation that a scene plays from the files of its meshes.
struct AnimationSettings {
    std::string name = "auto";  // "auto": the first of the file, if it has any; "none"
    bool loops = true;          // false: the last pose stays
};

// One of several heads in a scene.
struct ActorSettings {
    Vec3f at{0, 0, 0};             // m
    float turn_degrees = 0;        // about +y
    float delay = 0;               // s, of its head's motion
    std::string scene;             // built-in name or file; empty: the enclosing scene
    std::vector<std::string> set;  // overrides, "key=value"
    std::string file;              // source of the entry, for error messages
    int line = 0;
};

// The values that a session chooses to fit the heads and the model of the scene. True until the
// scene gives the value itself.
struct AutomaticValues {
    bool camera_eye = true, camera_target = true, camera_focus = true;
    bool ground_height = true;
    bool pivot = true;
    bool substeps = true;
};

struct Scene {
    std::string name;    // file name or built-in name, for reports
    std::string folder;  // relative paths start here
    std::string title;   // one line for listings
    GroomSettings groom;
    FurSettings fur;
    SimSettings sim = default_sim_settings();
    World world;
    AnimationSettings animation;
    Camera camera;
    Light light;
    RenderSettings render;
    Record record;
    AutomaticValues automatic;
    // Painted growth weights that are being edited and replace the file groom.painted; null: none.
    std::shared_ptr<const GrowthPaint> paint;
    bool show_colliders = false;
    std::vector<ActorSettings> actors;  // empty: the scene has one head
    std::vector<std::string> notices;   // one line each, about keys that were renamed
};

}  // namespace ringlet
