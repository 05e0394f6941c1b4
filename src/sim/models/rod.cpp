// Prepares the strands for rod_kernel.h: masses, stiffness, frames, and the rest rotations of their
// joints, from the groomed shape.
//
// What is not there yet: contact inside the solve. Vertices are projected out of bodies after it
// and lengths clamped root to tip, which loses part of the friction and lets the next solve pull a
// vertex back in by as much as it moves in a substep.
#include <algorithm>

#include "sim/cpu/lane_choice.h"
#include "sim/models/rod_kernel.h"
#include "sim/models/upkeep.h"

namespace ringlet {

namespace {

// Segments shorter than this (m) weigh and bend as if they had this length: a groom may have
// coincident vertices, and their mass and compliance must not vanish.
constexpr float kShortest = 1e-5f;

// The most a joint may be turned at rest (rad) so that the groomed pose is an equilibrium; more
// would wrap round at half a turn.
constexpr float kMostSagTurn = 2.5f;

class SolverRod final : public Model {
public:
    explicit SolverRod(const ModelStart& start)
        : settings_(start.settings),
          u_(start.rest.layout),
          omega_(start.rest.layout),
          lambda_(start.rest.layout),
          strain_(start.rest.layout),
          q_(start.rest.layout),
          q_start_(start.rest.layout),
          q_free_(start.rest.layout),
          turn_(start.rest.layout),
          w_(start.rest.layout),
          length_(start.rest.layout, -1),
          bend_(start.rest.layout),
          inertia_(start.rest.layout),
          gap_(gaps_to_bodies(start)),
          scratch_(start.rest.layout),
          root_(lane_count() * 3, 0),
          per_kg_(lane_count(), 0),
          repaired_(lane_count(), -1),
          advance_block_(
              pick_lanes(start.lanes, rod_block_scalar, rod_block_wide8, rod_block_avx2)) {
        clear_frames();
        for (int strand = 0; strand < start.rest.strand_count(); ++strand) {
            prepare_lengths(start.rest, strand);
            prepare_material(strand);
            prepare_root(start.rest, strand);
            prepare_frames(start, strand);
            if (settings_.rod.sag_free && settings_.hold_roots) balance_gravity(start.head, strand);
            prepare_strain(start.head, strand);
        }
    }

    void substep(SimState& state, const Surroundings& around, const TaskPool& pool) override {
        const RodUniforms uniforms = uniforms_for(around);
        pool.for_each(u_.layout().block_count(),
                      [&](int b) { advance_block_(uniforms, block_at(b, state)); });
    }

    void set_gravity(Vec3f gravity) override { settings_.gravity = gravity; }

    std::size_t byte_count() const override {
        std::size_t total = scratch_.byte_count();
        for (const Channel<1>* channel : {&w_, &length_, &bend_, &inertia_, &gap_})
            total += channel->byte_count();
        for (const Channel<3>* channel : {&u_, &omega_, &lambda_, &strain_})
            total += channel->byte_count();
        for (const Channel<4>* channel : {&q_, &q_start_, &q_free_, &turn_})
            total += channel->byte_count();
        return total + (root_.size() + per_kg_.size() + repaired_.size()) * sizeof(float);
    }

    std::pair<int, int> take_repaired() override {
        return take_first_repaired(repaired_, u_.layout());
    }

    float rest_length(int strand, int vertex) const override { return length_.at(strand, vertex); }

private:
    std::size_t lane_count() const {
        return static_cast<std::size_t>(u_.layout().block_count()) * kLanes;
    }
    int segment_count(int strand) const { return u_.layout().vertex_count(strand) - 1; }
    float weighing_length(int strand, int segment) const {
        return max(length_.at(strand, segment), kShortest);
    }

    static Quatf quat_at(const Channel<4>& channel, int strand, int i) {
        return {channel.at(strand, i, 0), channel.at(strand, i, 1), channel.at(strand, i, 2),
                channel.at(strand, i, 3)};
    }
    static void set_quat(Channel<4>& channel, int strand, int i, Quatf a) {
        channel.at(strand, i, 0) = a.x;
        channel.at(strand, i, 1) = a.y;
        channel.at(strand, i, 2) = a.z;
        channel.at(strand, i, 3) = a.w;
    }

    // Padding turns too: its frames must be rotations.
    void clear_frames() {
        for (Channel<4>* channel : {&q_, &q_start_, &q_free_, &turn_})
            for (int b = 0; b < u_.layout().block_count(); ++b)
                for (int i = 0; i < u_.layout().rows(b); ++i)
                    for (int lane = 0; lane < kLanes; ++lane)
                        Rows4<float>{channel->block(b) + lane}.set(i, {0, 0, 0, 1});
    }

    void prepare_lengths(const StrandSet& rest, int strand) {
        for (int i = 0; i < segment_count(strand); ++i)
            length_.at(strand, i) =
                norm(rest.position.vec3(strand, i + 1) - rest.position.vec3(strand, i));
    }

    // Each vertex weighs half of its segments, so the tip weighs half a segment. A joint bends over
    // half of its segments; the clamp at the root over half of the first: with a whole one a
    // cantilever is 6 to 20 % off. A rod of circular section has EI/(rho A) = E r^2 / (4 rho).
    void prepare_material(int strand) {
        const int count = segment_count(strand);
        const RodSettings& rod = settings_.rod;
        const float per_length = rod.density * kPi * rod.radius * rod.radius;
        float total = 0;
        for (int i = 0; i < count; ++i) total += weighing_length(strand, i);
        const float mean = count > 0 ? total / static_cast<float>(count) : kShortest;
        per_kg_[slot(strand)] = 1 / (per_length * mean);
        const float stiffness =
            rod.youngs_modulus * rod.radius * rod.radius / (4 * rod.density * mean);
        for (int i = 0; i <= count; ++i) {
            const float before = i > 0 ? weighing_length(strand, i - 1) : 0;
            const float after = i < count ? weighing_length(strand, i) : 0;
            const float shared = count > 0 ? 0.5f * (before + after) : kShortest;
            w_.at(strand, i) = i == 0 && settings_.hold_roots ? 0 : mean / shared;
            if (i == count) continue;
            inertia_.at(strand, i) = after * after * after / (12 * mean);
            const bool is_joint = i > 0 || (settings_.hold_roots && settings_.clamp_root);
            bend_.at(strand, i) = is_joint ? stiffness / shared : 0;
        }
    }

    void prepare_root(const StrandSet& rest, int strand) {
        const StrandLayout::Place at = u_.layout().place(strand);
        float* block = root_.data() + static_cast<std::size_t>(at.block) * 3 * kLanes;
        Rows3<float>{block + at.lane}.set(0, rest.position.vec3(strand, 0));
    }

    // Frames by parallel transport from the root: all natural twist is in the shape, none is added.
    void prepare_frames(const ModelStart& start, int strand) {
        Vec3f tangent{0, 0, 1};
        Quatf before{0, 0, 0, 1}, q = before;
        for (int i = 0; i < segment_count(strand); ++i) {
            const Vec3f along = unit_or(
                start.rest.position.vec3(strand, i + 1) - start.rest.position.vec3(strand, i),
                tangent);
            q = normalise(quat_between(tangent, along) * before);
            set_quat(turn_, strand, i, normalise(conjugate(before) * q));
            set_quat(q_, strand, i, normalise(start.head.rotation * q));
            tangent = along;
            before = q;
        }
    }

    // Sag-free start. In equilibrium the force in a segment is the weight hanging from it,
    // lambda_{i-1} = lambda_i + m_i g, and the torque of a joint holds up what is beyond it,
    // tau_i = tau_{i+1} + l d_i x lambda_i. Rest rotations are chosen so that the groomed pose
    // gives these torques.
    void balance_gravity(const Rigidf& head, int strand) {
        const int count = segment_count(strand);
        Vec3f force{0, 0, 0}, torque{0, 0, 0};
        for (int i = count - 1; i >= 0; --i) {
            const Quatf q = quat_at(q_, strand, i);
            const Vec3f d = tangent_of(q);
            force += settings_.gravity * (1 / w_.at(strand, i + 1));
            torque += cross(d, force) * length_.at(strand, i);
            lambda_.set_vec3(strand, i, force);
            const float k = bend_.at(strand, i);
            if (k <= 0) continue;
            const Quatf back = exp_map(-turn_under({k, k * (twist_ratio() - 1), d}, torque), 3.0f);
            const Quatf before = i > 0 ? quat_at(q_, strand, i - 1) : head.rotation;
            set_quat(turn_, strand, i, normalise(conjugate(before) * back * q));
        }
    }

    // How far joints are from rest at the start: damping acts on the change of it.
    void prepare_strain(const Rigidf& head, int strand) {
        Quatf before = head.rotation;
        for (int i = 0; i < segment_count(strand); ++i) {
            const Quatf q = quat_at(q_, strand, i);
            const Vec3f c = log_map(q * conjugate(before * quat_at(turn_, strand, i)));
            strain_.set_vec3(strand, i, rotate(conjugate(q), c));
            before = q;
        }
    }

    // The turn of a joint whose torque is the given one, by the kernel's own maps.
    static Vec3f turn_under(Axial3<float> stiffness, Vec3f torque) {
        Vec3f turn{0, 0, 0};
        for (int n = 0; n < 100; ++n) {
            const Vec3f c = log_map(exp_map(turn, 3.0f));
            const Vec3f miss = torque - conjugate_torque(c, stiffness * c);
            const float across = 1 / stiffness.s, along = 1 / (stiffness.s + stiffness.e);
            turn += Axial3<float>{across, along - across, stiffness.d} * miss;
            turn = turn * min(kMostSagTurn / max(norm(turn), kTiny), 1.0f);
        }
        return turn;
    }

    std::size_t slot(int strand) const {
        const StrandLayout::Place at = u_.layout().place(strand);
        return static_cast<std::size_t>(at.block * kLanes + at.lane);
    }
    // Of a circular section, J = 2 I and G = E / (2 (1 + nu)).
    float twist_ratio() const { return 1 / (1 + settings_.rod.poisson_ratio); }

    RodUniforms uniforms_for(const Surroundings& around) const {
        return {.h = around.h,
                .solves = settings_.rod.solves,
                .gravity = settings_.gravity,
                .force = settings_.force,
                .wind = around.wind,
                .wind_decay = exp(-settings_.damping * around.h),
                .twist_ratio = twist_ratio(),
                .rayleigh_rate = settings_.rod.damping / around.h,
                .holds_roots = settings_.hold_roots,
                .head = around.head,
                .gap = settings_.collision_radius,
                .colliders = around.colliders.data(),
                .collider_count = static_cast<int>(around.colliders.size())};
    }

    RodBlock block_at(int b, SimState& state) {
        const std::size_t lane = static_cast<std::size_t>(b) * kLanes;
        return {.rows = u_.layout().rows(b),
                .x = state.x.block(b),
                .v = state.v.block(b),
                .u = u_.block(b),
                .q = q_.block(b),
                .q_start = q_start_.block(b),
                .q_free = q_free_.block(b),
                .omega = omega_.block(b),
                .lambda = lambda_.block(b),
                .strain = strain_.block(b),
                .w = w_.block(b),
                .length = length_.block(b),
                .bend = bend_.block(b),
                .inertia = inertia_.block(b),
                .turn = turn_.block(b),
                .gap = gap_.block(b),
                .root = root_.data() + lane * 3,
                .per_kg = per_kg_.data() + lane,
                .scratch = scratch_.block(b),
                .repaired = repaired_.data() + lane};
    }

    SimSettings settings_;
    Channel<3> u_, omega_, lambda_, strain_;
    Channel<4> q_, q_start_, q_free_, turn_;
    Channel<1> w_, length_, bend_, inertia_, gap_;
    Channel<kRodScratch> scratch_;
    std::vector<float> root_, per_kg_, repaired_;
    BlockFunction<RodUniforms, RodBlock> advance_block_;
};

}  // namespace

std::unique_ptr<Model> make_model_rod(const ModelStart& start) {
    return std::make_unique<SolverRod>(start);
}

}  // namespace ringlet
