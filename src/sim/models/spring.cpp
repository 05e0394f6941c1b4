// Model spring: prepares masses, rest shapes and springs that are stable with its inner steps, for
// spring_kernel.h.
//
// Stability. Stretch and damping are implicit, bending and core springs explicit: symplectic Euler
// is stable up to omega h = 2. In a chain omega^2 is at most twice the largest k (w_i + w_{i+1}) of
// a segment, with k the sum of these springs. The number of inner steps keeps k (w_i + w_{i+1}) h^2
// <= 1 for 90 % of the segments, so that omega h <= sqrt(2), a margin of two in stiffness. Segments
// that would need more steps, or all if max_steps does not suffice, get softer springs at that
// bound.
#include <algorithm>

#include "sim/models/block_model.h"
#include "sim/models/spring_kernel.h"

namespace ringlet {

namespace {

// Least length (m) of a segment for mass and stiffness: a groom may have coincident vertices.
constexpr float kShortest = 1e-5f;

// Limit of k (w_i + w_{i+1}) h^2 for stretch. Stretch is implicit and stable at any stiffness, but
// beyond this the rounding of lengths matters.
constexpr float kMaxImplicit = 100;

// Limit of the change of a rest length or rest vector, relative to the length, that makes the
// groomed pose an equilibrium. Strands with softer springs sag.
constexpr float kMaxSag = 0.5f;

class SolverSpring final : public BlockModel<SpringKernel> {
public:
    explicit SolverSpring(const ModelStart& start)
        : BlockModel(start.rest.layout, start.lanes),
          settings_(start.settings),
          impulse_(start.rest.layout),
          w_(start.rest.layout),
          segments_(start.rest.layout),
          root_(start.rest.layout),
          root_rotation_(start.rest.layout) {
        const Quatf head = start.head.rotation;
        root_rotation_.fill({head.x, head.y, head.z, head.w});
        if (!start.bodies.empty()) gap_ = gaps_to_bodies(start);
        const int strands = start.rest.strand_count();
        start.pool.for_each(strands, [&](int strand) {
            prepare_masses(start.rest, strand);
            prepare_root(start, strand);
            prepare_shape(start, strand);
        });
        choose_steps(start);
        const Vec3f gravity = rotate(conjugate(start.head.rotation), settings_.gravity);
        start.pool.for_each(strands, [&](int strand) {
            const GroomedCurve curve = groomed_curve(start, strand);
            prepare_springs(curve, strand);
            if (settings_.spring.sag_free && held_count() > 0)
                balance_gravity(gravity, start.rest, curve, strand);
        });
    }

    void set_gravity(Vec3f gravity) override { settings_.gravity = gravity; }

    void move_rigidly(const StrandMotions& motions, const TaskPool& pool) override {
        root_rotation_.edit();
        pool.for_each(layout().strand_count(), [&](int s) {
            if (!motions.moves(s)) return;
            const Rigidf& motion = motions[s];
            root_rotation_.set_quat(s, normalise(motion.rotation * root_rotation_.quat(s)));
        });
    }

    void resume(const Model& before, const SimState&, const Rigidf&, const TaskPool&) override {
        if (const auto* spring = dynamic_cast<const SolverSpring*>(&before))
            root_rotation_ = spring->root_rotation_;
    }

    StrandMechanics mechanics() const override { return {.gap = &gap_}; }

    std::vector<MemoryUse> memory() const override {
        return {{"segments", segments_.byte_count()},
                {"impulses", impulse_.byte_count()},
                {"masses", w_.byte_count()},
                {"gaps", gap_.byte_count()},
                {"per strand", bytes_of(root_, root_rotation_, repaired_, strain_limited_)}};
    }

    RestLengths rest_lengths(ChannelAccess& access) const override {
        return {access.read(segments_), kSpringConstants, kSpringLength};
    }

private:
    int segment_count(int strand) const { return layout().vertex_count(strand) - 1; }
    int held_count() const { return settings_.hold_roots ? (settings_.clamp_root ? 2 : 1) : 0; }
    float step_length() const {
        return settings_.dt / static_cast<float>(settings_.substeps * steps_);
    }
    static Vec3f edge(const StrandSet& rest, int strand, int i) {
        return rest.position.vec3(strand, i + 1) - rest.position.vec3(strand, i);
    }
    float weight_of(int strand, int segment) const {
        return 1 / segments_.at(strand, segment, kSpringPerLength);
    }
    // The relative acceleration of the ends of a segment per force between them.
    float pair_w(int strand, int segment) const {
        return w_.at(strand, segment) + w_.at(strand, segment + 1);
    }

    // Each vertex has half the mass of its segments, so the tip has that of half a segment.
    void prepare_masses(const StrandSet& rest, int strand) {
        const int count = segment_count(strand);
        for (int i = 0; i < count; ++i) {
            const float l = norm(edge(rest, strand, i));
            segments_.at(strand, i, kSpringLength) = l;
            segments_.at(strand, i, kSpringPerLength) = 1 / max(l, kShortest);
        }
        for (int i = 0; i <= count; ++i) {
            const float before = i > 0 ? weight_of(strand, i - 1) : 0;
            const float after = i < count ? weight_of(strand, i) : 0;
            const float mass = count > 0 ? 0.5f * (before + after) : kShortest;
            w_.at(strand, i) = i < held_count() ? 0 : 1 / mass;
        }
    }

    // The smoothed curve of the groomed strand, in the head's frame.
    struct GroomedCurve {
        std::vector<CurveFrame<float>> frames;  // before each segment, and after the last
        std::vector<float> per_smoothed;        // as in the kernel
    };
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    GroomedCurve groomed_curve(const ModelStart& start, int strand) {
        GroomedCurve out;
        CurveFrame<float> frame{root_.vec3(strand, 3 * kSpringTangent),
                                root_.vec3(strand, 3 * kSpringNormal)};
        if (held_count() == 0) {
            const Quatf back = conjugate(start.head.rotation);
            frame = {rotate(back, frame.tangent), rotate(back, frame.normal)};
        }
        out.frames.push_back(frame);
        Smoothed<float> curve(frame.tangent);
        for (int i = 0; i < segment_count(strand); ++i) {
            const Vec3f e = edge(start.rest, strand, i);
            const Vec3f d = curve.next(e * segments_.at(strand, i, kSpringPerLength),
                                       segments_.at(strand, i, kSpringBeta));
            frame.travel(d);
            out.frames.push_back(frame);
            out.per_smoothed.push_back(1 / max(norm(d), kMinSmoothedLength));
        }
        return out;
    }

    // Factor on the stiffness of a bending spring in the stability bound: its target moves with the
    // segments before it, by 1 - G/|D| for waves along the strand, with G the gain of the smoothing
    // filter and |D| the length of the smoothed curve over that of the strand (half of the groomed
    // value, for safety). The shortest waves have |G| = beta^2/(2 - beta)^2, which also bounds the
    // longer ones.
    float bend_share(const GroomedCurve& curve, int strand, int i) const {
        const float beta = segments_.at(strand, i, kSpringBeta);
        const float per_smoothed = min(2 * curve.per_smoothed[at(i)], 1 / kMinSmoothedLength);
        const float root = 1 + beta * beta * per_smoothed / (2 - beta);
        return root * root;
    }

    // Smoothed curves start along the first segment. If the head does not hold it, all segments
    // within the smoothing length act on it: the sum of their effects per stiffness (1/m^2).
    struct RootShare {
        float bend = 0, core = 0;
    };
    RootShare root_share(const GroomedCurve& groomed, int strand) const {
        RootShare out;
        if (held_count() > 1 || segment_count(strand) < 2) return out;
        const float per_length = segments_.at(strand, 0, kSpringPerLength);
        const float unit = per_length * per_length * pair_w(strand, 0);
        Smoothed<float> curve({1, 0, 0}), core({1, 0, 0});
        for (int i = 0; i < segment_count(strand); ++i) {
            const float bend = curve.next({0, 0, 0}, segments_.at(strand, i, kSpringBeta)).x *
                               groomed.per_smoothed[at(i)];
            const float pull = core.next({0, 0, 0}, segments_.at(strand, i, kSpringCoreBeta)).x;
            out.bend += unit * weight_of(strand, i) * bend * bend;
            out.core += unit * weight_of(strand, i) * pull * pull;
        }
        return out;
    }
    float root_rate(const RootShare& share) const {
        return share.bend * settings_.spring.bend_stiffness +
               share.core * settings_.spring.core_stiffness;
    }

    // One number for all strands: a strand must not depend on its neighbours in a block.
    void choose_steps(const ModelStart& start) {
        const SpringSettings& spring = settings_.spring;
        std::vector<float> rates, root_rates;
        rates.reserve(at(static_cast<int>(layout().vertex_total())));
        for (int strand = 0; strand < layout().strand_count(); ++strand) {
            const GroomedCurve curve = groomed_curve(start, strand);
            root_rates.push_back(root_rate(root_share(curve, strand)));
            for (int i = 0; i < segment_count(strand); ++i)
                if (pair_w(strand, i) > 0)
                    rates.push_back((bend_share(curve, strand, i) * spring.bend_stiffness +
                                     spring.core_stiffness) *
                                    segments_.at(strand, i, kSpringPerLength) * pair_w(strand, i));
        }
        const float needed =
            step_length() * sqrt(max(percentile_90(rates), percentile_90(root_rates)));
        // Compared as floats, because the number may not fit into an int.
        steps_ = needed >= static_cast<float>(spring.max_steps) ? spring.max_steps
                                                                : static_cast<int>(needed) + 1;
    }

    // The value that 90 % do not exceed; reorders `values`.
    static float percentile_90(std::vector<float>& values) {
        if (values.empty()) return 0;
        const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * 9 / 10);
        std::nth_element(values.begin(), at, values.end());
        return *at;
    }

    void prepare_springs(const GroomedCurve& curve, int strand) {
        const SpringSettings& spring = settings_.spring;
        const float h = step_length();
        const RootShare root = root_share(curve, strand);
        const float soft = min(1 / max(root_rate(root) * h * h, kTiny), 1.0f);
        for (int i = 0; i < segment_count(strand); ++i) {
            const auto set = [&](SpringConstant which, float a) {
                segments_.at(strand, i, which) = a;
            };
            const float l = weight_of(strand, i), w = max(pair_w(strand, i), kTiny);
            const float most = 1 / (h * h * w), share = bend_share(curve, strand, i);
            const float bend = soft * spring.bend_stiffness, core = soft * spring.core_stiffness;
            const float softer = min(most * l / max(share * bend + core, kTiny), 1.0f);
            // The first segment defines the first frame, so it has no bending spring.
            set(kSpringBend, i > 0 ? softer * bend / l : 0);
            set(kSpringCore, softer * core * l);
            const float stretch = min(spring.stretch_stiffness / l, kMaxImplicit * most);
            set(kSpringStretch, stretch);
            set(kSpringCompliance, 1 / max((stretch * h + spring.stretch_damping / l) * h, kTiny));
            const float half_loss = i > 0 ? 0.5f * spring.bend_damping / l * w * h : 0;
            set(kSpringBendDamping, 1 - 1 / (1 + half_loss));
            // Explicit, because it is not local to the segment; a quarter of the stability limit.
            set(kSpringCoreDamping,
                l * min(spring.core_damping, 0.25f / (h * max(w / l, root.core))));
        }
    }

    // The frame of a free strand is in the world, that of a held strand in the head's frame.
    void prepare_root(const ModelStart& start, int strand) {
        const StrandSet& rest = start.rest;
        const auto set_root = [&](int row, Vec3f a) { root_.set_vec3(strand, a, 3 * row); };
        Vec3f tangent{0, 1, 0};
        set_root(kSpringPosition0, rest.position.vec3(strand, 0));
        if (segment_count(strand) > 0) {
            set_root(kSpringPosition1, rest.position.vec3(strand, 1));
            tangent = unit_or(edge(rest, strand, 0), tangent);
        }
        const Quatf rotation = held_count() > 0 ? Quatf{0, 0, 0, 1} : start.head.rotation;
        set_root(kSpringTangent, rotate(rotation, tangent));
        set_root(kSpringNormal, rotate(rotation, perpendicular(tangent)));
    }

    // Sets the rest vectors of the segments and the rest lengths of the core from the groom.
    void prepare_shape(const ModelStart& start, int strand) {
        const auto smoothing = [](float l, float a) { return 1 - exp(-l / max(a, kTiny)); };
        for (int i = 0; i < segment_count(strand); ++i) {
            const float l = weight_of(strand, i);
            segments_.at(strand, i, kSpringBeta) = smoothing(l, settings_.spring.bend_smoothing);
            segments_.at(strand, i, kSpringCoreBeta) =
                smoothing(l, settings_.spring.core_smoothing);
        }
        const GroomedCurve curve = groomed_curve(start, strand);
        Smoothed<float> core(curve.frames[0].tangent);
        for (int i = 0; i < segment_count(strand); ++i) {
            const auto of = [&](SpringConstant which) -> float& {
                return segments_.at(strand, i, which);
            };
            const Vec3f e = edge(start.rest, strand, i);
            of(kSpringRest) = of(kSpringLength);
            set_target(strand, i, curve.frames[at(i)].to_local(e));
            of(kSpringCoreRest) = norm(core.next(e * of(kSpringPerLength), of(kSpringCoreBeta)));
        }
    }

    // Sag-free start: in the groomed pose each segment carries the weight beyond it, along itself
    // by its stretch spring and across by its bending spring. The reaction on the smoothed curve
    // acts towards the root only, so one pass from the tip determines all of them. In the head's
    // frame.
    void balance_gravity(Vec3f gravity, const StrandSet& rest, const GroomedCurve& curve,
                         int strand) {
        CurveFrameBack<float> frame_back;
        SmoothedBack<float> curve_back;
        Vec3f moment{0, 0, 0};
        float mass = 0;
        for (int i = segment_count(strand) - 1; i >= 0 && w_.at(strand, i + 1) > 0; --i) {
            const auto of = [&](SpringConstant which) -> float& {
                return segments_.at(strand, i, which);
            };
            const CurveFrame<float>& before = curve.frames[at(i)];
            const Vec3f e = edge(rest, strand, i), tangent = curve.frames[at(i + 1)].tangent;
            const Vec3f turning = frame_back.next(moment, i > 0 ? before.tangent : tangent, tangent,
                                                  curve.per_smoothed[at(i)]);
            const Vec3f smoothed =
                i > 0 ? curve_back.next(turning, of(kSpringBeta)) : curve_back.last(turning);
            mass += 1 / w_.at(strand, i + 1);
            const Vec3f load = gravity * mass + smoothed * of(kSpringPerLength);
            const Vec3f along = unit_or(e, Vec3f{0, 0, 0});
            const float l = of(kSpringLength), pulled = dot(load, along);
            of(kSpringRest) = l - dot(bounded(along * pulled, of(kSpringStretch), l), along);
            const Vec3f sag = bounded(load - along * pulled, of(kSpringBend), l);
            set_target(strand, i, before.to_local(e - sag));
            moment = cross(e, sag * of(kSpringBend));
        }
    }

    void set_target(int strand, int i, Vec3f a) {
        segments_.at(strand, i, kSpringTarget) = a.x;
        segments_.at(strand, i, kSpringTarget + 1) = a.y;
        segments_.at(strand, i, kSpringTarget + 2) = a.z;
    }

    // The deflection of a spring under a force, limited to kMaxSag of the length l.
    static Vec3f bounded(Vec3f force, float stiffness, float l) {
        const float size = norm(force) / max(stiffness, kTiny);
        return unit_or(force, Vec3f{0, 0, 0}) * min(size, kMaxSag * l);
    }

    SpringUniforms uniforms_for(const SubstepContext& context) const override {
        const SpringSettings& spring = settings_.spring;
        return {.h = context.h,
                .steps = steps_,
                .gravity = settings_.gravity,
                .force = settings_.force * (1 / spring.line_density),
                .stretch_limit = spring.stretch_limit,
                .has_core = spring.core_stiffness > 0 || spring.core_damping > 0,
                .held = held_count(),
                .head = context.head,
                .colliders = context.colliders.data(),
                .collider_count = static_cast<int>(context.colliders.size()),
                .has_thin_bodies = context.has_thin_bodies};
    }

    SpringBlock first_block(SimState& state, const SubstepContext& context,
                            ChannelAccess& access) override {
        return {.rows = 0,
                .x = access.edit(state.x),
                .v = access.edit(state.v),
                .impulse = access.edit(impulse_),
                .w = access.read(w_),
                .segments = access.read(segments_),
                .gap = access.read(gap_),
                .root = access.edit(root_),
                .root_rotation = access.edit(root_rotation_),
                .pose = access.read(context.root_poses),
                .scratch = nullptr,
                .repaired = access.edit(repaired_)};
    }

    SimSettings settings_;
    Channel<1> impulse_, w_, gap_;
    Channel<kSpringConstants> segments_;
    StrandChannel<3 * kSpringRootRows> root_;
    StrandChannel<4> root_rotation_;
    int steps_ = 1;
};

std::unique_ptr<Model> make_model(const ModelStart& start) {
    return std::make_unique<SolverSpring>(start);
}

constexpr ModelProfile kProfile = {
    .end_mass = 0.5,
    .stretch_stiffness = static_cast<double>(SpringSettings{}.stretch_stiffness),
    .prepare = [](SimSettings& settings) { settings.spring.sag_free = false; },
    .make_limp =
        [](SimSettings& settings) {
            settings.spring.bend_stiffness = settings.spring.bend_damping = 0;
            settings.spring.core_stiffness = settings.spring.core_damping = 0;
        },
    .make_sag_free = [](SimSettings& settings) { settings.spring.sag_free = true; },
    .set_effort = [](SimSettings& settings, int n) { settings.spring.max_steps = n; },
    .efforts = {16, 64, 128},
    .set_stiffness =
        [](SimSettings& settings, float along) {
            settings.spring.bend_stiffness *= six_decades(along);
            settings.spring.core_stiffness *= six_decades(along);
        }};

constexpr std::string_view kNotElastica =
    "its springs hold segments to directions along a smoothed curve; they are no bending moment "
    "proportional to curvature, so a loaded hair is not an elastica";
constexpr std::string_view kLengthLimit =
    "its limit on lengths moves vertices without changing velocities, which can add energy";

constexpr ModelClaim kClaims[] = {
    {"cantilever", kNotElastica},
    {"cantilever_steps",
     "in one substep of 1/60 s the limit on inner steps is reached, and the springs are softened "
     "to stay stable"},
    {"hanging_helix", kNotElastica},
    {"catenary", "it cannot hold tips: the strand hangs from its root"},
    {"bend_twist", "it has no twist"},
    {"self_buckling", kNotElastica},
    {"lateral_buckling", "its cross sections have no width, and it has no twist"},
    {"stick_slip", kNotElastica},
    {"beam_modes", kNotElastica},
    {"beam_damping", kNotElastica},
    {"resolution_convergence",
     "its weight stretches the chain, which hides the order of convergence beyond 32 segments"},
    {"energy", kLengthLimit},
    {"pendulum_energy", kLengthLimit, "above its start"},
    {"angular_momentum",
     "its bending damping also acts on a rigid rotation, and its frames take no reaction to the "
     "bending springs"},
    {"scene_steps", "its semi-implicit Euler steps are first order in time"},
    {"stretch", "its lengths are springs: about 0.1 % longer under its weight, at most 0.5 %", "",
     0.006},
};

}  // namespace

const ModelEntry kModelSpring = {
    .name = "spring",
    .description = "masses and springs: stretch, bending along a smoothed curve, and a core spring",
    .make = make_model,
    .profile = kProfile,
    .claims = kClaims};

}  // namespace ringlet
