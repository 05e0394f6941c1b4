#include "sim/contact_strands.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/substeps.h"

namespace ringlet {

namespace {

// m; the path of a vertex is examined up to this length.
constexpr float kMaxPath = 0.06f;
// m^4/s^2, bending stiffness over the mass of a metre of hair, for models without a known bending
// stiffness: that of hair of 80 um (docs/models/rod.md).
constexpr float kBending = 1.2e-3f;
constexpr float kShortest = 1e-5f;  // m, least length of a segment there
// rad; a segment that rotates by more in a substep does not keep its length along its direction at
// the start.
constexpr float kSteadyTurn = 0.05f;

Vec3f limited(Vec3f path) {
    const float squared = dot(path, path);
    return squared > kMaxPath * kMaxPath ? path * (kMaxPath / sqrt(squared)) : path;
}

std::vector<float> step_lengths(const SimSettings& settings, bool is_second_order) {
    std::vector<float> out;
    for (int k = 0; k < settings.substeps; ++k) {
        const SubstepTimes at = substep_times(settings.dt, settings.substeps, is_second_order, k);
        for (const float h : {at.h, at.span})
            if (std::find(out.begin(), out.end(), h) == out.end()) out.push_back(h);
    }
    return out;
}

// The strands with roots in each cell of the given size (m); 0: each strand by itself.
std::vector<std::vector<int>> clumps_of(const StrandSet& rest, float cell) {
    std::vector<std::vector<int>> out;
    std::map<std::tuple<int, int, int>, std::size_t> cells;
    for (int s = 0; s < rest.strand_count(); ++s) {
        if (!(cell > 0)) {
            out.push_back({s});
            continue;
        }
        const Vec3f root = rest.position.vec3(s, 0) * (1 / cell);
        const auto index = [](float at) { return static_cast<int>(std::floor(at)); };
        const auto [at, is_new] =
            cells.try_emplace({index(root.x), index(root.y), index(root.z)}, out.size());
        if (is_new) out.push_back({});
        out[at->second].push_back(s);
    }
    return out;
}

}  // namespace

ContactStrands::ContactStrands(const StrandSet& rest, const SimSettings& settings,
                               const Model& model)
    : holds_roots_(settings.hold_roots),
      holds_tips_(settings.hold_tips),
      spreads_impulses_(model.mechanics().bend == nullptr),
      gravity_(settings.gravity),
      clumps_(clumps_of(rest, settings.strand_contact.clump)),
      beams_(step_lengths(settings, model.is_second_order())),
      tension_(beams_) {
    for (const std::vector<int>& clump : clumps_) add_strand(rest, settings, model, clump);
    tension_ = StrandTension(beams_);
    const auto count = static_cast<std::size_t>(vertex_total());
    x_.resize(count);
    v_.resize(count);
    move_.resize(count);
    h_.resize(clumps_.size());
    time_after_.resize(clumps_.size());
    step_index_.resize(clumps_.size());
    keeps_length_.resize(clumps_.size());
    for (int c = 0; c < clump_count(); ++c)
        for (int i = 0; i < vertex_count(c); ++i)
            x_[static_cast<std::size_t>(first_vertex(c) + i)] =
                rest.position.vec3(strands_of(c).front(), i);
}

void ContactStrands::add_strand(const StrandSet& rest, const SimSettings& settings,
                                const Model& model, std::span<const int> clump) {
    const Channel<1>* bend = model.mechanics().bend;
    std::vector<float> lengths, joints;
    const int s = clump.front(), vertices = rest.layout->vertex_count(s);
    const bool has_clamp = settings.hold_roots && settings.clamp_root;
    for (int i = 0; i + 1 < vertices; ++i) {
        lengths.push_back(norm(rest.position.vec3(s, i + 1) - rest.position.vec3(s, i)));
        longest_ = max(longest_, lengths.back());
        const float l = max(lengths.back(), kShortest);
        const float own = i > 0 || has_clamp ? kBending / (l * l) : 0;
        joints.push_back(bend ? bend->read().at(s, i) : own);
    }
    const auto index = static_cast<std::int32_t>(mass_.size());
    beams_.add({lengths, joints, settings.hold_roots, settings.hold_tips});
    owner_.insert(owner_.end(), static_cast<std::size_t>(vertices), index);
    mass_.push_back(beams_.mean_length(index) * static_cast<float>(clump.size()));
}

void ContactStrands::start(const SimState& state, const Model& model, const ContactStep& step,
                           const StrandChannel<1>& meeting, const TaskPool& pool) {
    for (std::size_t c = 0; c < clumps_.size(); ++c) {
        const bool is_long = step.stage == StepStage::second && meeting.at(clumps_[c].front()) > 0;
        h_[c] = is_long ? step.span : step.h;
        step_index_[c] = beams_.step_index(h_[c]);
        time_after_[c] = step.stage == StepStage::first ? step.whole_h - step.h : 0;
    }
    const Channel<3>* const force = model.mechanics().force;
    if (force) force->read();
    pool.for_each(clump_count(), [&](int c) {
        load(state, c);
        predict(c, force, step);
    });
}

void ContactStrands::load(const SimState& state, int clump) {
    const int s = strands_of(clump).front();
    for (int k = 0; k < vertex_count(clump); ++k) {
        const auto i = static_cast<std::size_t>(first_vertex(clump) + k);
        x_[i] = state.x.vec3(s, k);
        v_[i] = state.v.vec3(s, k);
    }
}

// The displacement of a strand without contact: by its velocity, gravity and the internal forces at
// the end of the last substep, as a beam responds to them. A held root keeps its velocity. The
// forces of models without a known bending stiffness are not known.
void ContactStrands::predict(int clump, const Channel<3>* force, const ContactStep& step) {
    const int s = strands_of(clump).front(), count = vertex_count(clump);
    const auto first = static_cast<std::size_t>(first_vertex(clump));
    const float h = step_of(clump), scale = (h / step.h) * (h / step.h);
    const Vec3f common = holds_roots_ ? v_[first] : Vec3f{0, 0, 0};
    keeps_length_[static_cast<std::size_t>(clump)] = 0;
    if (spreads_impulses_) {
        for (std::size_t i = first; i < first + static_cast<std::size_t>(count); ++i) {
            const bool is_held = !(beams_.inverse_mass(static_cast<int>(i)) > 0);
            move_[i] = (is_held ? common : v_[i] + gravity_ * h) * h;
        }
        return;
    }
    Vec3f before{0, 0, 0};
    for (int k = 0; k < count; ++k) {
        const std::size_t i = first + static_cast<std::size_t>(k);
        move_[i] = (v_[i] - common + gravity_ * h) * (h * beams_.mass(static_cast<int>(i)));
        if (!force) continue;
        const Vec3f after = force->vec3(s, k) * scale;
        move_[i] += after - before;
        before = after;
    }
    const std::span<Vec3f> own(move_.data() + first, static_cast<std::size_t>(count));
    const bool keeps = !is_held() && is_steady(clump);
    keeps_length_[static_cast<std::size_t>(clump)] = keeps ? 1 : 0;
    if (keeps)
        tension_.set_shape(beams_, clump, std::span<const Vec3f>(x_.data() + first, own.size()));
    respond_to_forces(clump, own);
    for (Vec3f& u : own) u += common * h;
}

// Whether no segment rotates by more than kSteadyTurn in the substep.
bool ContactStrands::is_steady(int clump) const {
    const auto first = static_cast<std::size_t>(first_vertex(clump));
    const std::size_t last = first + static_cast<std::size_t>(vertex_count(clump)) - 1;
    const float limit = kSteadyTurn / step_of(clump);
    for (std::size_t i = first; i < last; ++i) {
        const Vec3f apart = x_[i + 1] - x_[i], speed = v_[i + 1] - v_[i];
        if (dot(speed, speed) > limit * limit * dot(apart, apart)) return false;
    }
    return true;
}

// A beam across the strand, and forces along it that keep the lengths.
void ContactStrands::respond_to_forces(int clump, std::span<Vec3f> forces) {
    const bool keeps = keeps_length_[static_cast<std::size_t>(clump)] != 0;
    if (keeps) tension_.balance(beams_, clump, forces);
    beams_.respond_to_all(step_index_of(clump), clump, forces);
    if (keeps) tension_.keep_lengths(beams_, clump, forces);
}

void ContactStrands::respond_to_all(std::span<const char> chosen, std::span<Vec3f> change,
                                    const TaskPool& pool) {
    pool.for_each(clump_count(), [&](int c) {
        if (chosen[static_cast<std::size_t>(c)] == 0) return;
        const std::span<Vec3f> own = change.subspan(static_cast<std::size_t>(first_vertex(c)),
                                                    static_cast<std::size_t>(vertex_count(c)));
        for (std::size_t k = 0; k < own.size(); ++k)
            own[k] = own[k] * (step_of(c) * beams_.mass(first_vertex(c) + static_cast<int>(k)));
        respond_to_forces(c, own);
    });
}

Vec3f ContactStrands::path(std::int32_t vertex) const {
    const auto i = static_cast<std::size_t>(vertex);
    return limited(move_[i] + v_[i] * time_after(owner_of(vertex)));
}

MovingSegment ContactStrands::moving(std::int32_t segment) const {
    const auto i = static_cast<std::size_t>(segment);
    return {x_[i], x_[i + 1], limited(move_[i]), limited(move_[i + 1])};
}

MovingSegment ContactStrands::moving_whole_step(std::int32_t segment) const {
    const auto i = static_cast<std::size_t>(segment);
    return {x_[i], x_[i + 1], path(segment), path(segment + 1)};
}

float ContactStrands::compliance(std::int32_t segment, float share) const {
    const int clump = owner_of(segment);
    return free_compliance(clump) *
           beams_.compliance(step_index_of(clump), clump, {segment - first_vertex(clump), share});
}

void ContactStrands::respond(std::int32_t segment, float share, Vec3f impulse,
                             BeamMoves& moves) const {
    const int clump = owner_of(segment);
    beams_.respond(step_index_of(clump), clump, {segment - first_vertex(clump), share},
                   impulse * free_compliance(clump), moves);
}

void ContactStrands::kick(std::int32_t segment, float share, Vec3f impulse,
                          std::span<Vec3f> velocities) const {
    const auto i = static_cast<std::size_t>(segment);
    const Vec3f force = impulse * (1 / mass_of(owner_of(segment)));
    velocities[i] += force * ((1 - share) * beams_.inverse_mass(segment));
    velocities[i + 1] += force * (share * beams_.inverse_mass(segment + 1));
}

void ContactStrands::spread(std::span<const char> touched, std::span<Vec3f> change,
                            const TaskPool& pool) {
    if (!spreads_impulses_) return;
    respond_to_all(touched, change, pool);
    pool.for_each(clump_count(), [&](int c) {
        if (touched[static_cast<std::size_t>(c)] == 0) return;
        for (int i = first_vertex(c); i < first_vertex(c) + vertex_count(c); ++i)
            change[static_cast<std::size_t>(i)] =
                change[static_cast<std::size_t>(i)] * (1 / step_of(c));
    });
}

void ContactStrands::add_velocities(std::span<const Vec3f> change, std::span<const char> touched,
                                    SimState& state, const TaskPool& pool) const {
    const StrandLayout& layout = state.v.layout();
    pool.for_each(clump_count(), [&](int c) {
        if (touched[static_cast<std::size_t>(c)] == 0) return;
        const int first = first_vertex(c), last = vertex_count(c) - 1;
        for (const int s : strands_of(c))
            for (int i = 0; i < layout.vertex_count(s); ++i) {
                const auto from = static_cast<std::size_t>(first + std::min(i, last));
                state.v.set_vec3(s, i, state.v.vec3(s, i) + change[from]);
            }
    });
}

// A vertex of mass m that moves by u has the internal force m (u/h - v - h g)/h, where v includes
// the impulses. The force in the segment after a vertex is minus the sum of those beyond.
void ContactStrands::set_forces(std::span<const Vec3f> moves, std::span<const Vec3f> change,
                                std::span<const char> chosen, const ContactStep& step,
                                Channel<3>& force, const TaskPool& pool) const {
    force.edit();
    pool.for_each(clump_count(), [&](int c) {
        if (chosen[static_cast<std::size_t>(c)] == 0) return;
        const int first = first_vertex(c), last = vertex_count(c) - 1;
        const float h = step_of(c), scale = (step.h / h) * (step.h / h);
        Vec3f sum{0, 0, 0};
        for (int i = last; i > 0; --i) {
            const auto k = static_cast<std::size_t>(first + i);
            const Vec3f free = (v_[k] + change[k] + gravity_ * h) * h;
            if (i < last || !holds_tips_)
                sum -= (move_[k] + moves[k] - free) * (beams_.mass(first + i) * scale);
            for (const int s : strands_of(c))
                if (i < force.layout().vertex_count(s)) force.set_vec3(s, i - 1, sum);
        }
    });
}

std::size_t ContactStrands::byte_count() const {
    return beams_.byte_count() + tension_.byte_count() +
           owner_.size() * (sizeof(std::int32_t) + 3 * sizeof(Vec3f)) +
           clumps_.size() * (3 * sizeof(float) + sizeof(int));
}

}  // namespace ringlet
