#include "groom/grow.h"

#include <algorithm>

#include "geom/bvh.h"
#include "geom/point_grid.h"
#include "groom/roots.h"
#include "math/noise.h"
#include "math/quat.h"

namespace ringlet {

namespace {

// Channels of counter noise, drawn per strand or per lock.
enum Draw : std::uint32_t {
    kDrawLength = 0x67720001,
    kDrawColour,
    kDrawPhase,
    kDrawHand,
    kDrawRadius,
    kDrawPitch,
    kDrawFrizz,
    kDrawStray,
    kDrawLift,
};

// Smooth noise along a strand: values at whole numbers, joined by a cubic.
float smooth_noise(std::uint32_t seed, std::uint32_t id, float at) {
    const float cell = static_cast<float>(static_cast<int>(at));
    const float t = at - cell, s = t * t * (3 - 2 * t);
    const auto knot = static_cast<std::uint32_t>(cell);
    const float a = counter_signed(seed, id, kDrawFrizz + 64 * knot);
    const float b = counter_signed(seed, id, kDrawFrizz + 64 * (knot + 1));
    return a + (b - a) * s;
}

float ramp(float from, float to, float at) {
    const float t = min(max((at - from) / max(to - from, 1e-6f), 0.0f), 1.0f);
    return t * t * (3 - 2 * t);
}

// Grows strands one by one; what it draws for a strand depends on its number alone.
class Grower {
public:
    Grower(const GroomSettings& settings, const Mesh& body, std::vector<Root> roots)
        : settings_(settings), skin_(body), roots_(std::move(roots)), locks_(lock_centres()) {}

    int strand_count() const { return static_cast<int>(roots_.size()); }
    const Root& root(int strand) const { return roots_[static_cast<std::size_t>(strand)]; }

    // Fills `out` (vertices of them) with the shape of a strand.
    void shape(int strand, std::vector<Vec3f>& out) const {
        out[0] = root(strand).position;
        if (out.size() == 1) return;  // a root without hair
        const int lock = lock_of(strand);
        const float length = length_of(strand);
        const float lift = settings_.comb.lift * (0.6f + 0.4f * draw(lock, kDrawLift));
        comb_core(root(strand), length, lift, out);
        std::vector<Vec3f> centre(out.size());
        comb_core(root(lock), length, lift, centre);
        for (std::size_t i = 1; i < out.size(); ++i) {
            const float pull = settings_.clump.strength * ramp(0, 0.6f, fraction(i, out.size()));
            out[i] = out[i] * (1 - pull) + centre[i] * pull;
        }
        curl(strand, lock, length, centre, out);
        for (std::size_t i = 1; i < out.size(); ++i) out[i] = outside(out[i], 0.001f);
    }

private:
    static float fraction(std::size_t i, std::size_t count) {
        return static_cast<float>(i) / static_cast<float>(count - 1);
    }

    // The first roots of the sequence are spread as evenly as all of them: they lead the locks.
    PointGrid lock_centres() const {
        const std::size_t size = static_cast<std::size_t>(settings_.clump.size);
        std::vector<Vec3f> leaders;
        for (std::size_t k = 0; k < (roots_.size() + size - 1) / size; ++k)
            leaders.push_back(roots_[k].position);
        return PointGrid(leaders);
    }

    int lock_of(int strand) const {
        return settings_.clump.strength > 0 ? locks_.nearest(root(strand).position) : strand;
    }

    float draw(int id, std::uint32_t channel) const {
        return counter_signed(settings_.seed, static_cast<std::uint32_t>(id), channel);
    }

    float length_of(int strand) const {
        return settings_.length * (1 + settings_.length_variation * draw(strand, kDrawLength));
    }

    // Pushes a point out of the skin to at least `gap` above it.
    Vec3f outside(Vec3f p, float gap) const {
        const ClosestPoint at = skin_.closest(p, 0.15f);
        if (at.triangle < 0 || at.distance >= gap) return p;
        return at.point + at.normal * gap;
    }

    Vec3f leaving_direction(const Root& from) const {
        const CombSettings& comb = settings_.comb;
        // A parting runs over the front and the top of the head, not down its back.
        const float side = from.position.x < comb.part ? -1.0f : 1.0f;
        const float sideways = side * comb.part_strength * ramp(-0.6f, 0.2f, from.normal.z);
        return unit_or(from.normal + comb.direction + Vec3f{sideways, 0, 0}, from.normal);
    }

    // The line a strand would follow without its curl: out of the skin, bending down under its own
    // weight, and over the skin where it meets it.
    void comb_core(const Root& from, float length, float lift, std::vector<Vec3f>& out) const {
        const float step = length / static_cast<float>(out.size() - 1);
        const float bend = settings_.comb.droop * step / 0.05f;  // droop 1: down within 5 cm
        Vec3f heading = leaving_direction(from);
        out[0] = from.position;
        for (std::size_t i = 1; i < out.size(); ++i) {
            const Vec3f wanted = out[i - 1] + heading * step;
            // The lift grows over the first centimetres, since roots stand on the skin itself.
            const float gap = min(lift, 0.6f * step * static_cast<float>(i));
            out[i] = outside(wanted, gap);
            heading = unit_or(out[i] - out[i - 1], heading);
            heading = unit_or(heading + Vec3f{0, -bend, 0}, Vec3f{0, -1, 0});
        }
    }

    // Winds `line` about itself. Frames follow the centre of the lock, so that all its strands wind
    // together; each adds a little of its own.
    void curl(int strand, int lock, float length, const std::vector<Vec3f>& centre,
              std::vector<Vec3f>& line) const {
        const CurlSettings& c = settings_.curl;
        const float radius = c.radius * (1 + c.variation * draw(lock, kDrawRadius)) *
                             (1 + 0.3f * c.variation * draw(strand, kDrawRadius));
        const float pitch = max(c.pitch * (1 + c.variation * draw(lock, kDrawPitch)), 1e-4f);
        const float hand = draw(lock, kDrawHand) < 2 * c.mix - 1 ? -1.0f : 1.0f;
        const float phase =
            kPi * draw(lock, kDrawPhase) + kPi * c.variation * draw(strand, kDrawStray);
        const std::uint32_t id = static_cast<std::uint32_t>(strand);

        Framef frame = frame_along(unit_or(centre[1] - centre[0], Vec3f{0, 1, 0}));
        for (std::size_t i = 1; i < line.size(); ++i) {
            const float s = fraction(i, line.size());
            frame = transport(frame, unit_or(centre[i] - centre[i - 1], frame.tangent));
            const SinCos<float> turn = sin_cos(phase + hand * 2 * kPi * s * length / pitch);
            const float r = radius * ramp(0, max(2 * c.start, 1e-3f), s);
            const float wobble = settings_.frizz * ramp(0, 0.3f, s), knots = s * length / 0.012f;
            const Vec3f offset{
                r * turn.cos + wobble * smooth_noise(settings_.seed, 2 * id, knots),
                r * turn.sin + wobble * smooth_noise(settings_.seed, 2 * id + 1, knots), 0};
            line[i] += to_world(frame, offset);
        }
    }

    const GroomSettings& settings_;
    Bvh skin_;
    std::vector<Root> roots_;
    PointGrid locks_;
};

void shape_planted(const PlantedStrand& planted, std::vector<Vec3f>& out) {
    out.resize(static_cast<std::size_t>(planted.vertices));
    const Framef frame = frame_along(unit_or(planted.direction, Vec3f{0, -1, 0}));
    const float step = planted.length / static_cast<float>(std::max(planted.vertices - 1, 1));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float s = step * static_cast<float>(i);
        const SinCos<float> turn = sin_cos(2 * kPi * s / max(planted.curl_pitch, 1e-4f));
        // The helix passes through the root, tangent shifted: centred on an axis beside it.
        const Vec3f offset{planted.curl_radius * (turn.cos - 1), planted.curl_radius * turn.sin, s};
        out[i] = planted.root + to_world(frame, offset);
    }
}

void paint(const GroomSettings& settings, int strand, StrandSet& out) {
    const float vary =
        1 + settings.colour.variation *
                counter_signed(settings.seed, static_cast<std::uint32_t>(strand), kDrawColour);
    const int count = out.layout->vertex_count(strand);
    for (int i = 0; i < count; ++i) {
        const float s = count > 1 ? static_cast<float>(i) / static_cast<float>(count - 1) : 0;
        const Vec3f colour = settings.colour.root * (1 - s) + settings.colour.tip * s;
        out.colour.set_vec3(strand, i, colour * vary);
        out.radius.at(strand, i) = 0.5f * settings.diameter * (1 - settings.taper * s * s);
    }
}

}  // namespace

Result<StrandSet> grow(const GroomSettings& settings, const Mesh& body, const TaskPool& pool) {
    std::vector<Root> roots;
    if (settings.strands > 0) {
        Result<std::vector<Root>> scattered =
            scatter_roots(body, settings.scalp, settings.strands, settings.seed);
        if (!scattered) return scattered.error();
        roots = std::move(*scattered);
    }
    const int grown = static_cast<int>(roots.size());
    std::vector<int> counts(roots.size(), settings.vertices);
    std::vector<Vec3f> places;
    for (const Root& root : roots) places.push_back(root.position);
    for (const PlantedStrand& planted : settings.planted) {
        counts.push_back(planted.vertices);
        places.push_back(planted.root);
    }

    StrandSet out{StrandLayout(counts, places)};
    for (const Root& root : roots) out.root_uv.push_back(root.uv);
    out.root_uv.resize(counts.size(), Vec2f{0, 0});
    const Grower grower(settings, body, std::move(roots));
    pool.for_each(out.strand_count(), [&](int strand) {
        std::vector<Vec3f> line;
        if (strand < grown) {
            line.resize(static_cast<std::size_t>(settings.vertices));
            grower.shape(strand, line);
        } else {
            shape_planted(settings.planted[static_cast<std::size_t>(strand - grown)], line);
        }
        for (std::size_t i = 0; i < line.size(); ++i)
            out.position.set_vec3(strand, static_cast<int>(i), line[i]);
        paint(settings, strand, out);
    });
    return out;
}

}  // namespace ringlet
