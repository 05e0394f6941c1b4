#include "validate/swings.h"

namespace ringlet::lab {

double period_of(std::span<const double> samples, double dt, int most) {
    double first = -1, last = -1;
    int periods = -1;
    for (std::size_t k = 1; k < samples.size() && periods < most; ++k) {
        const double before = samples[k - 1], now = samples[k];
        if (!(before > 0 && now <= 0)) continue;
        last = (static_cast<double>(k - 1) + before / (before - now)) * dt;
        if (periods++ < 0) first = last;
    }
    return periods > 0 ? (last - first) / periods : kNone;
}

Oscillation oscillation_of(std::span<const double> samples, double dt) {
    const std::span<const double> y = samples;
    double a = 0, b = 0, c = 0, p = 0, q = 0;
    for (std::size_t n = 1; n + 1 < y.size(); ++n) {
        a += y[n] * y[n];
        b += y[n] * y[n - 1];
        c += y[n - 1] * y[n - 1];
        p += y[n + 1] * y[n];
        q += y[n + 1] * y[n - 1];
    }
    const double det = a * c - b * b, first = (p * c - q * b) / det, second = (q * a - p * b) / det;
    const double radius = std::sqrt(-second), angle = std::acos(first / (2 * radius));
    const double omega = std::hypot(angle, std::log(radius)) / dt;
    return {omega, -std::log(radius) / (omega * dt)};
}

double decay_of(std::span<const double> samples, double dt, double period, double last) {
    const auto count = static_cast<std::size_t>(std::lround(period / dt));
    double n = 0, t = 0, y = 0, tt = 0, ty = 0, start = 0;
    for (std::size_t k = 0; k + count <= samples.size(); ++k) {
        double square = 0;
        for (const double x : samples.subspan(k, count)) square += x * x;
        if (k == 0) start = square;
        if (square < last * last * start) break;
        const double at = static_cast<double>(k) * dt;
        n += 1;
        t += at;
        y += 0.5 * std::log(square);
        tt += at * at;
        ty += at * 0.5 * std::log(square);
    }
    const double decay = -(n * tt - t * t) / (n * ty - t * y);
    return decay > 0 ? decay : kNone;
}

std::vector<double> chain_mode(int segments, double end_mass, double omega) {
    // m_i omega^2 u_i = T_{i-1} (u_i - u_{i-1})/l - T_i (u_{i+1} - u_i)/l, where T_i is the weight
    // below; in units of a vertex's weight and of L.
    const double l = 1.0 / segments;
    std::vector<double> u(static_cast<std::size_t>(segments) + 1, 1);
    double tension = 0, slope = 0;  // of the segment below vertex i
    for (int i = segments; i > 0; --i) {
        const auto at = static_cast<std::size_t>(i);
        const double mass = i == segments ? end_mass : 1;
        const double pull = tension * slope;
        tension += mass;
        slope = (mass * omega * omega * u[at] + pull) / tension;
        u[at - 1] = u[at] - slope * l;
    }
    return u;
}

namespace {

// Offsets the vertices sideways along a mode; all segments keep their length.
std::vector<Vec3f> bent_chain(std::span<const double> mode, double length, double offset) {
    const double l = length / static_cast<double>(mode.size() - 1);
    std::vector<Vec3f> out;
    double y = 0;
    for (std::size_t i = 0; i < mode.size(); ++i) {
        const double across = i > 0 ? (mode[i] - mode[i - 1]) * offset : 0;
        if (i > 0) y -= std::sqrt(l * l - across * across);
        out.push_back({static_cast<float>((mode[i] - mode[0]) * offset), static_cast<float>(y), 0});
    }
    return out;
}

}  // namespace

double chain_frequency(const CheckRun& run, int segments, double omega, double h) {
    const double length = 0.3, end_mass = run.profile.end_mass;
    SimSettings settings = run.profile.limp_settings();
    settings.clamp_root = false;
    settings.dt = static_cast<float>(h);
    settings.substeps = 1;
    const std::vector<double> mode = chain_mode(segments, end_mass, omega);
    Simulation simulation =
        run.simulation(strands_of({bent_chain(mode, length, 0.01 * length)}), settings);
    const double scale = std::sqrt(length / 9.81), period = 2 * static_cast<double>(kPi) / omega;
    const Series offsets =
        record(simulation, 3.5 * period * scale, run.pool, [&](const Simulation& now, int) {
            double sum = 0;
            for (int i = 1; i <= segments; ++i)
                sum += wide(now.state().x.vec3(0, i)).x * mode[static_cast<std::size_t>(i)] *
                       (i == segments ? end_mass : 1);
            return sum;
        });
    return 2 * static_cast<double>(kPi) * scale / period_of(offsets[0], h);
}

}  // namespace ringlet::lab
