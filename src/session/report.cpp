#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "session/parts.h"
#include "sim/models/registry.h"

namespace ringlet {

Report Session::report() const {
    const Parts& p = *parts_;
    Report out = p.totals;
    out.scene = p.scene.name;
    out.model = all_models()[static_cast<std::size_t>(p.scene.sim.model)].name;
    out.backend = "cpu";
    out.threads = p.pool.thread_count();
    out.strands = p.simulated().strand_count();
    out.vertices = p.simulated().layout->vertex_total();
    out.substeps = p.scene.sim.substeps;
    out.dt = static_cast<double>(p.scene.sim.dt);
    out.hash = hash();
    if (out.frames > 0 && out.seconds > 0) {
        out.ms_per_frame = out.seconds / out.frames * 1000;
        out.vertex_steps_per_second =
            static_cast<double>(out.vertices) * out.frames * out.substeps / out.seconds;
    }
    out.mean_stretch =
        p.sum_stretch / static_cast<double>(std::max<std::int64_t>(p.segment_count, 1));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    out.peak_memory_bytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
    return out;
}

std::string Report::to_json() const {
    const nlohmann::ordered_json json = {
        {"scene", scene},
        {"model", model},
        {"backend", backend},
        {"threads", threads},
        {"strands", strands},
        {"vertices", vertices},
        {"frames", frames},
        {"substeps", substeps},
        {"dt", dt},
        {"hash", hash},
        {"seconds", seconds},
        {"ms_per_frame", ms_per_frame},
        {"vertex_steps_per_second", vertex_steps_per_second},
        {"max_stretch", max_stretch},
        {"mean_stretch", mean_stretch},
        {"max_penetration", max_penetration},
        {"penetrating_vertices", penetrating_vertices},
        {"nonfinite_vertices", nonfinite_vertices},
        {"repaired_strand", repaired_strand},
        {"repaired_vertex", repaired_vertex},
        {"peak_memory_bytes", peak_memory_bytes},
    };
    return json.dump(2) + "\n";
}

}  // namespace ringlet
