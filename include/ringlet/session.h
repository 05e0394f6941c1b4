// A scene being simulated. Open one, step it, look at it, ask how it fares.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ringlet/progress.h"
#include "ringlet/result.h"

namespace ringlet {

// Which CPU instructions the kernels use. The results are the same bits.
enum class Lanes { automatic, scalar, wide8, avx2, avx512 };

// Where strands are moved. The results are the same bits.
enum class Backend { cpu, cuda };

// Nothing, or why this machine does not have it.
Result<void> check_backend(Backend backend);

struct SessionOptions {
    std::vector<std::string> overrides;  // "key=value", applied after the scene file
    int threads = 0;                     // 0: all of the machine
    Lanes lanes = Lanes::automatic;
    Backend backend = Backend::cpu;
    // Hair as it was groomed is kept, so that reset() is quick. Without it, it is grown anew there:
    // for large grooms that run once.
    bool keep_groom = true;
};

// How a run went. Stretch is |length - rest| / rest over every segment at every step's end;
// penetration the depth of a vertex below a collider's surface.
struct Report {
    std::string scene, model, backend;  // models of several heads: "pbd+rod"
    int threads = 0;
    int strands = 0;
    std::int64_t vertices = 0;
    int frames = 0;      // steps of dt
    int substeps = 0;    // the most of any head
    double dt = 0;       // s
    std::string hash;    // 16 hex digits of the final positions and velocities
    double seconds = 0;  // spent simulating
    double ms_per_frame = 0;
    double vertex_steps_per_second = 0;
    double max_stretch = 0, mean_stretch = 0;
    double max_penetration = 0;             // m
    std::int64_t penetrating_vertices = 0;  // most at any one frame
    std::int64_t nonfinite_vertices = 0;    // most at any one frame
    std::int64_t repaired_strand = -1;      // first strand whose numbers had to be repaired, or -1
    std::int64_t repaired_vertex = -1;
    std::int64_t peak_memory_bytes = 0;  // of the process
    // Of each strand's largest stretch, what 99 of 100 stay below; the worst frame and head.
    double stretch_p99 = 0;
    // How often a model's guard put a strand's lengths right beside its solve: strands, summed over
    // frames; and in how many frames at all.
    std::int64_t strain_limited_strands = 0, strain_limited_frames = 0;

    std::string to_json() const;
};

class Session {
public:
    // `scene` is a built-in name or the path of a TOML file.
    static Result<Session> open(const std::string& scene, const SessionOptions& options = {},
                                const Listener& listener = {});
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    // Advances by the scene's dt. Measures what Report tells of.
    void step();
    // Back to the beginning.
    void reset();

    double time() const;  // s
    int strand_count() const;
    int vertex_count(int strand) const;
    // x, y, z of every vertex, strand after strand, root to tip; m. Heads come one after the other.
    std::vector<float> positions() const;
    // Of the simulated state; of several heads, a hash of their hashes.
    std::string hash() const;
    Report report() const;

    struct Parts;  // what the other modules of the library see
    Parts& parts() { return *parts_; }
    const Parts& parts() const { return *parts_; }

private:
    explicit Session(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace ringlet
