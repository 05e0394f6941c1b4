#include "fur/coat.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "fur/cpu/tip_blocks.h"
#include "math/wide8.h"

namespace ringlet {

namespace {

// Smallest length of fur in metres: fur without length has no direction.
constexpr float kMinLength = 1e-6f;

// The rows of this many blocks fit into the L1 cache.
constexpr int kBlocksPerTask = 16;

// s; the time step of the assignment. `damping` is the fraction of speed left after it.
constexpr float kDampingTime = 0.02f;

// The damping rate of shells, 1/s: the Padé approximant of ln(1/damping) / kDampingTime at the
// assignment's stiffness. It scales with the natural frequency, so that stiff and soft fur come to
// rest after the same number of oscillations.
float damping_rate(const FurSettings& s) {
    return 2 * (1 - s.damping) / ((1 + s.damping) * kDampingTime) *
           sqrt(max(s.stiffness, 0.0f) / FurSettings{}.stiffness);
}

bool is_finite(const float* rows, int row_count) {
    float sums[kTipLanes] = {};  // x * 0 is 0 for every finite x, otherwise NaN
    for (int row = 0; row < row_count; ++row)
        for (int lane = 0; lane < kTipLanes; ++lane) sums[lane] += rows[row * kTipLanes + lane] * 0;
    return std::all_of(sums, sums + kTipLanes, [](float sum) { return sum == 0; });
}

// Loads three consecutive rows of a vertex, starting at `row`; blocks have `row_count` rows.
Vec3f vec3_at(const std::vector<float>& rows, int vertex, int row_count, int row) {
    return load_vec3<float>(
        rows.data() + (vertex / kTipLanes * row_count + row) * kTipLanes + vertex % kTipLanes,
        kTipLanes);
}

}  // namespace

PackedTip packed_tip(Vec3f direction) {
    const Vec3f u = direction * 32767.0f;
    return {static_cast<std::int16_t>(u.x), static_cast<std::int16_t>(u.y),
            static_cast<std::int16_t>(u.z), 0};
}

FurCoat::FurCoat(const Pelt& pelt, const FurSettings& settings, const Rigidf& body, LaneKind lanes)
    : original_(settings.style == FurStyle::original),
      count_(pelt.vertex_count()),
      lengths_(pelt.lengths),
      body_(body),
      body_before_(body),
      move_(pick_lanes(lanes, tip_block<float>, tip_block<Wide8<IsaPortable>>,
                       tip_block<Wide8<IsaAvx2>>, tip_block<WideN<IsaAvx512, 16>>,
                       tip_block<float>)) {
    const auto blocks = static_cast<std::size_t>(block_count());
    unit_ = settings.unit > 0 ? settings.unit : pelt.rms_radius;
    rest_.resize(blocks * kRestRows * kTipLanes);
    state_.resize(blocks * kStateRows * kTipLanes);
    set_shape(pelt);
    set(settings);
    for (int i = 0; i < block_count() * kTipLanes; ++i) put_at_rest(i);
    before_ = state_;
}

void FurCoat::set(const FurSettings& settings) {
    settings_ = settings;
    for (int i = 0; i < block_count() * kTipLanes; ++i) {
        const auto vertex = static_cast<std::size_t>(std::min(i, count_ - 1));
        float* rows = rest_of(i / kTipLanes) + i % kTipLanes;
        rows[9 * kTipLanes] = max(lengths_[vertex] * length(), kMinLength);
        rows[10 * kTipLanes] = 1 / rows[9 * kTipLanes];
    }
}

void FurCoat::set_shape(const Pelt& pelt) {
    for (int i = 0; i < block_count() * kTipLanes; ++i) {
        // The padding lanes of the last block repeat the last vertex.
        const auto vertex = static_cast<std::size_t>(std::min(i, count_ - 1));
        float* rows = rest_of(i / kTipLanes) + i % kTipLanes;
        if (!original_) {
            // The root moves; the tip keeps its position in world space.
            float* tip = state_of(i / kTipLanes) + i % kTipLanes;
            const Vec3f back = load_vec3<float>(rows, kTipLanes) - pelt.positions[vertex];
            const Vec3f from_root = load_vec3<float>(tip, kTipLanes) +
                                    rotate(body_.rotation, back) * rows[10 * kTipLanes];
            store_vec3(tip, kTipLanes,
                       unit_or(from_root, rotate(body_.rotation, pelt.normals[vertex])));
        }
        store_vec3(rows, kTipLanes, pelt.positions[vertex]);
        store_vec3(rows + 3 * kTipLanes, kTipLanes, pelt.normals[vertex]);
        store_vec3(rows + 6 * kTipLanes, kTipLanes, rest_direction(pelt, vertex));
    }
}

void FurCoat::put_at_rest(int vertex) {
    const float* rows = rest_of(vertex / kTipLanes) + vertex % kTipLanes;
    const Vec3f normal = rotate(body_.rotation, load_vec3<float>(rows + 3 * kTipLanes, kTipLanes));
    const Vec3f p = apply(body_, load_vec3<float>(rows, kTipLanes));
    float* state = state_of(vertex / kTipLanes) + vertex % kTipLanes;
    store_vec3(state, kTipLanes, original_ ? p + normal * rows[9 * kTipLanes] : normal);
    store_vec3(state + 3 * kTipLanes, kTipLanes, Vec3f{0, 0, 0});
}

TipUniforms FurCoat::uniforms_of(std::span<const StepInput> steps,
                                 std::span<const PlacedCollider> colliders, const Air& air) {
    TipUniforms out;
    out.original = original_;
    out.has_air = !original_ && (!air.waves.empty() || air.shelter > 0);
    out.wind = steps.back().wind;
    out.coupling = settings_.wind;
    out.shelter = air.shelter;
    out.waves = air.waves.data();
    out.wave_count = static_cast<int>(air.waves.size());
    steps_.clear();
    TipFrame before(body_);
    for (const StepInput& around : steps) {
        const TipFrame now(around.body);
        const Vec3f wind = out.has_air ? Vec3f{0, 0, 0} : around.wind * settings_.wind;
        steps_.emplace_back(before, now, settings_.stiffness,
                            Vec3f{0, -settings_.gravity * unit_, 0} + wind);
        before = now;
    }
    out.h = settings_.dt;
    out.stiffness = settings_.stiffness;
    out.damping = settings_.damping;
    out.rate = damping_rate(settings_);
    out.least_cosine = sin_cos(settings_.max_bend * (kPi / 180)).cos;
    out.steps = steps_.data();
    out.step_count = static_cast<int>(steps_.size());
    out.colliders = colliders.data();
    out.collider_count = static_cast<int>(colliders.size());
    return out;
}

void FurCoat::advance(std::span<const StepInput> steps, std::span<const PlacedCollider> colliders,
                      const Air& air, const TaskPool& pool) {
    if (steps.empty()) return;
    const TipUniforms uniforms = uniforms_of(steps, colliders, air);
    before_ = state_;
    body_before_ = body_;
    body_ = steps.back().body;
    const int tasks = (block_count() + kBlocksPerTask - 1) / kBlocksPerTask;
    std::atomic<int> repaired{0};
    pool.for_each(tasks, [&](int task) {
        const int first = task * kBlocksPerTask;
        const int count = std::min(kBlocksPerTask, block_count() - first);
        move_(uniforms, {rest_of(first), state_of(first),
                         thread_scratch(kBlocksPerTask * kFlowRows * kTipLanes), count});
        if (!is_finite(state_of(first), count * kStateRows))
            for (int b = first; b < first + count; ++b) repaired += repair(b);
    });
    repaired_ = repaired;
}

int FurCoat::repair(int block) {
    int repaired = 0;
    for (int i = block * kTipLanes; i < (block + 1) * kTipLanes; ++i) {
        const Vec3f x = state(i, 0), v = state(i, 3);
        if (std::isfinite(x.x + x.y + x.z + v.x + v.y + v.z)) continue;
        put_at_rest(i);
        repaired += i < count_ ? 1 : 0;
    }
    return repaired;
}

Vec3f FurCoat::tip(int vertex) const {
    return original_ ? state(vertex, 0) : root(vertex, body_) + from_root(vertex, state_, body_);
}

Vec3f FurCoat::velocity(int vertex) const {
    return state(vertex, 3) * (original_ ? 1 : length_of(vertex));
}

float FurCoat::length_of(int vertex) const {
    return max(lengths_[static_cast<std::size_t>(vertex)] * length(), kMinLength);
}

Vec3f FurCoat::from_root(int vertex, const std::vector<float>& states, const Rigidf& body) const {
    const Vec3f kept = vec3_at(states, vertex, kStateRows, 0);
    return original_ ? kept - root(vertex, body) : kept * length_of(vertex);
}

Vec3f FurCoat::state(int vertex, int row) const { return vec3_at(state_, vertex, kStateRows, row); }

Vec3f FurCoat::root(int vertex, const Rigidf& body) const {
    return apply(body, vec3_at(rest_, vertex, kRestRows, 0));
}

double FurCoat::max_stretch() const {
    double most = 0;
    for (int i = 0; i < count_; ++i) {
        const double length = static_cast<double>(length_of(i));
        const double now = static_cast<double>(norm(from_root(i, state_, body_)));
        most = std::max(most, std::abs(now - length) / length);
    }
    return most;
}

void FurCoat::add_to(Hash& hash) const {
    for (int i = 0; i < count_; ++i)
        for (const Vec3f a : {tip(i), velocity(i)}) {
            hash.add(a.x);
            hash.add(a.y);
            hash.add(a.z);
        }
}

std::vector<std::span<std::byte>> FurCoat::changing_memory() {
    std::vector<std::span<std::byte>> out;
    for (std::vector<float>* values : {&rest_, &state_, &before_})
        out.push_back(std::as_writable_bytes(std::span(*values)));
    for (Rigidf* pose : {&body_, &body_before_})
        out.push_back(std::as_writable_bytes(std::span(pose, 1)));
    out.push_back(std::as_writable_bytes(std::span(&repaired_, 1)));
    return out;
}

void FurCoat::directions(float t, std::vector<PackedTip>& out, const TaskPool& pool) const {
    out.resize(static_cast<std::size_t>(count_));
    constexpr int kPerTask = 2048;
    pool.for_each((count_ + kPerTask - 1) / kPerTask, [&](int task) {
        for (int i = task * kPerTask; i < std::min((task + 1) * kPerTask, count_); ++i) {
            const Vec3f a = from_root(i, before_, body_before_), b = from_root(i, state_, body_);
            out[static_cast<std::size_t>(i)] = packed_tip(unit_or(a + (b - a) * t, Vec3f{0, 1, 0}));
        }
    });
}

}  // namespace ringlet
