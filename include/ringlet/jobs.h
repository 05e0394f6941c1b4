// The operations of the command line as functions: simulate, render, convert and describe.
//
// Each function writes complete output files, or returns an Error. A file appears under its name
// only when it is complete. Functions that write numbered frames keep the frames that are complete
// when a later one fails.
#pragma once

#include "ringlet/image.h"
#include "ringlet/session.h"

namespace ringlet {

// The kinds of output paths. strands: one groom file. strands_or_folder: that, a shot, or a folder
// for one groom file per step. frames: a video, an image, or a folder for one image per frame.
// text: a file with any extension, such as a report.
enum class OutputKind { strands, strands_or_folder, frames, text };

// Succeeds if the extension of `output` is one that can be written and its folder, or the nearest
// existing one, is writable. All functions below check it too; call this to fail before opening a
// scene. Creates nothing.
RINGLET_API Result<void> check_output(const std::string& output, OutputKind kind);

// Checkpoints of a long run, from which a later run continues to the same bytes as if it had never
// been interrupted. See docs/resume.md.
struct CheckpointOptions {
    // Seconds between two checkpoints; they are written at the ends of frames. 0: none.
    double every = 0;
    // Continues from the newest complete checkpoint of an earlier run. Without one, the run starts
    // from the beginning, and `log` of the listener says so. Returns an Error if the earlier run
    // had another scene, other input files or other options.
    bool resume = false;
    // The file or folder/ beside which checkpoints are kept; empty: the output.
    std::string beside{};
};

// The program that a shot is for. any: metres, +Y up. unreal: centimetres, +Z up, and the names of
// Unreal's grooms.
enum class ShotTarget { any, unreal };

// How a shot is written: one of shot_formats().
struct ShotOptions {
    ShotTarget target = ShotTarget::any;
    bool linear = false;     // straight segments instead of smooth curves through the vertices
    bool velocities = true;  // writes velocities too, for motion blur
};

struct SimulateOptions {
    // A shot (shot_formats()) of frames 1/record.fps apart; another groom file for the last step
    // (see convert()); a folder ending in / for one .hair file per step; or empty to write nothing.
    std::string output;
    // Number of frames of a shot, otherwise of steps of length dt; 0: the scene's record.duration.
    int frames = 0;
    // The number of a shot's first frame. Frame n is the scene at n/record.fps seconds, with n as
    // its time code; earlier frames are simulated but not written.
    int first_frame = 0;
    ShotOptions shot{};
    CheckpointOptions checkpoint{};
};

// Advances the session and returns its statistics. Continues from the session's current time.
// Returns an Error if the output cannot be written or the listener cancels.
RINGLET_API Result<Report> simulate(Session& session, const SimulateOptions& options,
                                    const Listener& listener);

// Whether a launcher of several processes started this one to help the first
// (docs/many_machines.md).
RINGLET_API bool is_helper_rank();
// In a helper: takes part in simulate() or render() of the first rank, and returns when that does.
// The session has the same scene and options. Writes nothing.
RINGLET_API Result<void> help_first_rank(Session& session);

// Writes the report as JSON.
RINGLET_API Result<void> write_report(const std::string& path, const Report& report);

// Names of the renderers in this build, the default first. Thread-safe.
RINGLET_API std::vector<std::string> renderer_names();

// Succeeds if this build has a renderer of this name and it can run on this machine. The Error
// lists the renderers in the build, or states the cause and a remedy.
RINGLET_API Result<void> check_renderer(const std::string& name);

struct RenderOptions {
    // .mp4 for a video, .png or .bmp for the last frame, .exr for its linear light (renderer trace
    // only), or a folder ending in / for all frames.
    std::string output;
    int frames = 0;               // number of frames; 0: the scene's record.duration
    int width = 0, height = 0;    // pixels; 0: the scene's record.width and record.height
    double fps = 0;               // frames per second of scene time; 0: the scene's record.fps
    std::string still;            // also writes one frame to this .png or .bmp; empty: none
    double still_time = 0;        // s, scene time of that frame
    float frame_strands = 0;      // render.strands of all images but the still; 0: the scene's
    std::string renderer = "gl";  // one of renderer_names()
    CheckpointOptions checkpoint{};
};

// Draws the scene times 0, 1/fps, 2/fps, ... off screen, advancing the session as needed. Needs no
// display. Expects a session at time 0: time does not run backwards. Positions between two steps
// are interpolated. Returns an Error if check_renderer() does, if the output cannot be written, or
// if the listener cancels.
RINGLET_API Result<void> render(Session& session, const RenderOptions& options,
                                const Listener& listener);

struct ImageOptions {
    int width = 0, height = 0;    // pixels; 0: the scene's record.width and record.height
    std::string renderer = "gl";  // one of renderer_names()
};

// Draws the session as it is now and returns the picture. Does not advance it. Returns an Error if
// check_renderer() does, or if the listener cancels.
RINGLET_API Result<Image> render_image(Session& session, const ImageOptions& options = {},
                                       const Listener& listener = {});

struct VideoOptions {
    // Folder of .png or .bmp frames of equal size whose names end in their number
    // (render0000.png, ...). Gaps in the numbers are allowed.
    std::string folder;
    std::string output;          // .mp4
    double fps = 24;             // frames per second
    bool delete_frames = false;  // deletes the frames once the video is complete
};

// Encodes numbered frames as H.264 video.
RINGLET_API Result<void> make_video(const VideoOptions& options, const Listener& listener);

// Writes the strands at rest, children included, in the format of the output's extension.
RINGLET_API Result<void> save_groom(Session& session, const std::string& output);

struct ConvertOptions {
    float scale = 1;    // metres per unit of the input; 0.01 for centimetres
    bool z_up = false;  // true: the input has +Z up and is rotated to +Y up
    int vertices = 0;   // resamples each strand to this many vertices, at least 2; 0: unchanged
};

// A file format that Ringlet knows.
struct FileFormat {
    std::string name;         // "TressFX 4"
    std::string extension;    // in lower case, with its dot: ".tfx"
    std::string description;  // one line about the content
};

// The formats of groom.file, save_groom() and convert(). All can be read and written.
RINGLET_API std::vector<FileFormat> groom_formats();

// The formats of simulate() for a shot: strands, meshes, camera and lights over time.
RINGLET_API std::vector<FileFormat> shot_formats();

// The formats of groom.mesh and collider.file. They are only read.
RINGLET_API std::vector<FileFormat> mesh_formats();

// The formats of pictures that Ringlet writes.
RINGLET_API std::vector<FileFormat> image_formats();

// The formats of render() for one file: a video, then image_formats().
RINGLET_API std::vector<FileFormat> frame_formats();

// The formats of describe_file(): mesh_formats(), then groom_formats().
RINGLET_API std::vector<FileFormat> file_formats();

// The extensions of some formats for a help text, each once: ".hair, .tfx or .ply".
RINGLET_API std::string list_extensions(const std::vector<FileFormat>& formats);

// Converts a groom file to another of groom_formats(), by their extensions. The output must not be
// the input.
RINGLET_API Result<void> convert(const std::string& input, const std::string& output,
                                 const ConvertOptions& options, const Listener& listener = {});

// Returns a description of a mesh or groom file and its defects, as text or as JSON. `mesh` is the
// path of the mesh that the strands grow on, or empty; the strands are placed on it as in a scene
// with these `overrides` ("groom.file_units=cm").
RINGLET_API Result<std::string> describe_file(const std::string& path, const std::string& mesh,
                                              bool json,
                                              const std::vector<std::string>& overrides = {});

struct SheetOptions {
    std::vector<std::string> scenes;  // built-in names or paths; empty: preset_names()
    std::string output;               // .png or .bmp
    int columns = 4;                  // hairstyles per row
    std::string renderer = "gl";      // one of renderer_names()
};

// Draws a contact sheet: each hairstyle at rest, from the front and from the side.
RINGLET_API Result<void> contact_sheet(const SheetOptions& options, const SessionOptions& session,
                                       const Listener& listener);

struct NewSceneOptions {
    std::string head;  // a mesh in one of mesh_formats()
    // Words for the hairstyle, of style_words(), in any order: "shoulder-length auburn waves".
    std::string style = "waves";
    std::string output;           // .toml; empty: the name of the head, in the working folder
    bool overwrite = false;       // replaces existing files
    std::string renderer = "gl";  // one of renderer_names(); draws the preview
};

// The files that new_scene() wrote.
struct NewScene {
    std::string scene, picture;
};

// Looks at a mesh of any unit and orientation and writes a commented scene file in which hair grows
// on it, and beside it a picture of the result. The scene spells out everything that was guessed;
// `listener.log` receives the guesses too. The overrides of `session` become part of the scene.
// Returns an Error if the mesh cannot be read, a word is unknown, or a file exists and is not to be
// overwritten.
RINGLET_API Result<NewScene> new_scene(const NewSceneOptions& options,
                                       const SessionOptions& session, const Listener& listener);

// The words of NewSceneOptions::style by kind, as lines for a help text. Thread-safe.
RINGLET_API std::string style_words();

struct SceneInfo {
    std::string name, title;
};

// Lists the scenes that are compiled into the library, sorted by name. Thread-safe.
RINGLET_API std::vector<SceneInfo> builtin_scenes();

// Names of the built-in scenes that are hairstyle presets for groom.preset. Thread-safe.
RINGLET_API std::vector<std::string> preset_names();

// Returns the TOML text of a built-in scene, or an Error that suggests the nearest name.
RINGLET_API Result<std::string> builtin_scene_text(const std::string& name);

// Describes every key of a scene file as a Markdown table: type, unit, range, default, meaning.
RINGLET_API std::string scene_keys();

}  // namespace ringlet
