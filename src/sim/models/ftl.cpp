// Model ftl: prepares lengths, frames and the rest directions of segments from the groomed shape,
// for ftl_kernel.h.
#include <algorithm>

#include "sim/models/block_model.h"
#include "sim/models/ftl_kernel.h"

namespace ringlet {

namespace {

// sim.ftl.bend_stiffness is defined for a substep of this length (s).
constexpr float kStiffnessStep = 1.0f / 480;

class SolverFtl final : public BlockModel<FtlKernel> {
public:
    explicit SolverFtl(const ModelStart& start)
        : BlockModel(start.rest.layout, start.lanes),
          settings_(start.settings),
          pull_(start.rest.layout),
          last_(start.rest.layout),
          direction_change_(start.rest.layout),
          rest_(start.rest.layout),
          length_(start.rest.layout, -1),
          root_(start.rest.layout),
          smoothing_beta_(start.rest.layout, 1),
          frame_(start.rest.layout) {
        if (!start.bodies.empty()) gap_ = gaps_to_bodies(start);
        start.pool.for_each(start.rest.strand_count(), [&](int strand) { prepare(start, strand); });
    }

    void set_gravity(Vec3f gravity) override { settings_.gravity = gravity; }

    void move_rigidly(const StrandMotions& motions, const TaskPool& pool) override {
        pull_.edit();
        frame_.edit();
        pool.for_each(layout().strand_count(), [&](int s) {
            if (!motions.moves(s)) return;
            const Rigidf& motion = motions[s];
            for (int i = 0; i < layout().vertex_count(s); ++i)
                pull_.set_vec3(s, i, rotate(motion.rotation, pull_.vec3(s, i)));
            if (settings_.clamp_root) return;
            for (int axis : {0, 3})
                frame_.set_vec3(s, rotate(motion.rotation, frame_.vec3(s, axis)), axis);
        });
    }

    void resume(const Model& before, const SimState&, const Rigidf&, const TaskPool&) override {
        const auto* ftl = dynamic_cast<const SolverFtl*>(&before);
        if (!ftl) return;
        pull_ = ftl->pull_;
        last_ = ftl->last_;
        if (!clamps_roots() && !ftl->clamps_roots()) frame_ = ftl->frame_;
    }

    StrandMechanics mechanics() const override { return {.gap = &gap_}; }

    std::vector<MemoryUse> memory() const override {
        return {
            {"reactions", pull_.byte_count()},
            {"directions", last_.byte_count()},
            {"direction changes", direction_change_.byte_count()},
            {"groomed directions", rest_.byte_count()},
            {"lengths", length_.byte_count()},
            {"gaps", gap_.byte_count()},
            {"per strand", bytes_of(root_, smoothing_beta_, frame_, repaired_, strain_limited_)}};
    }

    RestLengths rest_lengths(ChannelAccess& access) const override {
        return {.channel = access.read(length_), .first_row = 1};
    }

private:
    bool clamps_roots() const { return settings_.hold_roots && settings_.clamp_root; }
    float correction() const { return settings_.ftl.dynamic ? settings_.ftl.correction : 0; }

    // Spring constant over mass (1/s^2) of the pull to the groomed direction. Backward Euler with
    // the substep h moves a segment by the fraction 1 - 1/(1 + omega^2 h^2) towards it.
    float spring() const {
        const float k = min(settings_.ftl.bend_stiffness, 0.999999f);
        return k / ((1 - k) * kStiffnessStep * kStiffnessStep);
    }

    void prepare(const ModelStart& start, int strand) {
        const std::vector<Vec3f> along = prepare_lengths(start.rest, strand);
        const int count = static_cast<int>(along.size());
        root_.set_vec3(strand, start.rest.position.vec3(strand, 0));
        const Framef first = frame_along(count > 1 ? along[1] : along[0]);
        const Quatf rotation = clamps_roots() ? Quatf{0, 0, 0, 1} : start.head.rotation;
        frame_.set_vec3(strand, rotate(rotation, first.tangent), 0);
        frame_.set_vec3(strand, rotate(rotation, first.normal), 3);
        smoothing_beta_.at(strand) = smoothing_beta(strand);

        const Vec3f weight = rotate(conjugate(start.head.rotation), settings_.gravity);
        ftl::Centreline<float> centreline = ftl::start_centreline(first, first.tangent);
        for (int i = 2; i < count; ++i) {
            const Vec3f d = along[static_cast<std::size_t>(i)];
            const Vec3f target =
                rest_vector(d, length_.at(strand, i), weight * load(count - 1 - i));
            rest_.set_vec3(strand, i, to_local(centreline.frame, target));
            last_.set_vec3(strand, i, to_local(centreline.frame, d));
            ftl::extend(centreline, d, smoothing_beta_.at(strand));
        }
        for (int i = 0; i + 1 < count; ++i)
            pull_.set_vec3(strand, i, settings_.gravity * (load(count - 2 - i) * correction()));
    }

    // The weight of a segment in the smoothed centreline: 1 - e^{-l/a}, with l the mean length.
    float smoothing_beta(int strand) const {
        const int count = layout().vertex_count(strand) - 1;
        float total = 0;
        for (int i = 1; i <= count; ++i) total += length_.at(strand, i);
        const float mean = total / static_cast<float>(std::max(count, 1));
        return 1 - exp(-mean / max(settings_.ftl.bend_smoothing, kTiny));
    }

    // Sets the lengths and returns the directions of the segments, indexed by the vertex they end
    // in; a segment of zero length has the direction of the one before.
    std::vector<Vec3f> prepare_lengths(const StrandSet& rest, int strand) {
        std::vector<Vec3f> along{{0, -1, 0}};
        for (int i = 1; i < layout().vertex_count(strand); ++i) {
            const Vec3f e = rest.position.vec3(strand, i) - rest.position.vec3(strand, i - 1);
            length_.at(strand, i) = norm(e);
            along.push_back(unit_or(e, along.back()));
        }
        return along;
    }

    // The load at rest on a vertex with `followers` vertices after it, in weights of a vertex: its
    // own weight and the fraction of its follower's load that the kernel passes on.
    float load(int followers) const {
        if (!settings_.ftl.sag_free || !settings_.hold_roots || settings_.ftl.bend_stiffness <= 0)
            return 0;
        float sum = 1;
        for (int k = 0; k < followers; ++k) sum = 1 + sum * correction();
        return sum;
    }

    // Sag-free start: the spring must carry the load across the segment, so the rest vector is
    // beyond the groomed direction d by that deflection; a load that compresses the segment
    // lengthens it, so that it does not tip over. Limited to 45 degrees, beyond which the shape
    // would depend on a difference of large forces.
    Vec3f rest_vector(Vec3f d, float length, Vec3f load) const {
        const Vec3f deflection = load * (1 / max(spring(), kTiny));
        const float along = dot(d, deflection);
        const Vec3f across = deflection - d * along;
        const float share = min(length / max(norm(across), kTiny), 1.0f);
        return d * (length + max(-along, 0.0f)) - across * share;
    }

    // 1/s. Backward Euler damps a spring numerically, by omega^2 h / (1 + omega^2 h^2). Explicit
    // damping adds the difference to a substep of kStiffnessStep, so that curls bounce alike.
    float explicit_damping(float h) const {
        const auto numerical_damping = [this](float step) {
            return spring() * step / (1 + spring() * step * step);
        };
        return settings_.ftl.bend_damping +
               max(numerical_damping(kStiffnessStep) - numerical_damping(h), 0.0f);
    }

    FtlUniforms uniforms_for(const SubstepContext& context) const override {
        const float h = context.h;
        const float rest = spring() * h * h;
        return {.h = h,
                .acceleration = settings_.gravity + settings_.force * (1 / settings_.ftl.mass),
                .correction = correction(),
                .to_rest = rest / (1 + rest),
                .bend_damping = 1 - exp(-explicit_damping(h) * h),
                .holds_roots = settings_.hold_roots,
                .clamps_roots = clamps_roots(),
                .head = context.head,
                .colliders = context.colliders.data(),
                .collider_count = static_cast<int>(context.colliders.size()),
                .has_thin_bodies = context.has_thin_bodies};
    }

    FtlBlock first_block(SimState& state, const SubstepContext& context,
                         ChannelAccess& access) override {
        return {.rows = 0,
                .x = access.edit(state.x),
                .v = access.edit(state.v),
                .pull = access.edit(pull_),
                .last = access.edit(last_),
                .direction_change = access.edit(direction_change_),
                .rest = access.read(rest_),
                .length = access.read(length_),
                .gap = access.read(gap_),
                .root = access.read(root_),
                .pose = access.read(context.root_poses),
                .smoothing_beta = access.read(smoothing_beta_),
                .frame = access.edit(frame_),
                .repaired = access.edit(repaired_)};
    }

    SimSettings settings_;
    Channel<3> pull_, last_, direction_change_, rest_;
    Channel<1> length_, gap_;
    StrandChannel<3> root_;
    StrandChannel<1> smoothing_beta_;
    StrandChannel<6> frame_;
};

std::unique_ptr<Model> make_model(const ModelStart& start) {
    return std::make_unique<SolverFtl>(start);
}

constexpr ModelProfile kProfile = {
    .stiff_label = "bend_stiffness 0.2",
    .prepare = [](SimSettings& settings) { settings.ftl.sag_free = false; },
    .make_limp =
        [](SimSettings& settings) {
            settings.ftl.bend_stiffness = 0;
            settings.ftl.correction = 1;  // a vertex carries all below it: stable without stiffness
        },
    .make_stiff = [](SimSettings& settings) { settings.ftl.bend_stiffness = 0.2f; },
    .make_sag_free = [](SimSettings& settings) { settings.ftl.sag_free = true; },
    .set_effort = [](SimSettings&, int) {},  // always one pass
    .set_stiffness = [](SimSettings& settings,
                        float along) { settings.ftl.bend_stiffness = six_decades(along) / 1000; }};

constexpr std::string_view kNoModulus =
    "its stiffness pulls each segment to its groomed direction; it has no unit and is not a moment";
constexpr std::string_view kFirstOrder =
    "its velocities are displacements over the substep h, which damps an oscillation by omega h/2 "
    "of its critical damping";
constexpr std::string_view kPartOfReaction =
    "only a fraction of each correction acts back on the leading vertex: it conserves momentum "
    "only with a correction of 1 and without stiffness";

constexpr ModelClaim kClaims[] = {
    {"cantilever", kNoModulus},
    {"hanging_helix", kNoModulus},
    {"catenary", "a pass from root to tip cannot hold the tip: the strand hangs from its root"},
    {"bend_twist", "it has no twist"},
    {"self_buckling", kNoModulus},
    {"lateral_buckling", "its cross sections have no width, and it has no twist"},
    {"stick_slip", kNoModulus},
    {"beam_modes", kNoModulus},
    {"beam_damping", kNoModulus},
    {"curl_bounce", kFirstOrder},
    {"pendulum_energy", kFirstOrder, "lost"},
    {"energy",
     "the correction acts on the leading vertex one substep late, so the energy oscillates"},
    {"momentum", kPartOfReaction},
    {"angular_momentum", kPartOfReaction},
};

}  // namespace

const ModelEntry kModelFtl = {
    .name = "ftl",
    .description = "follow the leader: one pass from root to tip keeps all lengths exactly",
    .make = make_model,
    .profile = kProfile,
    .claims = kClaims};

}  // namespace ringlet
