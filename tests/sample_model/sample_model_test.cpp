// The sample model of docs/writing_a_model.md runs on every lane kind and on a GPU and follows the
// closed form of a damped oscillator.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/model_entry.h"

namespace ringlet {

extern const ModelEntry kModelDamped;

namespace {

constexpr float kStep = 1.0f / 480, kFrequency = 12, kDamping = 0.1f;
constexpr int kSteps = 480;
const Vec3f kStart{0.02f, -0.01f, 0.03f}, kSpeed{-0.3f, 0.2f, 0.1f}, kGravity{0, -9.81f, 0};
const Rigidf kHead{{0, 0, 0, 1}, {0.1f, 0.2f, -0.3f}};

// Three blocks, the last of them not full, with strands of 1 to 7 vertices.
StrandSet straight_strands() {
    std::vector<int> counts;
    for (int s = 0; s < 21; ++s) counts.push_back(1 + s % 7);
    StrandSet out{StrandLayout(counts)};
    for (int s = 0; s < out.strand_count(); ++s)
        for (int i = 0; i < counts[static_cast<std::size_t>(s)]; ++i)
            out.position.set_vec3(
                s, i, {0.01f * static_cast<float>(s), 0.02f * static_cast<float>(i), 0});
    return out;
}

SimState run(LaneKind lanes, Device* device) {
    const StrandSet rest = straight_strands();
    const TaskPool pool(2);
    SimSettings settings;
    settings.gravity = kGravity;
    settings.model_values = {{"damped.frequency", kFrequency}, {"damped.damping", kDamping}};
    SimState state{Channel<3>(rest.layout), Channel<3>(rest.layout)};
    for (int s = 0; s < rest.strand_count(); ++s)
        for (int i = 0; i < rest.layout->vertex_count(s); ++i) {
            state.x.set_vec3(s, i, apply(kHead, rest.position.vec3(s, i)) + kStart);
            state.v.set_vec3(s, i, kSpeed);
        }
    const std::unique_ptr<Model> model =
        kModelDamped.make({rest, settings, {}, 1, lanes, kHead, state, pool});
    if (device) device->set_layout(rest.layout);
    for (int n = 0; n < kSteps; ++n) model->substep(state, {kStep, kHead, {}}, pool, device);
    state.x.read();
    state.v.read();
    EXPECT_EQ(model->collect_repaired(), std::pair(-1, -1));
    return state;
}

// u(t) = e^(-zeta omega t) (u0 cos(w t) + (v0 + zeta omega u0) / w sin(w t)) about the equilibrium.
double oscillation(double u0, double v0, double time) {
    const double decay = double{kDamping} * kFrequency;
    const double w = kFrequency * std::sqrt(1 - double{kDamping} * kDamping);
    return std::exp(-decay * time) *
           (u0 * std::cos(w * time) + (v0 + decay * u0) / w * std::sin(w * time));
}

void expect_closed_form(const SimState& state) {
    const StrandSet rest = straight_strands();
    const Vec3f sag = kGravity * (1 / (kFrequency * kFrequency)), start = kStart - sag;
    const double time = double{kStep} * kSteps;
    for (int s = 0; s < rest.strand_count(); ++s)
        for (int i = 0; i < rest.layout->vertex_count(s); ++i) {
            const Vec3f target = apply(kHead, rest.position.vec3(s, i));
            const Vec3f u = state.x.vec3(s, i) - target - sag;
            if (i == 0) {
                EXPECT_EQ(norm(state.x.vec3(s, i) - target), 0) << "the root follows the head";
                continue;
            }
            EXPECT_NEAR(u.x, oscillation(start.x, kSpeed.x, time), 2e-5) << s << " " << i;
            EXPECT_NEAR(u.y, oscillation(start.y, kSpeed.y, time), 2e-5) << s << " " << i;
            EXPECT_NEAR(u.z, oscillation(start.z, kSpeed.z, time), 2e-5) << s << " " << i;
        }
}

TEST(SampleModel, follows_the_closed_form_with_every_lane_kind) {
    const std::string scalar = [] {
        const SimState state = run(LaneKind::scalar, nullptr);
        return hash_of(state.x, state.v).hex();
    }();
    for (const LaneKind lanes :
         {LaneKind::scalar, LaneKind::wide8, LaneKind::avx2, LaneKind::avx512, LaneKind::counted}) {
        const SimState state = run(lanes, nullptr);
        expect_closed_form(state);
        EXPECT_EQ(hash_of(state.x, state.v).hex(), scalar) << static_cast<int>(lanes);
    }
}

TEST(SampleModel, gives_the_bits_of_the_cpu_on_a_gpu) {
    const Result<std::unique_ptr<Device>> device = open_cuda_device();
    if (!device) GTEST_SKIP() << device.error().text();
    const SimState here = run(LaneKind::scalar, nullptr),
                   there = run(LaneKind::scalar, device->get());
    expect_closed_form(there);
    EXPECT_EQ(hash_of(there.x, there.v).hex(), hash_of(here.x, here.v).hex());
}

TEST(SampleModel, repairs_and_reports_a_vertex_that_is_not_finite) {
    const StrandSet rest = straight_strands();
    const TaskPool pool(1);
    const SimSettings settings;
    SimState state{rest.position, Channel<3>(rest.layout)};
    state.v.set_vec3(9, 2, {NAN, 0, 0});
    const std::unique_ptr<Model> model =
        kModelDamped.make({rest, settings, {}, 1, LaneKind::automatic, {}, state, pool});
    model->substep(state, {kStep, {}, {}}, pool);
    EXPECT_EQ(model->collect_repaired(), std::pair(9, 2));
    EXPECT_EQ(model->collect_repaired(), std::pair(-1, -1));
    EXPECT_EQ(norm(state.v.vec3(9, 2)), 0);
}

}  // namespace
}  // namespace ringlet
