// Prepares the strands for ftl_kernel.h: lengths, frames, and the directions their segments are
// drawn to, from the groomed shape.
#include <algorithm>

#include "sim/cpu/lane_choice.h"
#include "sim/models/ftl_kernel.h"
#include "sim/models/upkeep.h"

namespace ringlet {

namespace {

// sim.ftl.bend_stiffness is what a substep of this length (s) does.
constexpr float kStiffnessStep = 1.0f / 480;

class SolverFtl final : public Model {
public:
    explicit SolverFtl(const ModelStart& start)
        : settings_(start.settings),
          pull_(start.rest.layout),
          last_(start.rest.layout),
          turned_(start.rest.layout),
          rest_(start.rest.layout),
          length_(start.rest.layout, -1),
          gap_(gaps_to_bodies(start)),
          root_(lane_count() * 3, 0),
          sharpness_(lane_count(), 1),
          frame_(lane_count() * 6, 0),
          repaired_(lane_count(), -1),
          advance_block_(
              pick_lanes(start.lanes, ftl_block_scalar, ftl_block_wide8, ftl_block_avx2)) {
        for (int strand = 0; strand < start.rest.strand_count(); ++strand) prepare(start, strand);
    }

    void substep(SimState& state, const Surroundings& around, const TaskPool& pool) override {
        const FtlUniforms uniforms = uniforms_for(around);
        pool.for_each(length_.layout().block_count(),
                      [&](int b) { advance_block_(uniforms, block_at(b, state, around)); });
    }

    void set_gravity(Vec3f gravity) override { settings_.gravity = gravity; }

    void carry(const Rigidf& motion, const TaskPool& pool) override {
        pool.for_each(length_.layout().strand_count(), [&](int s) {
            for (int i = 0; i < length_.layout().vertex_count(s); ++i)
                pull_.set_vec3(s, i, rotate(motion.rotation, pull_.vec3(s, i)));
            if (settings_.clamp_root) return;
            const StrandLayout::Place at = length_.layout().place(s);
            const Rows3<float> frame{frame_.data() + at.block * 6 * kLanes + at.lane};
            for (int axis : {0, 1}) frame.set(axis, rotate(motion.rotation, frame[axis]));
        });
    }

    void resume(const Model& before, const SimState&, const Rigidf&, const TaskPool&) override {
        const auto* ftl = dynamic_cast<const SolverFtl*>(&before);
        if (!ftl) return;
        pull_ = ftl->pull_;
        last_ = ftl->last_;
        if (!clamps_roots() && !ftl->clamps_roots()) frame_ = ftl->frame_;
    }

    std::size_t byte_count() const override {
        std::size_t total = length_.byte_count() + gap_.byte_count();
        for (const Channel<3>* channel : {&pull_, &last_, &turned_, &rest_})
            total += channel->byte_count();
        return total + (root_.size() + sharpness_.size() + frame_.size() + repaired_.size()) *
                           sizeof(float);
    }

    std::pair<int, int> take_repaired() override {
        return take_first_repaired(repaired_, length_.layout());
    }

    float rest_length(int strand, int vertex) const override {
        return length_.at(strand, vertex + 1);
    }

private:
    std::size_t lane_count() const {
        return static_cast<std::size_t>(length_.layout().block_count()) * kLanes;
    }
    bool clamps_roots() const { return settings_.hold_roots && settings_.clamp_root; }
    float correction() const { return settings_.ftl.dynamic ? settings_.ftl.correction : 0; }

    // 1/s^2: a segment is drawn to its groomed direction like a mass on a spring of this strength.
    // By backward Euler a substep of length h takes it 1 - 1/(1 + omega^2 h^2) of the way there.
    float spring() const {
        const float k = min(settings_.ftl.bend_stiffness, 0.999999f);
        return k / ((1 - k) * kStiffnessStep * kStiffnessStep);
    }

    void prepare(const ModelStart& start, int strand) {
        const std::vector<Vec3f> along = prepare_lengths(start.rest, strand);
        const int count = static_cast<int>(along.size());
        const StrandLayout::Place at = length_.layout().place(strand);
        const std::size_t block = static_cast<std::size_t>(at.block) * kLanes;
        const auto lane = static_cast<std::size_t>(at.lane);
        Rows3<float>{root_.data() + block * 3 + lane}.set(0, start.rest.position.vec3(strand, 0));
        const Framef first = frame_along(count > 1 ? along[1] : along[0]);
        const Quatf turn = clamps_roots() ? Quatf{0, 0, 0, 1} : start.head.rotation;
        const Rows3<float> frame{frame_.data() + block * 6 + lane};
        frame.set(0, rotate(turn, first.tangent));
        frame.set(1, rotate(turn, first.normal));
        sharpness_[block + lane] = sharpness(strand);

        const Vec3f weight = rotate(conjugate(start.head.rotation), settings_.gravity);
        ftl::Core<float> core = ftl::start_core(first, first.tangent);
        for (int i = 2; i < count; ++i) {
            const Vec3f d = along[static_cast<std::size_t>(i)];
            const Vec3f wanted = drawn_to(d, length_.at(strand, i), weight * load(count - 1 - i));
            rest_.set_vec3(strand, i, to_local(core.frame, wanted));
            last_.set_vec3(strand, i, to_local(core.frame, d));
            ftl::go_on(core, d, sharpness_[block + lane]);
        }
        for (int i = 0; i + 1 < count; ++i)
            pull_.set_vec3(strand, i, settings_.gravity * (load(count - 2 - i) * correction()));
    }

    // Of the mean segment: e^{-l/a} of the direction before is kept.
    float sharpness(int strand) const {
        const int count = length_.layout().vertex_count(strand) - 1;
        float total = 0;
        for (int i = 1; i <= count; ++i) total += length_.at(strand, i);
        const float mean = total / static_cast<float>(std::max(count, 1));
        return 1 - exp(-mean / max(settings_.ftl.bend_smoothing, kTiny));
    }

    // Lengths, and the directions of the segments by the vertex they end in; a segment without
    // length goes on as the one before.
    std::vector<Vec3f> prepare_lengths(const StrandSet& rest, int strand) {
        std::vector<Vec3f> along{{0, -1, 0}};
        for (int i = 1; i < length_.layout().vertex_count(strand); ++i) {
            const Vec3f e = rest.position.vec3(strand, i) - rest.position.vec3(strand, i - 1);
            length_.at(strand, i) = norm(e);
            along.push_back(unit_or(e, along.back()));
        }
        return along;
    }

    // What a vertex with `followers` vertices behind it bears at rest, in weights of a vertex: its
    // own, and the share of its follower's load that the kernel hands on.
    float load(int followers) const {
        if (!settings_.ftl.sag_free || !settings_.hold_roots || settings_.ftl.bend_stiffness <= 0)
            return 0;
        float sum = 1;
        for (int k = 0; k < followers; ++k) sum = 1 + sum * correction();
        return sum;
    }

    // Sag-free start: the spring must bear the load across the segment, so it is drawn that much
    // past the groomed direction d; and as much further along as a load presses it together, which
    // would turn it over. Cut at 45 degrees: beyond, shape would hang on a difference of forces.
    Vec3f drawn_to(Vec3f d, float length, Vec3f load) const {
        const Vec3f give = load * (1 / max(spring(), kTiny));
        const float along = dot(d, give);
        const Vec3f across = give - d * along;
        const float share = min(length / max(norm(across), kTiny), 1.0f);
        return d * (length + max(-along, 0.0f)) - across * share;
    }

    // 1/s. Backward Euler damps a spring by itself, by omega^2 h / (1 + omega^2 h^2): what it lacks
    // in a short substep of what it does in one of kStiffnessStep is added, so that curls bounce
    // alike.
    float explicit_damping(float h) const {
        const auto by_itself = [this](float step) {
            return spring() * step / (1 + spring() * step * step);
        };
        return settings_.ftl.bend_damping + max(by_itself(kStiffnessStep) - by_itself(h), 0.0f);
    }

    FtlUniforms uniforms_for(const Surroundings& around) const {
        const float h = around.h;
        const float rest = spring() * h * h;
        return {.h = h,
                .acceleration = settings_.gravity + settings_.force * (1 / settings_.ftl.mass),
                .correction = correction(),
                .to_rest = rest / (1 + rest),
                .bend_damping = 1 - exp(-explicit_damping(h) * h),
                .holds_roots = settings_.hold_roots,
                .clamps_roots = clamps_roots(),
                .head = around.head,
                .colliders = around.colliders.data(),
                .collider_count = static_cast<int>(around.colliders.size())};
    }

    FtlBlock block_at(int b, SimState& state, const Surroundings& around) {
        const std::size_t lane = static_cast<std::size_t>(b) * kLanes;
        return {.rows = length_.layout().rows(b),
                .x = state.x.block(b),
                .v = state.v.block(b),
                .pull = pull_.block(b),
                .last = last_.block(b),
                .turned = turned_.block(b),
                .rest = rest_.block(b),
                .length = length_.block(b),
                .gap = gap_.block(b),
                .root = root_.data() + lane * 3,
                .pose = around.root_pose(b),
                .sharpness = sharpness_.data() + lane,
                .frame = frame_.data() + lane * 6,
                .repaired = repaired_.data() + lane};
    }

    SimSettings settings_;
    Channel<3> pull_, last_, turned_, rest_;
    Channel<1> length_, gap_;
    std::vector<float> root_, sharpness_, frame_, repaired_;
    BlockFunction<FtlUniforms, FtlBlock> advance_block_;
};

}  // namespace

std::unique_ptr<Model> make_model_ftl(const ModelStart& start) {
    return std::make_unique<SolverFtl>(start);
}

}  // namespace ringlet
