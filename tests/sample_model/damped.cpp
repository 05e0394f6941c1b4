// A complete small model, for docs/writing_a_model.md: prepares the strands for damped_kernel.h.
#include "sample_model/damped_kernel.h"

#include <cmath>

#include "sim/models/block_model.h"

namespace ringlet {

namespace {

class SolverDamped final : public BlockModel<DampedKernel> {
public:
    explicit SolverDamped(const ModelStart& start)
        : BlockModel(start.rest.layout, start.lanes),
          settings_(start.settings),
          rest_(start.rest.position),
          length_(start.rest.layout, -1) {
        start.pool.for_each(start.rest.strand_count(), [&](int s) {
            for (int i = 0; i + 1 < layout().vertex_count(s); ++i)
                length_.at(s, i) = norm(rest_.vec3(s, i + 1) - rest_.vec3(s, i));
        });
    }

    void set_gravity(Vec3f gravity) override { settings_.gravity = gravity; }

    std::vector<MemoryUse> memory() const override {
        return {{"groomed positions", rest_.byte_count()},
                {"lengths", length_.byte_count()},
                {"per strand", bytes_of(repaired_, strain_limited_)}};
    }

    RestLengths rest_lengths(ChannelAccess& access) const override {
        return {access.read(length_)};
    }

private:
    float value(const char* key, float standard) const {
        const auto found = settings_.model_values.find(key);
        return found == settings_.model_values.end() ? standard : found->second;
    }

    // The damped oscillator u'' = -omega^2 u - 2 zeta omega u' with zeta < 1, solved exactly.
    DampedUniforms uniforms_for(const SubstepContext& context) const override {
        const float omega = value("damped.frequency", 10), zeta = value("damped.damping", 0.2f);
        const double h = context.h, decay = double{zeta} * omega;
        const double turning = omega * std::sqrt(1 - double{zeta} * zeta);
        const double size = std::exp(-decay * h);
        const double cosine = size * std::cos(turning * h), sine = size * std::sin(turning * h);
        return {.a = static_cast<float>(cosine + decay / turning * sine),
                .b = static_cast<float>(sine / turning),
                .c = static_cast<float>(-double{omega} * omega / turning * sine),
                .d = static_cast<float>(cosine - decay / turning * sine),
                .sag = settings_.gravity * (1 / (omega * omega)),
                .holds_roots = settings_.hold_roots,
                .head = context.head};
    }

    DampedBlock first_block(SimState& state, const SubstepContext& /*context*/,
                            ChannelAccess& access) override {
        return {.rows = 0,
                .x = access.edit(state.x),
                .v = access.edit(state.v),
                .rest = access.read(rest_),
                .repaired = access.edit(repaired_)};
    }

    SimSettings settings_;
    Channel<3> rest_;
    Channel<1> length_;
};

std::unique_ptr<Model> make_model(const ModelStart& start) {
    return std::make_unique<SolverDamped>(start);
}

ModelParameter::Value frequency_of(SimSettings& settings) {
    return &settings.model_values.try_emplace("damped.frequency", 10.0f).first->second;
}
ModelParameter::Value damping_of(SimSettings& settings) {
    return &settings.model_values.try_emplace("damped.damping", 0.2f).first->second;
}

constexpr ModelParameter kParameters[] = {
    {"frequency", "rad/s", 0.1, 1000, "Undamped angular frequency of every vertex.", frequency_of},
    {"damping", "", 0, 0.99, "Damping ratio; 1 would be critical.", damping_of},
};

}  // namespace

extern const ModelEntry kModelDamped;
const ModelEntry kModelDamped = {
    .name = "damped",
    .description = "damped oscillators: every vertex swings about its groomed position",
    .make = make_model,
    .parameters = kParameters};

}  // namespace ringlet
