#include "session/live/run_statistics.h"

#include <algorithm>

namespace ringlet {

void RunStatistics::begin_step() {
    last_ = {};
    strain_limited_ = 0;
    first_strand_ = 0;
}

void RunStatistics::add(const StepOutcome& actor, int simulated_strands) {
    const Measurement& now = actor.measured;
    totals_.seconds += actor.seconds;
    last_.max_stretch = std::max(last_.max_stretch, now.max_stretch);
    last_.max_penetration = std::max(last_.max_penetration, now.max_penetration);
    last_.stretch_p99 = std::max(last_.stretch_p99, now.stretch_p99);
    last_.penetrating_vertices += now.penetrating_vertices;
    last_.nonfinite_vertices += now.nonfinite_vertices;
    last_.sum_stretch += now.sum_stretch;
    last_.segment_count += now.segment_count;
    strain_limited_ += actor.strain_limited;
    totals_.repaired_tips += actor.repaired_tips;
    if (actor.repaired.first >= 0 && totals_.repaired_strand < 0) {
        totals_.repaired_strand = first_strand_ + actor.repaired.first;
        totals_.repaired_vertex = actor.repaired.second;
    }
    first_strand_ += simulated_strands;
}

MemorySpans RunStatistics::changing_memory() {
    MemorySpans out;
    const auto add = [&out](auto&... values) {
        (out.push_back(std::as_writable_bytes(std::span(&values, 1))), ...);
    };
    Report& all = totals_;
    add(all.frames, all.seconds, all.max_stretch, all.mean_stretch, all.max_penetration,
        all.penetrating_vertices, all.nonfinite_vertices, all.repaired_strand, all.repaired_vertex,
        all.stretch_p99, all.strain_limited_strands, all.strain_limited_frames, all.repaired_tips);
    add(last_.max_stretch, last_.sum_stretch, last_.segment_count, last_.stretch_p99,
        last_.max_penetration, last_.penetrating_vertices, last_.nonfinite_vertices);
    add(sum_stretch_, segment_count_, strain_limited_);
    return out;
}

void RunStatistics::end_step() {
    Report& all = totals_;
    all.max_stretch = std::max(all.max_stretch, last_.max_stretch);
    all.max_penetration = std::max(all.max_penetration, last_.max_penetration);
    all.penetrating_vertices = std::max(all.penetrating_vertices, last_.penetrating_vertices);
    all.nonfinite_vertices = std::max(all.nonfinite_vertices, last_.nonfinite_vertices);
    all.stretch_p99 = std::max(all.stretch_p99, last_.stretch_p99);
    all.strain_limited_strands += strain_limited_;
    all.strain_limited_frames += strain_limited_ > 0 ? 1 : 0;
    ++all.frames;
    sum_stretch_ += last_.sum_stretch;
    segment_count_ += last_.segment_count;
    all.mean_stretch =
        sum_stretch_ / static_cast<double>(std::max<std::int64_t>(segment_count_, 1));
}

}  // namespace ringlet
