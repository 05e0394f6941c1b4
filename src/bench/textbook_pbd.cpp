#include "bench/textbook_pbd.h"

#include "math/elementary.h"

namespace ringlet::speed {

namespace {

constexpr float kMass = 0.425f;  // kg; only ratios matter

Particle particle_at(Vec3f x, bool is_root) { return {x, x, {0, 0, 0}, is_root ? 0 : 1 / kMass}; }

void predict(Particle& at, const TextbookStep& step) {
    if (at.w <= 0) return;
    at.v += step.gravity * step.dt;
    at.v = at.v * step.damping;
    at.p = at.x + at.v * step.dt;
}

void finish(Particle& at, const TextbookStep& step) {
    at.v = (at.p - at.x) * (1 / step.dt);
    at.x = at.p;
}

// Müller et al. 2007, eq. 10-11.
void project_distance(Particle& a, Particle& b, float rest, float k) {
    const Vec3f d = b.p - a.p;
    const float length = norm(d);
    const float total = a.w + b.w;
    if (length <= 0 || total <= 0) return;
    const Vec3f move = d * (k * (length - rest) / (length * total));
    a.p += move * a.w;
    b.p -= move * b.w;
}

class DistanceConstraint final : public Constraint {
public:
    DistanceConstraint(Particle* a, Particle* b, float rest, float k)
        : a_(a), b_(b), rest_(rest), k_(k) {}
    void solve() override { project_distance(*a_, *b_, rest_, k_); }

private:
    Particle *a_, *b_;
    float rest_, k_;
};

}  // namespace

std::vector<Distance> distances_of(const std::vector<Vec3f>& rest, int iterations) {
    const int count = static_cast<int>(rest.size());
    const auto length = [&](int i) {
        return norm(rest[static_cast<std::size_t>(i + 1)] - rest[static_cast<std::size_t>(i)]);
    };
    const float curl = static_cast<float>(1 - nth_root(1 - 0.6, iterations));
    std::vector<Distance> out;
    for (int i = 0; i + 2 < count; ++i) out.push_back({i, i + 2, 0.9f * length(i), curl});
    for (int i = 0; i + 4 < count; ++i) out.push_back({i, i + 4, 1.9f * length(i), curl});
    for (int i = 0; i + 1 < count; ++i) out.push_back({i, i + 1, length(i), 1});
    return out;
}

TextbookPbd::TextbookPbd(const Polylines& rest, const TextbookStep& step, SweepOrder order)
    : step_(step), order_(order) {
    for (const std::vector<Vec3f>& line : rest) {
        Strand& strand = strands_.emplace_back();
        for (const Vec3f& x : line)
            strand.particles.push_back(particle_at(x, strand.particles.empty()));
        strand.constraints = distances_of(line, step.iterations);
    }
}

void TextbookPbd::project(Strand& strand) {
    for (const Distance& c : strand.constraints)
        project_distance(strand.particles[static_cast<std::size_t>(c.a)],
                         strand.particles[static_cast<std::size_t>(c.b)], c.rest, c.k);
}

void TextbookPbd::step() {
    for (Strand& strand : strands_) {
        for (Particle& at : strand.particles) predict(at, step_);
        if (order_ == SweepOrder::world) continue;
        for (int n = 0; n < step_.iterations; ++n) project(strand);
        for (Particle& at : strand.particles) finish(at, step_);
    }
    if (order_ == SweepOrder::strand_by_strand) return;
    for (int n = 0; n < step_.iterations; ++n)
        for (Strand& strand : strands_) project(strand);
    for (Strand& strand : strands_)
        for (Particle& at : strand.particles) finish(at, step_);
}

Polylines TextbookPbd::positions() const {
    Polylines out;
    for (const Strand& strand : strands_) {
        out.emplace_back();
        for (const Particle& at : strand.particles) out.back().push_back(at.x);
    }
    return out;
}

VirtualPbd::VirtualPbd(const Polylines& rest, const TextbookStep& step, SweepOrder order)
    : step_(step), order_(order) {
    for (const std::vector<Vec3f>& line : rest) {
        Strand& strand = strands_.emplace_back();
        for (const Vec3f& x : line)
            strand.particles.push_back(
                std::make_unique<Particle>(particle_at(x, strand.particles.empty())));
        for (const Distance& c : distances_of(line, step.iterations))
            strand.constraints.push_back(std::make_unique<DistanceConstraint>(
                strand.particles[static_cast<std::size_t>(c.a)].get(),
                strand.particles[static_cast<std::size_t>(c.b)].get(), c.rest, c.k));
    }
}

void VirtualPbd::step() {
    for (Strand& strand : strands_) {
        for (const auto& at : strand.particles) predict(*at, step_);
        if (order_ == SweepOrder::world) continue;
        for (int n = 0; n < step_.iterations; ++n)
            for (const auto& constraint : strand.constraints) constraint->solve();
        for (const auto& at : strand.particles) finish(*at, step_);
    }
    if (order_ == SweepOrder::strand_by_strand) return;
    for (int n = 0; n < step_.iterations; ++n)
        for (Strand& strand : strands_)
            for (const auto& constraint : strand.constraints) constraint->solve();
    for (Strand& strand : strands_)
        for (const auto& at : strand.particles) finish(*at, step_);
}

Polylines VirtualPbd::positions() const {
    Polylines out;
    for (const Strand& strand : strands_) {
        out.emplace_back();
        for (const auto& at : strand.particles) out.back().push_back(at->x);
    }
    return out;
}

}  // namespace ringlet::speed
