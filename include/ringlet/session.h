// A running simulation of one scene.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ringlet/backend.h"
#include "ringlet/export.h"
#include "ringlet/progress.h"
#include "ringlet/result.h"
#include "ringlet/warning.h"

namespace ringlet {

// How a session runs. A plain value; Session::open() copies it.
struct SessionOptions {
    // Assignments "key=value", applied in order after the scene file. See docs/scene_keys.md.
    std::vector<std::string> overrides;
    int threads = 0;                 // number of worker threads; 0: all of the machine's
    Lanes lanes = Lanes::automatic;  // usually automatic
    Backend backend = Backend::cpu;  // cuda: the first GPU
    // True keeps the rest positions in memory (12 bytes per vertex), so that reset() is fast. False
    // frees them once the simulation has started and regrows them when they are needed: for large
    // grooms that are simulated once. Imported grooms and guides always keep them.
    bool keep_groom = true;
};

// Statistics of a run from its start, or the last reset(), until now. A plain value.
//
// Stretch is |length - rest length| / rest length of a segment (0.01 is 1 %). Penetration is the
// depth of a vertex below a collider's surface. Both are measured at the end of every step.
struct RINGLET_API Report {
    std::string scene;    // built-in name or path
    std::string model;    // "rod"; several heads: "pbd+rod"
    std::string backend;  // "cpu" or "cuda"
    int threads = 0;
    int strands = 0;            // simulated strands, without children
    std::int64_t vertices = 0;  // simulated vertices
    int frames = 0;             // number of steps of length dt
    int substeps = 0;           // substeps per step; several heads: the largest number
    double dt = 0;              // s, length of a step; typically 1/60
    std::string hash;           // see Session::hash()

    double seconds = 0;                  // wall-clock time spent in the simulation
    double ms_per_frame = 0;             // mean over all steps
    double vertex_steps_per_second = 0;  // vertices times substeps, per second

    double max_stretch = 0;                 // largest of any segment at any step
    double mean_stretch = 0;                // mean over all segments and steps
    double max_penetration = 0;             // m, largest of any vertex at any step
    std::int64_t penetrating_vertices = 0;  // largest number at the end of any one step
    std::int64_t nonfinite_vertices = 0;    // the same for NaN or infinite coordinates
    // The first strand, and its vertex, whose non-finite state was replaced by a finite one; -1:
    // none. The run continues after a repair.
    std::int64_t repaired_strand = -1;
    std::int64_t repaired_vertex = -1;
    std::int64_t peak_memory_bytes = 0;  // largest resident size of the process so far
    // The 99th percentile over strands of each strand's largest stretch, at the worst step and
    // head.
    double stretch_p99 = 0;
    // Strands whose lengths were corrected by the model's strain limit, summed over steps; and the
    // number of steps in which that happened. Usually 0.
    std::int64_t strain_limited_strands = 0, strain_limited_frames = 0;
    std::int64_t repaired_tips = 0;  // fur tips replaced like repaired_strand, summed over steps
    // The frame at which simulate() continued an earlier run (CheckpointOptions::resume); -1: it
    // did not. Times and memory of a continued run include those of the earlier one only in
    // `seconds` and what is derived from it.
    int resumed_from_frame = -1;
    // Non-finite vertices first, then repairs, then what was found when the scene was loaded.
    std::vector<Warning> warnings;
    // Guesses about the files of the scene, one sentence each, with the key that overrides it.
    std::vector<std::string> assumptions;
    // Why the state is lost; empty: it is not.
    std::string failure;

    // Returns the report as a JSON object, one key per member.
    std::string to_json() const;
};

// A scene that is being simulated: one or several heads with hair or fur.
//
// Movable, not copyable. Owns everything it uses, including GPU memory. Not thread-safe: calls on
// one session must not overlap. Each call uses the session's own worker threads internally. A
// moved-from session may only be destroyed or assigned to.
class RINGLET_API Session {
public:
    // Loads a scene, grows its hair and prepares the simulation at time 0. `scene` is a built-in
    // name ("curls"; see builtin_scenes()) or the path of a TOML file. Returns an Error if the
    // scene, a file it names, or an override is invalid, or if the backend is unavailable. Takes
    // between milliseconds and minutes, depending on the number of strands.
    static Result<Session> open(const std::string& scene, const SessionOptions& options = {},
                                const Listener& listener = {});
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    // Advances the simulation by the scene's dt (sim.dt, typically 1/60 s) and updates the
    // statistics. Non-finite states are repaired and counted in the report. If memory or the GPU
    // fails, the state is lost: status() returns the Error, and later steps have no effect until
    // reset().
    void step();

    // Returns to time 0 and clears the statistics. The following steps give the same bits as the
    // first time. Fails like step().
    void reset();

    // Success, or the failure that lost the state. Report::failure has the same text.
    Result<void> status() const;

    // Simulated time in seconds: the number of steps times dt.
    double time() const;

    // Number of strands of all heads, children included. Constant for the session's lifetime.
    int strand_count() const;

    // Number of vertices of a strand, root included. Precondition: 0 <= strand < strand_count().
    int vertex_count(int strand) const;

    // Returns x, y, z of every vertex in metres, in world space: strand after strand, from root to
    // tip, one head after the other. Copies from the GPU where the simulation runs there. Empty if
    // the state is lost or memory runs out.
    std::vector<float> positions() const;

    // Returns 16 hexadecimal digits that identify the positions and velocities of all simulated
    // vertices. Equal for equal scenes and step counts, whatever the number of threads, the lanes
    // or the backend. Empty if the state is lost.
    std::string hash() const;

    // Returns the statistics since the start or the last reset(). If the state is lost or memory
    // runs out, only Report::failure is set.
    Report report() const;

    // The implementation, for other modules of the library (session/live/session_impl.h).
    struct Impl;
    Impl& impl() { return *impl_; }
    const Impl& impl() const { return *impl_; }

private:
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace ringlet
