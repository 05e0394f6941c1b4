// What the command line does, as functions: each reads a session or a file and leaves a complete
// result behind, or an Error and nothing.
#pragma once

#include "ringlet/session.h"

namespace ringlet {

struct SimulateOptions {
    std::string
        output;      // .hair (the last frame), a folder ending in / (one .hair a frame), or empty
    int frames = 0;  // steps of dt; 0: the scene's duration
};
Result<void> write_report(const std::string& path, const Report& report);
Result<Report> simulate(Session& session, const SimulateOptions& options, const Listener& listener);

struct RenderOptions {
    std::string output;         // .mp4, .png or .bmp (the last frame), or a folder ending in /
    int frames = 0;             // 0: the scene's duration
    int width = 0, height = 0;  // 0: the scene's
    double fps = 0;             // 0: the scene's
    std::string still;          // also writes one frame here, as soon as it is drawn
    double still_time = 0;      // s; which one
};
Result<void> render(Session& session, const RenderOptions& options, const Listener& listener);

// The strands at rest, as a .hair file.
Result<void> save_groom(const Session& session, const std::string& output);

// What an OBJ or a .hair file holds and what is wrong with it, as text or as JSON.
Result<std::string> describe_file(const std::string& path, bool json);

struct SceneInfo {
    std::string name, title;
};
std::vector<SceneInfo> builtin_scenes();
Result<std::string> builtin_scene_text(const std::string& name);

// Every key a scene may have, as a Markdown table.
std::string scene_keys();

}  // namespace ringlet
