// Model pbd: prepares masses, rest lengths, distance pairs and rest angles for pbd_kernel.h.
#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "math/noise.h"
#include "sim/models/block_model.h"
#include "sim/models/pbd_kernel.h"
#include "sim/substeps.h"

namespace ringlet {

namespace {

// Random streams; other modules use other seeds.
enum Stream : std::uint32_t { kMassStream = 0x70620001, kPerturbationStream = 0x70620002 };

// The largest stiffness to which a long substep raises a smaller one. Without it a limp strand is
// almost rigid in a substep of 1/60 s: fractions close to 1 remove all of an error, not more of it.
constexpr float kStiffestLongSubstep = 0.998f;

// Whether pairs of substeps are the stages of a second-order step. All of them are, or none: the
// stiffness of goals is stored for one length of the step.
bool takes_second_order_steps(const SimSettings& settings) {
    return settings.pbd.integrator == Integrator::second_order && settings.substeps % 2 == 0;
}

// (h / stiffness_step)^2 for the backward Euler step h: an acceleration moves a vertex by h^2 in a
// substep, so stiffness in proportion to it keeps sag and frequency.
double relative_step_squared(const SimSettings& settings) {
    if (!(settings.pbd.stiffness_step > 0)) return 1;
    double h = static_cast<double>(settings.dt) / settings.substeps;
    if (takes_second_order_steps(settings)) h *= 2 * static_cast<double>(sdirk2::kGamma);
    const double ratio = h / static_cast<double>(settings.pbd.stiffness_step);
    return std::abs(ratio - 1) < 1e-5 ? 1 : ratio * ratio;
}

// Müller et al. 2007, section 3.3: n iterations with k' leave the same error as one with k.
float per_iteration(float k, const SimSettings& settings) {
    if (!settings.pbd.iteration_corrected) return k;
    return static_cast<float>(1 - nth_root(1 - static_cast<double>(k), settings.iterations));
}

// Per iteration, of a constraint between vertices that removes the fraction k of its error in a
// substep of stiffness_step. Neighbours share their errors, so that the slow modes of a strand are
// only as stiff as the exponent n of the error (1-k)^n that a substep leaves.
float stiffness_of_constraint(float k, const SimSettings& settings) {
    const double exponent = relative_step_squared(settings);
    if (exponent != 1 && k < 1) {
        const float rescaled = 1 - exp(static_cast<float>(exponent) * log(1 - k));
        k = exponent > 1 ? max(k, min(rescaled, kStiffestLongSubstep)) : rescaled;
    }
    return per_iteration(k, settings);
}

// Per iteration, of a pull on a single vertex. Backward Euler moves an oscillator by the fraction
// a/(1 + a), a = omega^2 h^2, towards its rest position.
float stiffness_of_pull(float k, const SimSettings& settings) {
    const double square = relative_step_squared(settings);
    if (square != 1 && k < 1) {
        const double a = square * static_cast<double>(k) / (1 - static_cast<double>(k));
        k = static_cast<float>(a / (1 + a));
    }
    return per_iteration(k, settings);
}

float rest_angle(const Channel<3>& x, int strand, int a, int b, int c) {
    const Vec3f e1 = x.vec3(strand, b) - x.vec3(strand, a);
    const Vec3f e2 = x.vec3(strand, c) - x.vec3(strand, b);
    return atan2(norm(cross(e1, e2)), dot(e1, e2));
}

constexpr int kAllRows = 1 << 30;

class SolverPbd final : public BlockModel<PbdKernel> {
public:
    explicit SolverPbd(const ModelStart& start)
        : BlockModel(start.rest.layout, start.lanes),
          settings_(start.settings),
          groomed_gravity_(keeps_style(start.settings)
                               ? rotate(conjugate(start.head.rotation), start.settings.gravity)
                               : Vec3f{0, 0, 0}),
          length_(start.rest.layout, -1),
          w_(start.rest.layout),
          end_(start.rest.layout) {
        const StrandSet& rest = start.rest;
        const SimSettings& settings = start.settings;
        RINGLET_ASSERT(settings.pbd.pairs.size() <= kMaxPbdPairs,
                       "too many pairs; the scene limits their number");
        for (const PbdPair& pair : settings.pbd.pairs) {
            pair_rest_.emplace_back(rest.layout, -1);
            pairs_.push_back({pair.reach == PairReach::ends ? 0 : pair.span,
                              stiffness_of_constraint(pair.stiffness, settings)});
        }
        if (settings.pbd.shape_stiffness > 0 || keeps_style(settings))
            goal_ = Channel<1>(rest.layout);
        if (is_second_order()) plain_ = StrandChannel<1>(rest.layout);
        if (settings.pbd.bend_stiffness > 0) bend_ = Channel<1>(rest.layout, -1);
        if (!start.bodies.empty()) gap_ = gaps_to_bodies(start);
        if (!goal_.empty() || settings.hold_tips)
            rest_position_ = rest.position;
        else
            root_positions_ = StrandChannel<kHeldAtRoot * 3>(rest.layout);
        start.pool.for_each(rest.strand_count(), [&](int strand) {
            prepare_masses(strand, start.seed);
            prepare_root(rest, strand);
            prepare_lengths(rest, strand);
            prepare_pairs(rest, strand);
            prepare_bends(rest, strand);
            prepare_goals(strand);
            perturb(strand, start.seed, start.state);
        });
    }

    bool is_second_order() const override { return takes_second_order_steps(settings_); }

    void set_gravity(Vec3f gravity) override { settings_.gravity = gravity; }

    StrandMechanics mechanics() const override { return {.gap = &gap_}; }

    std::vector<MemoryUse> memory() const override {
        std::size_t pairs = 0;
        for (const Channel<1>& channel : pair_rest_) pairs += channel.byte_count();
        return {{"lengths", length_.byte_count()},
                {"pairs", pairs},
                {"groomed positions", rest_position_.byte_count()},
                {"goal stiffness", goal_.byte_count()},
                {"angles", bend_.byte_count()},
                {"gaps", gap_.byte_count()},
                {"per strand",
                 bytes_of(root_positions_, w_, end_, plain_, repaired_, strain_limited_)}};
    }

    RestLengths rest_lengths(ChannelAccess& access) const override {
        return {access.read(length_)};
    }

private:
    static bool keeps_style(const SimSettings& settings) {
        return settings.keeps_style() && settings.hold_roots && settings.pbd.style_stiffness > 0;
    }
    int first_free() const { return settings_.hold_roots ? (settings_.clamp_root ? 2 : 1) : 0; }
    bool is_free(int strand, int vertex) const {
        return vertex >= first_free() && static_cast<float>(vertex) < end_.at(strand);
    }

    void prepare_masses(int strand, std::uint32_t seed) {
        const float vary = counter_signed(seed, static_cast<std::uint32_t>(strand), kMassStream);
        w_.at(strand) = 1 / (settings_.pbd.mass * (1 + settings_.pbd.mass_variation * vary));
        end_.at(strand) =
            static_cast<float>(layout().vertex_count(strand) - (settings_.hold_tips ? 1 : 0));
    }

    void prepare_root(const StrandSet& rest, int strand) {
        if (root_positions_.empty()) return;
        for (int i = 0; i < std::min(kHeldAtRoot, layout().vertex_count(strand)); ++i)
            root_positions_.set_vec3(strand, rest.position.vec3(strand, i), 3 * i);
    }

    // The pull to the groomed position: sim.pbd.shape_stiffness, which decreases from the root to
    // zero at shape_reach, and that of sim.keep_style.
    void prepare_goals(int strand) {
        if (goal_.empty() || !settings_.hold_roots) return;
        const int count = layout().vertex_count(strand);
        float from_root = 0;
        for (int i = 0; i < count; ++i) {
            if (i > 0) from_root += length_.at(strand, i - 1);
            if (!is_free(strand, i)) continue;
            const float along = static_cast<float>(i) / static_cast<float>(std::max(count - 1, 1));
            const float fade = max(1 - along / max(settings_.pbd.shape_reach, kTiny), 0.0f);
            const float shape =
                stiffness_of_pull(settings_.pbd.shape_stiffness * fade * fade, settings_);
            goal_.at(strand, i) = shape + style_pull(from_root) * (1 - shape);
        }
    }

    // Per iteration, for a vertex at this distance from its root along the strand. The pull has the
    // frequency of a pendulum of that length, times the root of style_stiffness; one implicit
    // substep moves a vertex by the fraction K = omega^2 h^2/(1 + omega^2 h^2). It acts together
    // with the support in effective_gravity().
    float style_pull(float from_root) const {
        if (!keeps_style(settings_)) return 0;
        const float h = substep_times(settings_.dt, settings_.substeps, is_second_order(), 0).h;
        const float a =
            settings_.pbd.style_stiffness * norm(groomed_gravity_) * h * h / max(from_root, kTiny);
        return static_cast<float>(1 -
                                  nth_root(1 / (1 + static_cast<double>(a)), settings_.iterations));
    }

    // Sag-free start of sim.keep_style: a constant force on every vertex, which turns with the
    // head, balances the weight in the groomed pose. Only the change of gravity relative to the
    // head is left to move the hair.
    Vec3f effective_gravity(const Rigidf& head) const {
        return settings_.gravity - rotate(head.rotation, groomed_gravity_);
    }

    void prepare_lengths(const StrandSet& rest, int strand) {
        for (int i = 0; i + 1 < layout().vertex_count(strand); ++i)
            length_.at(strand, i) =
                norm(rest.position.vec3(strand, i + 1) - rest.position.vec3(strand, i));
    }

    void prepare_pairs(const StrandSet& rest, int strand) {
        const int last = layout().vertex_count(strand) - 1;
        if (last < 1) return;
        float strand_length = 0;
        for (int i = 0; i < last; ++i) strand_length += length_.at(strand, i);
        const float segment = strand_length / static_cast<float>(last);
        const auto rest_distance = [&](const PbdPair& pair, int a, int b) {
            if (pair.rest > 0) return pair.rest * segment;
            return norm(rest.position.vec3(strand, b) - rest.position.vec3(strand, a));
        };
        for (std::size_t k = 0; k < settings_.pbd.pairs.size(); ++k) {
            const PbdPair& pair = settings_.pbd.pairs[k];
            if (pair.reach == PairReach::ends) {
                pair_rest_[k].at(strand, last) = rest_distance(pair, 0, last);
                continue;
            }
            for (int i = 0; i + pair.span <= last; ++i)
                pair_rest_[k].at(strand, i) = rest_distance(pair, i, i + pair.span);
        }
    }

    void prepare_bends(const StrandSet& rest, int strand) {
        const int chunk = settings_.pbd.bend_chunk;
        if (bend_.empty()) return;
        for (int i = chunk; i + chunk < layout().vertex_count(strand); ++i)
            bend_.at(strand, i) = rest_angle(rest.position, strand, i - chunk, i, i + chunk);
    }

    // Pairs shorter than a straight strand push it along itself only, so that an exactly straight
    // strand would collapse within its line. A small perturbation lets it curl.
    void perturb(int strand, std::uint32_t seed, SimState& state) {
        const bool shortens = std::any_of(settings_.pbd.pairs.begin(), settings_.pbd.pairs.end(),
                                          [](const PbdPair& pair) { return pair.rest > 0; });
        if (!shortens) return;
        for (int i = 1; i < layout().vertex_count(strand); ++i) {
            if (!is_free(strand, i)) continue;
            const float size = settings_.pbd.imperfection * length_.at(strand, i - 1);
            const std::uint32_t id =
                hash_bits(static_cast<std::uint32_t>(strand)) + static_cast<std::uint32_t>(i) * 3;
            const auto random = [&](std::uint32_t axis) {
                return size * counter_signed(seed, id + axis, kPerturbationStream);
            };
            state.x.set_vec3(strand, i,
                             state.x.vec3(strand, i) + Vec3f{random(0), random(1), random(2)});
        }
    }

    PbdUniforms uniforms_for(const SubstepContext& context) const override {
        const float h = context.h;
        // Damping acts once per second-order step, as wind does.
        const bool damps = context.stage != StepStage::second;
        PbdUniforms out{
            .h = h,
            .stage = context.stage,
            .span = context.span,
            .iterations = settings_.iterations,
            .gravity = effective_gravity(context.head),
            .force = settings_.force,
            .rigid_damping = damps ? 1 - exp(-settings_.pbd.rigid_damping * context.step) : 0.0f,
            .stretch_stiffness =
                stiffness_of_constraint(settings_.pbd.stretch_stiffness, settings_),
            .bend_stiffness = stiffness_of_constraint(settings_.pbd.bend_stiffness, settings_),
            .bend_chunk = settings_.pbd.bend_chunk,
            .has_goals = !goal_.empty(),
            .first_free = first_free(),
            .rows_with_rest = root_positions_.empty() ? kAllRows : first_free(),
            .length_solves = settings_.pbd.stretch_stiffness < 1 ? 0 : settings_.pbd.length_solves,
            .head = context.head,
            .colliders = context.colliders.data(),
            .collider_count = static_cast<int>(context.colliders.size()),
            .has_thin_bodies = context.has_thin_bodies,
            .pairs = {},
            .pair_count = static_cast<int>(pairs_.size())};
        std::copy(pairs_.begin(), pairs_.end(), out.pairs);
        return out;
    }

    PbdBlock first_block(SimState& state, const SubstepContext& context,
                         ChannelAccess& access) override {
        PbdBlock block{.rows = 0,
                       .x = access.edit(state.x),
                       .v = access.edit(state.v),
                       .w = access.read(w_),
                       .end = access.read(end_),
                       .rest = access.read(rest_position_),
                       .root = access.read(root_positions_),
                       .pose = access.read(context.root_poses),
                       .length = access.read(length_),
                       .goal = access.read(goal_),
                       .gap = access.read(gap_),
                       .bend = access.read(bend_),
                       .pair = {},
                       .scratch = nullptr,
                       .plain = access.edit(plain_),
                       .repaired = access.edit(repaired_),
                       .strain_limited = access.edit(strain_limited_)};
        for (std::size_t k = 0; k < pair_rest_.size(); ++k)
            block.pair[k] = access.read(pair_rest_[k]);
        return block;
    }

    SimSettings settings_;
    Vec3f groomed_gravity_;  // m/s^2, in the head's frame; 0 without sim.keep_style
    Channel<1> length_, goal_, gap_, bend_;
    std::vector<Channel<1>> pair_rest_;
    std::vector<PbdPairUniforms> pairs_;
    Channel<3> rest_position_;  // of all vertices, if goals or held tips need them
    StrandChannel<kHeldAtRoot * 3>
        root_positions_;  // otherwise: of the first vertices of each strand
    StrandChannel<1> w_, end_;
    StrandChannel<1> plain_;  // 1: the first stage was not extrapolated; empty: no stages
};

std::unique_ptr<Model> make_model(const ModelStart& start) {
    return std::make_unique<SolverPbd>(start);
}

constexpr ModelProfile kProfile = {
    .stiff_label = "bend_stiffness 0.2",
    .make_stiff = [](SimSettings& settings) { settings.pbd.bend_stiffness = 0.2f; },
    .make_curly =
        [](SimSettings& settings) {
            settings.pbd.pairs = {{PairReach::along, 2, 0, 0.8f},
                                  {PairReach::along, 5, 0, 0.5f},
                                  {PairReach::ends, 2, 0, 0.3f}};
            settings.pbd.bend_stiffness = 0.5f;
        },
    .set_stiffness = [](SimSettings& settings, float along) {  // at most 1
        settings.pbd.bend_stiffness = six_decades(along) / 1000;
        settings.pbd.pairs = {{PairReach::along, 2, 0, six_decades(along) / 1000}};
    }};

constexpr std::string_view kNoModulus =
    "its stiffness is the fraction of an error that a substep removes, not a modulus in N m^2";
constexpr std::string_view kFirstOrder =
    "its velocities are displacements over the substep h, which damps an oscillation by omega h/2 "
    "of its critical damping";

constexpr ModelClaim kClaims[] = {
    {"cantilever", kNoModulus},
    {"cantilever_steps",
     "its iterations do not transmit stiff bends along the whole strand in substeps of 1/60 s", "",
     0.06},
    {"bend_twist", "it has no twist"},
    {"self_buckling", kNoModulus},
    {"hanging_helix", kNoModulus},
    {"lateral_buckling", "its cross sections have no width, and it has no twist"},
    {"stick_slip", kNoModulus},
    {"beam_modes", kNoModulus},
    {"beam_damping", kNoModulus},
    {"curl_bounce", kFirstOrder},
    {"pendulum_energy", kFirstOrder, "lost"},
    {"angular_momentum", kFirstOrder},
    {"stretch",
     "curls as stiff as with 8 substeps make the length solve overshoot with 4; the strain limit "
     "is 1 %",
     "in a 2 Hz shake", 0.011},
    {"rest_shape", "it has no sag-free start: a groom that was not settled sags under gravity",
     "drift under gravity"},
};

}  // namespace

const ModelEntry kModelPbd = {
    .name = "pbd",
    .description = "position based dynamics: distance and bending constraints, projected in turn",
    .make = make_model,
    .profile = kProfile,
    .claims = kClaims};

}  // namespace ringlet
