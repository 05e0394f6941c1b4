#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "math/finite.h"
#include "session/json_text.h"
#include "session/live/scene_checks.h"
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

std::string place_of(std::int64_t strand, std::int64_t vertex) {
    return "strand " + std::to_string(strand) + ", vertex " + std::to_string(vertex);
}

struct NonfiniteVertices {
    std::int64_t count = 0;
    std::string first;  // its place
};

// The vertices of the simulated strands that are NaN or infinite now.
NonfiniteVertices find_nonfinite(const std::vector<Actor>& actors) {
    NonfiniteVertices out;
    int strands_before = 0;
    for (const Actor& actor : actors) {
        const Channel<3>& x = actor.simulation().state().x;
        const StrandLayout& layout = x.layout();
        for (int s = 0; s < layout.strand_count(); ++s)
            for (int i = 0; i < layout.vertex_count(s); ++i) {
                const Vec3f p = x.vec3(s, i);
                if (is_finite(p)) continue;
                if (out.count++ == 0) out.first = place_of(strands_before + s, i);
            }
        strands_before += layout.strand_count();
    }
    return out;
}

std::vector<Warning> warnings_of(const Report& report, const std::string& first_nonfinite) {
    const char* const remedy = "raise sim.substeps or lower sim.dt";
    std::vector<Warning> out;
    if (report.nonfinite_vertices > 0)
        out.push_back({std::to_string(report.nonfinite_vertices) + " vertices are NaN or infinite",
                       first_nonfinite, remedy});
    if (report.repaired_strand >= 0)
        out.push_back({"the strand became unstable and was brought back to a finite state",
                       place_of(report.repaired_strand, report.repaired_vertex), remedy});
    if (report.repaired_tips > 0)
        out.push_back({std::to_string(report.repaired_tips) +
                           " times a fur tip became unstable and was brought back",
                       "", remedy});
    return out;
}

}  // namespace

Hash Session::Impl::state_hash() const {
    if (actors.size() == 1) return actors.front().hash();
    Hash all;
    for (const Actor& actor : actors) {
        const std::uint64_t own = actor.hash().value();
        all.add(static_cast<std::uint32_t>(own));
        all.add(static_cast<std::uint32_t>(own >> 32));
    }
    return all;
}

Report Session::Impl::report() const {
    const Impl& p = *this;
    Report out = p.statistics.totals();
    out.scene = p.scene.name;
    out.model = model_names(p.actors);
    out.backend = p.options.backend == Backend::cuda ? "cuda" : "cpu";
    out.threads = p.pool.thread_count();
    double vertex_substeps = 0;
    for (const Actor& actor : p.actors) {
        const int substeps = actor.scene.sim.substeps;
        const std::int64_t vertices = actor.groom.simulated_layout().vertex_total();
        out.strands += actor.groom.simulated_count();
        out.vertices += vertices;
        out.substeps = std::max(out.substeps, substeps);
        vertex_substeps += static_cast<double>(vertices) * substeps;
        if (!actor.fur || !actor.fur->has_coat()) continue;
        const int tips = actor.fur->coat().vertex_count();
        out.vertices += tips;
        vertex_substeps += static_cast<double>(tips) * with_few_steps(actor.scene.fur).steps;
    }
    out.dt = static_cast<double>(p.scene.sim.dt);
    out.hash = state_hash().hex();
    if (out.frames > 0 && out.seconds > 0) {
        out.ms_per_frame = out.seconds / out.frames * 1000;
        out.vertex_steps_per_second = vertex_substeps * out.frames / out.seconds;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    out.peak_memory_bytes = static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
    const NonfiniteVertices now = find_nonfinite(p.actors);
    out.nonfinite_vertices = std::max(out.nonfinite_vertices, now.count);
    out.warnings = warnings_of(out, now.first);
    for (const Actor& actor : p.actors)
        for (Warning& warning : check_motion(actor, out.frames))
            out.warnings.push_back(std::move(warning));
    out.warnings.insert(out.warnings.end(), p.messages.warnings.begin(), p.messages.warnings.end());
    out.assumptions = p.messages.assumptions;
    return out;
}

std::string Report::to_json() const {
    nlohmann::ordered_json json = {
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
    json["repaired_tips"] = repaired_tips;
    json["resumed_from_frame"] = resumed_from_frame;
    json["warnings"] = nlohmann::ordered_json::array();
    for (const Warning& warning : warnings)
        json["warnings"].push_back(
            {{"text", warning.text}, {"place", warning.place}, {"remedy", warning.remedy}});
    json["assumptions"] = assumptions;
    json["failure"] = failure;
    return json_text(json, 2);
}

}  // namespace ringlet
