#include <sys/resource.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "session/live/session_impl.h"
#include "sim/models/registry.h"

namespace ringlet {

namespace {

std::string name_of(const Actor& actor) {
    if (has_shells(actor.scene.fur))
        return actor.scene.fur.style == FurStyle::original ? "original" : "shells";
    return std::string(all_models()[static_cast<std::size_t>(actor.scene.sim.model)].name);
}

// Each model once, in the order of the actors: "pbd+rod".
std::string model_names(const std::vector<Actor>& actors) {
    std::vector<std::string> names;
    std::string out;
    for (const Actor& actor : actors) {
        const std::string name = name_of(actor);
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        out += (names.empty() ? "" : "+") + name;
        names.push_back(name);
    }
    return out;
}

}  // namespace

Report Session::report() const {
    const Impl& p = *impl_;
    Report out = p.totals;
    out.scene = p.scene.name;
    out.model = model_names(p.actors);
    out.backend = impl_->options.backend == Backend::cuda ? "cuda" : "cpu";
    out.threads = p.pool.thread_count();
    double vertex_substeps = 0;
    for (const Actor& actor : p.actors) {
        const int substeps = actor.scene.sim.substeps;
        const std::int64_t vertices = actor.simulated().layout->vertex_total();
        out.strands += actor.simulated().strand_count();
        out.vertices += vertices;
        out.substeps = std::max(out.substeps, substeps);
        vertex_substeps += static_cast<double>(vertices) * substeps;
        if (!actor.fur || !actor.fur->has_coat()) continue;
        const int tips = actor.fur->coat().vertex_count();
        out.vertices += tips;
        vertex_substeps += static_cast<double>(tips) * with_few_steps(actor.scene.fur).steps;
    }
    out.dt = static_cast<double>(p.scene.sim.dt);
    out.hash = hash();
    if (out.frames > 0 && out.seconds > 0) {
        out.ms_per_frame = out.seconds / out.frames * 1000;
        out.vertex_steps_per_second = vertex_substeps * out.frames / out.seconds;
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
        {"stretch_p99", stretch_p99},
        {"strain_limited_strands", strain_limited_strands},
        {"strain_limited_frames", strain_limited_frames},
    };
    return json.dump(2) + "\n";
}

}  // namespace ringlet
