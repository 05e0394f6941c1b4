#include "sim/wind.h"

#include <algorithm>
#include <cmath>

#include "math/noise.h"
#include "sim/materials.h"

namespace ringlet {

namespace {

// The longest wavelength is wind.turbulence_size, the shortest an eighth of it.
constexpr float kOctaves = 3;

// Speed of the waves relative to the air, as a fraction of the turbulence's speed: the turbulence
// changes while the wind transports it.
constexpr float kOwnSpeed = 0.5f;

constexpr double kTwoPi = 6.283185307179586;

double fraction_of(double turns) { return turns - std::floor(turns); }

SinCos<float> sin_cos_of_turns(double turns) {
    return sin_cos(2 * kPi * static_cast<float>(fraction_of(turns)));
}

double wide_dot(Vec3f a, Vec3f b) {
    return static_cast<double>(a.x) * static_cast<double>(b.x) +
           static_cast<double>(a.y) * static_cast<double>(b.y) +
           static_cast<double>(a.z) * static_cast<double>(b.z);
}

// The phase of the gust, from 0 at its start to 1 at its end.
float gust_phase(const Wind& wind, double time) {
    const float phase = static_cast<float>(time - static_cast<double>(wind.gust_time)) /
                        max(wind.gust_duration, kTiny);
    return wind.gust != 0 ? min(max(phase, 0.0f), 1.0f) : 0.0f;
}

// 1/s: viscosity over mass per length.
float damping_by_unit_resistance(const RodSettings& settings) {
    const RodSettings rod = with_dials(settings);
    return slender::kAirViscosity / (rod.density * kPi * rod.radius * rod.radius);
}

}  // namespace

float slow_damping(const SimSettings& settings, float length) {
    if (settings.drag == DragKind::simple) return settings.damping;
    return damping_by_unit_resistance(settings.rod) *
           slender::strand_of(settings.rod.radius, length).creeping_across;
}

Vec3f wind_at(const Wind& wind, double time) {
    const float swing = sin_cos_of_turns(time * static_cast<double>(wind.frequency)).sin;
    Vec3f out = wind.velocity * (1 + wind.oscillation * swing);
    const float phase = gust_phase(wind, time);
    if (phase > 0 && phase < 1) {
        // A smooth bump, zero with zero slope at both ends.
        const float bump = 0.5f - 0.5f * sin_cos(2 * kPi * phase).cos;
        out += unit_or(wind.velocity, Vec3f{1, 0, 0}) * (wind.gust * bump);
    }
    return out;
}

Vec3f displacement_of_air(const Wind& wind, double time) {
    const double frequency = static_cast<double>(wind.frequency);
    double seconds = time;
    if (frequency > 0)
        seconds += static_cast<double>(wind.oscillation) *
                   (1 - static_cast<double>(sin_cos_of_turns(time * frequency).cos)) /
                   (kTwoPi * frequency);
    const float phase = gust_phase(wind, time);
    const float gust = wind.gust * wind.gust_duration *
                       (0.5f * phase - sin_cos(2 * kPi * phase).sin * (0.25f / kPi));
    return wind.velocity * static_cast<float>(seconds) +
           unit_or(wind.velocity, Vec3f{1, 0, 0}) * gust;
}

WindField::WindField(const Channel<3>& rest, const SimSettings& settings, const Wind& wind,
                     LaneKind lanes)
    : damping_(settings.damping),
      along_(settings.damping_along),
      first_free_(settings.hold_roots ? 1 : 0),
      held_tips_(settings.hold_tips ? 1 : 0),
      end_(rest.layout_ref()),
      kernel_(rest.layout_ref(), lanes) {
    const StrandLayout& layout = rest.layout();
    for (int s = 0; s < layout.strand_count(); ++s)
        end_.at(s) = static_cast<float>(layout.vertex_count(s) - held_tips_);
    set_wind(wind);
    if (settings.drag == DragKind::simple) return;
    slender_damping_ = damping_by_unit_resistance(settings.rod);
    reynolds_ = 2 * settings.rod.radius / slender::kKinematicViscosity;
    slender_ = StrandChannel<3>(rest.layout_ref());
    for (int s = 0; s < layout.strand_count(); ++s) {
        float length = 0;
        for (int i = 1; i < layout.vertex_count(s); ++i)
            length += norm(rest.vec3(s, i) - rest.vec3(s, i - 1));
        const SlenderStrand<float> one = slender::strand_of(settings.rod.radius, length);
        slender_.set_vec3(s, {one.creeping_across, one.creeping_along, one.layer});
    }
}

void WindField::set_wind(const Wind& wind) {
    wind_ = wind;
    waves_.clear();
    drift_.clear();
    if (wind.turbulence > 0) make_waves();
}

// Plane waves (Kraichnan 1970, "Diffusion by a random velocity field"): their lengths spread evenly
// over octaves, their energy by Kolmogorov's law, k^(-5/3) per k or k^(-2/3) per octave.
// Consecutive directions differ by the golden angle, so that waves of similar length have different
// directions.
void WindField::make_waves() {
    const std::uint32_t seed = wind_.turbulence_seed;
    const Quatf to_simulation = conjugate(wind_.to_air_frame.rotation);
    float energy = 0;
    for (std::uint32_t n = 0; n < kMaxAirWaves; ++n) {
        const float octave = kOctaves * (static_cast<float>(n) + counter_uniform(seed, n, 0)) /
                             static_cast<float>(kMaxAirWaves);
        const float per_metre = exp(octave * 0.693147181f) / wind_.turbulence_size;
        const float up = 2 * static_cast<float>(halton(n + 1 + (seed & 0xffff), 2)) - 1;
        const float level = sqrt(max(1 - up * up, 0.0f));
        const SinCos<float> around = sin_cos_of_turns(static_cast<double>(n) * 0.381966011250105);
        const Vec3f direction = {level * around.cos, up, level * around.sin};
        const Vec3f side = perpendicular(direction), other = cross(direction, side);
        const SinCos<float> lean =
            sin_cos_of_turns(static_cast<double>(counter_uniform(seed, n, 1)));
        const float size = exp(octave * -0.231049060f);  // (2^octave)^(-1/3)
        energy += wind::kMeanSquare * size * size;
        const Vec3f velocity = (side * lean.cos + other * lean.sin) * size;
        const Vec3f waves = direction * per_metre;
        const double phase = static_cast<double>(counter_uniform(seed, n, 2)) +
                             wide_dot(waves, wind_.to_air_frame.translation);
        waves_.push_back({rotate(to_simulation, waves), static_cast<float>(fraction_of(phase)),
                          rotate(to_simulation, velocity)});
        drift_.push_back(per_metre * kOwnSpeed * wind_.turbulence * (n % 2 == 0 ? 1.0f : -1.0f));
    }
    for (AirWave& one : waves_) one.velocity = one.velocity * (wind_.turbulence / sqrt(energy));
}

WindUniforms WindField::uniforms_at(double time, float h) const {
    WindUniforms out{};
    out.wind = wind_at(wind_, time);
    out.drag = damping_ * h;
    out.drag_along = damping_ * along_ * h;
    out.decay = exp(-out.drag);
    out.decay_along = exp(-out.drag_along);
    out.slender_rate = slender_damping_ * h;
    out.reynolds = reynolds_;
    out.shelter = wind_.shelter;
    out.first_free = first_free_;
    out.held_tips = held_tips_;
    out.wave_count = static_cast<int>(waves_.size());
    std::copy(waves_.begin(), waves_.end(), out.waves);
    const Vec3f displacement = displacement_of_air(wind_, time);
    for (std::size_t n = 0; n < waves_.size(); ++n) {
        AirWave& one = out.waves[n];
        one.phase = static_cast<float>(fraction_of(static_cast<double>(one.phase) -
                                                   wide_dot(one.waves, displacement) +
                                                   static_cast<double>(drift_[n]) * time));
    }
    return out;
}

void WindField::apply(SimState& state, double time, float h, const Channel<1>* density,
                      const std::optional<Push>& push, const TaskPool& pool, Device* device) const {
    if (!(damping_ > 0) && !(slender_damping_ > 0) && !push) return;
    WindUniforms uniforms = uniforms_at(time, h);
    if (push && push->radius > 0) {
        uniforms.push_a = push->from;
        uniforms.push_b = push->to;
        uniforms.push_radius = push->radius;
        uniforms.push = push->acceleration * h;
    }
    const bool sheltered = density && wind_.shelter > 0;
    ChannelAccess access(device);
    kernel_.run(uniforms,
                {.rows = 0,
                 .x = access.read(state.x),
                 .v = access.edit(state.v),
                 .end = access.read(end_),
                 .slender = access.read(slender_),
                 .density = sheltered ? access.read(*density) : nullptr},
                pool, access);
}

}  // namespace ringlet
