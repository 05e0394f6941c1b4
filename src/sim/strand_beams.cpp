#include "sim/strand_beams.h"

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

// Least length (m) of a segment, as in the rod.
constexpr double kShortest = 1e-5;

// A symmetric matrix with two diagonals on each side.
struct Pentadiagonal {
    std::vector<double> d, e, f;  // d_i = A_ii, e_i = A_{i,i+1}, f_i = A_{i,i+2}

    explicit Pentadiagonal(std::size_t n) : d(n), e(n), f(n) {}

    // Adds k g g^T for the vector with the entries g at rows i, i + 1 and i + 2.
    void add(std::size_t i, double k, double a, double b, double c) {
        d[i] += k * a * a;
        if (i + 1 < d.size()) {
            e[i] += k * a * b;
            d[i + 1] += k * b * b;
        }
        if (i + 2 < d.size()) {
            f[i] += k * a * c;
            e[i + 1] += k * b * c;
            d[i + 2] += k * c * c;
        }
    }
    // Replaces row and column i by those of the identity.
    void hold(std::size_t i) {
        d[i] = 1;
        e[i] = f[i] = 0;
        if (i > 0) e[i - 1] = 0;
        if (i > 1) f[i - 2] = 0;
    }
};

double scaled(double a, double by) { return a * by; }
Vec3f scaled(Vec3f a, double by) { return a * static_cast<float>(by); }

// Solves L D L^T y = y.
template <class Factor, class T>
void substitute(std::span<const Factor> factors, std::span<T> y) {
    const std::size_t n = y.size();
    for (std::size_t i = 0; i < n; ++i) {
        if (i + 1 < n) y[i + 1] -= scaled(y[i], factors[i].first);
        if (i + 2 < n) y[i + 2] -= scaled(y[i], factors[i].second);
    }
    for (std::size_t i = n; i-- > 0;) {
        y[i] = scaled(y[i], factors[i].over_d);
        if (i + 1 < n) y[i] -= scaled(y[i + 1], factors[i].first);
        if (i + 2 < n) y[i] -= scaled(y[i + 2], factors[i].second);
    }
}

void add_scaled(const float* values, float by, float* to, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) to[k] += values[k] * by;
}

Pentadiagonal matrix_of(const Beam& beam, std::span<const double> mass, double h) {
    const std::size_t n = mass.size();
    Pentadiagonal out(n);
    for (std::size_t i = 0; i < n; ++i) out.d[i] = mass[i];
    const auto over_length = [&](std::size_t i) {
        return 1 / std::max(static_cast<double>(beam.lengths[i]), kShortest);
    };
    for (std::size_t i = 0; i < beam.bend.size() && i + 1 < n; ++i) {
        const double k = h * h * static_cast<double>(beam.bend[i]);
        const double after = over_length(i), before = i > 0 ? over_length(i - 1) : 0;
        if (i == 0)
            out.add(0, k, -after, after, 0);
        else
            out.add(i - 1, k, before, -before - after, after);
    }
    if (beam.holds_root) out.hold(0);
    if (beam.holds_tip && n > 1) out.hold(n - 1);
    return out;
}

}  // namespace

void StrandBeams::add(const Beam& beam) {
    const std::size_t n = beam.lengths.size() + 1;
    std::vector<double> mass(n, 0.0);
    double total = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) {
        const double l = std::max(static_cast<double>(beam.lengths[i]), kShortest);
        mass[i] += l / 2;
        mass[i + 1] += l / 2;
        total += l;
    }
    const double mean = n > 1 ? total / static_cast<double>(n - 1) : kShortest;
    for (double& m : mass) {
        m = std::max(m / mean, 1e-6);
        mass_.push_back(static_cast<float>(m));
        inverse_mass_.push_back(static_cast<float>(1 / m));
    }
    if (beam.holds_root) inverse_mass_[inverse_mass_.size() - n] = 0;
    if (beam.holds_tip) inverse_mass_.back() = 0;
    for (std::size_t k = 0; k < steps_.size(); ++k) add_step(beam, mass, k);
    first_.push_back(first_.back() + static_cast<int>(n));
    mean_length_.push_back(static_cast<float>(mean));
}

void StrandBeams::add_step(const Beam& beam, std::span<const double> mass, std::size_t step) {
    std::vector<Factor> factors;
    Pentadiagonal a = matrix_of(beam, mass, static_cast<double>(steps_[step]));
    const std::size_t n = mass.size();
    for (std::size_t i = 0; i < n; ++i) {
        factors.push_back({1 / a.d[i], a.e[i] / a.d[i], a.f[i] / a.d[i]});
        if (i + 1 < n) {
            a.d[i + 1] -= factors[i].first * a.e[i];
            a.e[i + 1] -= factors[i].first * a.f[i];
        }
        if (i + 2 < n) a.d[i + 2] -= factors[i].second * a.f[i];
    }
    // A held vertex does not respond.
    if (beam.holds_root) factors.front().over_d = 0;
    if (beam.holds_tip) factors.back().over_d = 0;
    std::vector<double> y;
    for (std::size_t e = 0; e < n; ++e) {
        y.assign(n, 0.0);
        y[e] = 1;
        substitute(std::span<const Factor>(factors), std::span(y));
        add_column(y, e, step);
    }
    factors_[step].insert(factors_[step].end(), factors.begin(), factors.end());
}

void StrandBeams::add_column(std::span<const double> response, std::size_t vertex,
                             std::size_t step) {
    const double least = kLeastResponse * std::abs(response[vertex]);
    std::size_t low = vertex, high = vertex + 1;
    for (std::size_t k = 0; k < response.size(); ++k)
        if (std::abs(response[k]) > least) {
            low = std::min(low, k);
            high = std::max(high, k + 1);
        }
    columns_[step].push_back(
        {static_cast<int>(low), static_cast<int>(high), responses_[step].size()});
    for (std::size_t k = low; k < high; ++k)
        responses_[step].push_back(static_cast<float>(response[k]));
}

void StrandBeams::respond_to_all(int step, int beam, std::span<Vec3f> forces) const {
    const auto first = static_cast<std::size_t>(first_vertex(beam));
    const std::span<const Factor> factors(factors_[static_cast<std::size_t>(step)].data() + first,
                                          static_cast<std::size_t>(vertex_count(beam)));
    substitute(factors, forces);
}

int StrandBeams::step_index(float h) const {
    std::size_t best = 0;
    for (std::size_t k = 1; k < steps_.size(); ++k)
        if (std::abs(steps_[k] - h) < std::abs(steps_[best] - h)) best = k;
    return static_cast<int>(best);
}

float StrandBeams::compliance(int step, int beam, SegmentPoint at) const {
    const std::vector<Column>& columns = columns_[static_cast<std::size_t>(step)];
    const std::vector<float>& responses = responses_[static_cast<std::size_t>(step)];
    const auto response = [&](int of, int to) {
        const Column& column = columns[static_cast<std::size_t>(first_vertex(beam) + to)];
        if (of < column.low || of >= column.high) return 0.0f;
        return responses[column.start + static_cast<std::size_t>(of - column.low)];
    };
    const int i = at.segment;
    const float a = 1 - at.share, b = at.share;
    return a * a * response(i, i) + a * b * (response(i + 1, i) + response(i, i + 1)) +
           b * b * response(i + 1, i + 1);
}

void StrandBeams::respond(int step, int beam, SegmentPoint at, Vec3f force,
                          BeamMoves& moves) const {
    const auto first = static_cast<std::size_t>(first_vertex(beam));
    const auto add = [&](int vertex, float share) {
        const Column& column =
            columns_[static_cast<std::size_t>(step)][first + static_cast<std::size_t>(vertex)];
        const float* const response =
            responses_[static_cast<std::size_t>(step)].data() + column.start;
        const std::size_t count = static_cast<std::size_t>(column.high - column.low);
        const std::size_t to = first + static_cast<std::size_t>(column.low);
        add_scaled(response, force.x * share, moves.x.data() + to, count);
        add_scaled(response, force.y * share, moves.y.data() + to, count);
        add_scaled(response, force.z * share, moves.z.data() + to, count);
    };
    add(at.segment, 1 - at.share);
    add(at.segment + 1, at.share);
}

std::size_t StrandBeams::byte_count() const {
    std::size_t total =
        (2 * mass_.size() + mean_length_.size()) * sizeof(float) + first_.size() * sizeof(int);
    for (std::size_t k = 0; k < steps_.size(); ++k)
        total += responses_[k].size() * sizeof(float) + columns_[k].size() * sizeof(Column) +
                 factors_[k].size() * sizeof(Factor);
    return total;
}

}  // namespace ringlet
