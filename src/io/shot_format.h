// A file format for shots: strands, meshes, a camera and lights over time, for other programs. Each
// format defines one ShotFormat in its own .cpp; shot_formats.def lists them. Commands, help texts
// and error messages use the list, so a new format needs one file and one line.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geom/mesh.h"
#include "io/output_start.h"
#include "math/quat.h"
#include "ringlet/result.h"
#include "strand/strand_set.h"

namespace ringlet {

// The unit and the up axis of a written file. Ringlet itself uses metres and +Y up.
struct ShotAxes {
    double metres_per_unit = 1;
    bool z_up = false;  // (x, y, z) becomes (x, -z, y)

    Vec3f direction(Vec3f a) const { return z_up ? Vec3f{a.x, -a.z, a.y} : a; }
    float length(float a) const {
        return metres_per_unit == 1 ? a : static_cast<float>(double{a} / metres_per_unit);
    }
    // A position or a velocity.
    Vec3f vector(Vec3f a) const {
        const Vec3f d = direction(a);
        return {length(d.x), length(d.y), length(d.z)};
    }
    // A rigid motion of written coordinates.
    Rigidf motion(const Rigidf& a) const {
        const Vec3f axis = direction({a.rotation.x, a.rotation.y, a.rotation.z});
        return {{axis.x, axis.y, axis.z, a.rotation.w}, vector(a.translation)};
    }
};

// How readers connect the vertices of a strand.
enum class ShotCurve {
    catmull_rom,  // a smooth curve through all vertices, the first and the last included
    linear,
};

// Consecutive strands that belong together: those of one head.
struct ShotGroup {
    std::string name;
    int first_strand = 0, strand_count = 0;
    // The first strands of the group are simulated and guide the others; 0: all are simulated.
    int guide_count = 0;
};

// A head or a collider.
struct ShotMesh {
    std::string name;            // unique among the meshes of a shot
    const Mesh* mesh = nullptr;  // topology, UVs, colours, materials; positions at rest
    bool deforms = false;        // ShotMeshPose::positions replaces the positions in every frame
    bool moves = false;          // ShotMeshPose::pose changes over time
    bool is_drawn = true;        // false: part of the simulation only
};

struct ShotCamera {
    Vec3f eye{0, 0, 1}, target{0, 0, 0};  // m
    float field_of_view_degrees = 27;     // vertical
    float aspect = 4.0f / 3;              // width over height
};

struct ShotLight {
    std::string name;          // unique among the lights of a shot
    bool is_dome = false;      // true: light from all directions
    Vec3f direction{0, 1, 0};  // from the scene towards the light; of any length
    Vec3f colour{1, 1, 1};     // linear RGB
    float intensity = 1;
};

// Everything about a shot that does not change over time. Meshes and strands are not owned and must
// outlive the writer. In metres, +Y up, world space; writers apply `axes`.
struct ShotDescription {
    std::string title;    // one line about the origin: "ringlet curls"
    double fps = 24;      // frames per second
    int first_frame = 0;  // its number is its time code
    int frame_count = 1;  // 1: a still without time
    ShotAxes axes;
    ShotCurve curve = ShotCurve::catmull_rom;
    // Adds the attributes of Unreal's grooms that repeat data under other names.
    bool for_unreal = false;
    bool has_velocities = false;
    // Layout, colours and radii of the strands. Not `position`: that is in each ShotFrame. The id
    // of a strand is its number.
    StrandView strands{};
    std::span<const Vec2f> root_uv{};  // one per strand, or empty
    std::vector<ShotGroup> groups;     // in strand order, covering all strands
    std::vector<ShotMesh> meshes;
    std::optional<ShotCamera> camera;
    std::vector<ShotLight> lights;
};

struct ShotMeshPose {
    Rigidf pose{};                       // from the mesh's coordinates to world space
    std::span<const Vec3f> positions{};  // in the mesh's coordinates; empty unless it deforms
};

// One frame. Not owned; valid during add_frame() only.
struct ShotFrame {
    int number = 0;                          // first_frame, first_frame + 1, ...
    const Channel<3>* positions = nullptr;   // m; current on the host
    const Channel<3>* velocities = nullptr;  // m/s; null unless ShotDescription::has_velocities
    std::vector<ShotMeshPose> meshes;        // in the order of ShotDescription::meshes
};

// Writes one shot. Destroyed before finish(), it leaves no incomplete file: nothing, or, where the
// format keeps one file per frame, the shot up to the last complete frame.
class ShotWriter {
public:
    virtual ~ShotWriter() = default;
    // Frames arrive in order, without gaps. Call complete_frame() after each.
    virtual Result<void> add_frame(const ShotFrame& frame) = 0;
    // Completes the files of the last frame, whose arrays are not needed any more.
    virtual Result<void> complete_frame() { return {}; }
    // Whether complete_frame() needs about the memory of a frame, so that the caller should free
    // the arrays of the frame before.
    virtual bool needs_memory_to_complete() const { return false; }
    // Completes the files after the last frame.
    virtual Result<void> finish() = 0;
    // Blocks until the frames added so far are on the disk, and returns what open() needs to
    // continue after them, in another process, with the same files as a result. Precondition:
    // OutputStart::is_resumable. Fails for formats that cannot be continued.
    virtual Result<std::string> save_progress() {
        return Error{"shots of this format cannot be continued"};
    }
    // Leaves unfinished files for another run if finish() is not called.
    virtual void keep_unfinished() {}
    // A sentence for the log about where the shot is: "one layer per frame in shot.clips/"; may be
    // empty.
    virtual std::string remark() const { return {}; }
    // Whether the colours and radii of ShotDescription::strands are written, so that the caller may
    // free them.
    virtual bool has_written_appearance() const { return false; }
    // Whether the frames written so far stay readable if the run is stopped now.
    virtual bool keeps_frames() const { return false; }
};

struct ShotFormat {
    std::string_view name;         // of the format, for lists: "Alembic"
    std::string_view extension;    // in lower case: ".abc"
    std::string_view description;  // one line about the content
    // Fails with the remedy where this machine lacks a program that the format needs. Called before
    // long work. Null: nothing is needed.
    Result<void> (*check)() = nullptr;
    // With OutputStart::progress, fails where the unfinished files of the earlier run are missing.
    Result<std::unique_ptr<ShotWriter>> (*open)(const std::filesystem::path& path,
                                                const ShotDescription& shot,
                                                const OutputStart& start);
};

// All formats, in the order of shot_formats.def.
std::span<const ShotFormat* const> all_shot_formats();

// The format of the extension, in any case; null if there is none.
const ShotFormat* shot_format_of(const std::filesystem::path& path);

// The description of a still of the given strands, in one group, as groom formats write them.
// `root_uv` is empty or has one entry per strand.
ShotDescription describe_still(const StrandView& strands, std::span<const Vec2f> root_uv,
                               std::string_view title);

// Opens a writer, adds the frame of a still and finishes.
Result<void> write_still(const ShotFormat& format, const std::filesystem::path& path,
                         const ShotDescription& shot, const Channel<3>& positions);

}  // namespace ringlet
