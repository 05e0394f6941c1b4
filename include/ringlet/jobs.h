// What the command line does, as functions: each reads a session or a file and leaves a complete
// result behind, or an Error and nothing.
#pragma once

#include "ringlet/session.h"

namespace ringlet {

// Whether an output's name can be written at all; jobs check it too, but callers may want to know
// before they open a scene.
enum class OutputKind { strands, strands_or_folder, frames };
Result<void> check_output(const std::string& output, OutputKind kind);

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

struct VideoOptions {
    std::string folder;  // of frames whose names end in their number: render0000.png, ...
    std::string output;  // .mp4
    double fps = 24;
    bool delete_frames = false;  // once the video is complete
};
Result<void> make_video(const VideoOptions& options, const Listener& listener);

// The strands at rest, children included, in the format the extension names.
Result<void> save_groom(Session& session, const std::string& output);

struct ConvertOptions {
    float scale = 1;    // metres per unit of the input
    bool z_up = false;  // the input has Z up
    int vertices = 0;   // resample each strand to this many; 0: as they are
};
// From one hairstyle format to another: .hair, .tfx, .data, .bin, .ply, .obj.
Result<void> convert(const std::string& input, const std::string& output,
                     const ConvertOptions& options);

// What a mesh or hairstyle file holds and what is wrong with it, as text or as JSON. `mesh` (or
// nothing) is the OBJ on which the strands should stand.
Result<std::string> describe_file(const std::string& path, const std::string& mesh, bool json);

struct SheetOptions {
    std::vector<std::string> scenes;  // none: the presets
    std::string output;               // .png or .bmp
    int columns = 4;
};
// Each hairstyle from the front and from the side, in rows.
Result<void> contact_sheet(const SheetOptions& options, const SessionOptions& session,
                           const Listener& listener);

struct SceneInfo {
    std::string name, title;
};
std::vector<SceneInfo> builtin_scenes();
// Those of them that are hairstyles to start from.
std::vector<std::string> preset_names();
Result<std::string> builtin_scene_text(const std::string& name);

// Every key a scene may have, as a Markdown table.
std::string scene_keys();

}  // namespace ringlet
