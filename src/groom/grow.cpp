#include "groom/grow.h"

#include <algorithm>

#include "groom/clumps.h"
#include "groom/random_streams.h"
#include "groom/roots.h"
#include "groom/smooth_step.h"

namespace ringlet {

namespace {

float value(const Ramp& ramp, float s) { return ramp.at_root + (ramp.at_tip - ramp.at_root) * s; }

// Rises and falls between -1 and 1 in straight lines, once per unit of `turns`.
float triangle_wave(float turns) {
    const float t = turns - static_cast<float>(static_cast<int>(turns));
    return t < 0.25f ? 4 * t : t < 0.75f ? 2 - 4 * t : 4 * t - 4;
}

// Strands share a clump or a guide only within a region: one mesh group, one side of the parting.
int region_of(const Root& root, const CombSettings& comb) {
    return 3 * (root.group + 1) + side_of_parting(comb, root.position) + 1;
}

// Computes the rest shape of one strand at a time. A polyline has points at equal steps of
// `length`: the distance of a point from the root is its index times the step, not counting the
// length that curls add.
class Grower {
public:
    Grower(const GroomSettings& settings, const GroomMaps& maps, const Mesh& mesh, const Skin& skin,
           const std::vector<Root>& roots, int clump_count, const TaskPool& pool)
        : settings_(settings), maps_(maps), roots_(roots), skin_(skin) {
        std::vector<Vec3f> positions;
        std::vector<int> regions;
        for (const Root& root : roots) {
            positions.push_back(root.position);
            regions.push_back(region_of(root, settings.comb));
        }
        if (settings.cut_height) {
            skull_ = find_skull(mesh);
            cut_lengths_.resize(roots.size());
            pool.for_each(static_cast<int>(roots.size()), [&](int strand) {
                cut_lengths_[static_cast<std::size_t>(strand)] = cut_length(strand);
            });
            for (const float length : cut_lengths_) longest_ = max(longest_, length);
        } else {
            longest_ = settings.length;
        }
        clumps_ = Clumps(positions, regions, clump_count);
        centrelines_.resize(static_cast<std::size_t>(clumps_.leader_count()));
        pool.for_each(clumps_.leader_count(), [&](int clump) {
            const float length = longest_ * (1 + settings_.length_variation);
            std::vector<Vec3f> points(vertices());
            comb(clump, length, lift_of(clump), points);
            centrelines_[static_cast<std::size_t>(clump)] =
                ClumpCentreline(std::move(points), length);
        });
    }

    void shape(int strand, std::vector<Vec3f>& out) const {
        out.assign(vertices(), root(strand).position);
        if (out.size() == 1) return;  // only a root
        const int clump = clumps_.leader_of(out[0], region_of(root(strand), settings_.comb));
        const float length = length_of(strand);
        comb(strand, length, lift_of(clump), out);
        const bool flyaway = is_flyaway(strand);
        if (!flyaway) pull_to_clump(strand, clump, length, out);
        add_curl(strand, clump, length, out);
        if (flyaway) add_drift(strand, out);
        for (std::size_t i = 1; i < out.size(); ++i) out[i] = skin_.outside(out[i], 0.001f);
    }

private:
    std::size_t vertices() const { return static_cast<std::size_t>(settings_.vertices); }
    const Root& root(int strand) const { return roots_[static_cast<std::size_t>(strand)]; }
    static float fraction(std::size_t i, std::size_t count) {
        return static_cast<float>(i) / static_cast<float>(count - 1);
    }
    // Uniform in [-1, 1).
    float random(int id, std::uint32_t stream) const {
        return counter_signed(settings_.seed, static_cast<std::uint32_t>(id), stream);
    }
    // A random factor in [1 - variation, 1 + variation).
    float vary(float variation, int id, std::uint32_t stream) const {
        return 1 + variation * random(id, stream);
    }
    bool is_flyaway(int strand) const {
        return counter_uniform(settings_.seed, static_cast<std::uint32_t>(strand), kStreamFlyaway) <
               settings_.flyaway.share;
    }
    float lift_of(int clump) const {
        return settings_.comb.lift * (0.6f + 0.4f * random(clump, kStreamLift));
    }
    // The length before variation, maps and the soft hairline shorten it.
    float full_length(int strand) const {
        return cut_lengths_.empty() ? settings_.length
                                    : cut_lengths_[static_cast<std::size_t>(strand)];
    }

    // The length at which the combed strand ends at the height of the cut. A strand that does not
    // hang down gets the length of the path over the skull and straight down.
    float cut_length(int strand) const {
        const float height = *settings_.cut_height;
        const Vec3f arm = root(strand).position - skull_.centre;
        const float level = norm(Vec3f{arm.x, 0, arm.z});
        // Above the ears hair first follows the skull to its side.
        const float over = arm.y > 0 ? norm(arm) * atan2(arm.y, level) : arm.y;
        const float estimate = max(over + skull_.centre.y - height, kShortestCut);
        const float long_enough = 1.4f * estimate + 0.05f;
        std::vector<Vec3f> points(std::max<std::size_t>(vertices(), 32));
        comb(strand, long_enough, settings_.comb.lift, points);
        const float step = long_enough / static_cast<float>(points.size() - 1);
        for (std::size_t i = 1; i < points.size(); ++i) {
            const float above = points[i - 1].y - height, below = height - points[i].y;
            if (below < 0) continue;
            const float share = above > 0 ? above / max(above + below, kTiny) : 0.0f;
            return max((static_cast<float>(i - 1) + share) * step, kShortestCut);
        }
        return estimate;
    }

    float length_of(int strand) const {
        const float length = full_length(strand) *
                             vary(settings_.length_variation, strand, kStreamLength) *
                             max(sample_grey(maps_.length, root(strand).uv), 0.01f);
        const float soft = root(strand).soft;
        if (soft >= 1) return length;
        return length * (settings_.edge_length + (1 - settings_.edge_length) * soft);
    }

    // The direction of the strand's first segment.
    Vec3f root_direction(int strand) const {
        const CombSettings& comb = settings_.comb;
        const Root& from = root(strand);
        // The parting combs only the front and the top of the head.
        const auto side = static_cast<float>(side_of_parting(comb, from.position));
        const float sideways = side * comb.part_strength * smooth_step(-0.6f, 0.2f, from.normal.z);
        const Vec3f jitter =
            Vec3f{random(strand, kStreamHeading), random(strand, kStreamHeading + 1),
                  random(strand, kStreamHeading + 2)} *
            comb.variation;
        Vec3f out =
            unit_or(from.normal + comb.direction + Vec3f{sideways, 0, 0} + jitter, from.normal);
        // A strand never starts into the skin: its direction has an outward part of at least 0.1.
        const float outward = dot(out, from.normal);
        if (outward < 0.1f) out += from.normal * (0.1f - outward);
        return unit_or(out, from.normal);
    }

    // The polyline a strand follows before curls are added: it leaves the skin, bends downwards and
    // slides along the skin where it would enter it.
    void comb(int strand, float length, float lift, std::vector<Vec3f>& out) const {
        out[0] = root(strand).position;
        if (out.size() == 1) return;
        const float step = length / static_cast<float>(out.size() - 1);
        // With droop 1 a strand hangs down after about 5 cm.
        const float bend = settings_.comb.droop * step / 0.05f *
                           vary(settings_.comb.droop_variation, strand, kStreamDroop);
        Vec3f heading = root_direction(strand);
        for (std::size_t i = 1; i < out.size(); ++i) {
            const Vec3f wanted = out[i - 1] + heading * step;
            // The lift starts at 0, because roots lie on the skin, and grows along the strand.
            const float gap = min(lift, 0.6f * step * static_cast<float>(i));
            out[i] = skin_.above(wanted, gap);
            heading = unit_or(out[i] - out[i - 1], heading);
            heading = unit_or(heading + Vec3f{0, -bend, 0}, Vec3f{0, -1, 0});
        }
    }

    void pull_to_clump(int strand, int clump, float length, std::vector<Vec3f>& out) const {
        const ClumpSettings& c = settings_.clump;
        if (c.strength <= 0) return;
        const float strength =
            c.strength * min(vary(c.variation * (1 - c.strength), strand, kStreamPull), 1.0f);
        const ClumpCentreline& line = centrelines_[static_cast<std::size_t>(clump)];
        for (std::size_t i = 1; i < out.size(); ++i) {
            const float s = fraction(i, out.size());
            const float pull = min(strength * value(c.ramp, smooth_step(0, 0.6f, s)), 1.0f);
            out[i] = out[i] * (1 - pull) + line.point(s * length) * pull;
        }
    }

    // Adds curl, waves, zig-zag and frizz as offsets in the frames of the clump's centreline, so
    // that the strands of a clump curl together; each strand adds a small variation.
    void add_curl(int strand, int clump, float length, std::vector<Vec3f>& out) const {
        const CurlSettings& c = settings_.curl;
        const float radius = c.radius * vary(c.variation, clump, kStreamRadius) *
                             vary(0.3f * c.variation, strand, kStreamRadius);
        const float pitch = max(c.pitch * vary(c.variation, clump, kStreamPitch), 1e-4f);
        const float hand = random(clump, kStreamHand) < 2 * c.left_handed - 1 ? -1.0f : 1.0f;
        const float phase = 2 * kPi * c.phase +
                            c.phase_variation * kPi * random(clump, kStreamPhase) +
                            kPi * c.variation * random(strand, kStreamStray);
        const ClumpCentreline& line = centrelines_[static_cast<std::size_t>(clump)];
        for (std::size_t i = 1; i < out.size(); ++i) {
            const float s = fraction(i, out.size()), distance = s * length;
            const SinCos<float> turn = sin_cos(phase + hand * 2 * kPi * distance / pitch);
            const float r = radius * value(c.ramp, s) * smooth_step(0, max(c.start, 1e-3f), s);
            Vec3f offset{r * turn.cos, r * turn.sin, 0};
            offset.x += wave(strand, clump, s, distance);
            offset += frizz(strand, s, distance);
            out[i] += to_world(line.frame(distance), offset);
        }
    }

    float wave(int strand, int clump, float s, float distance) const {
        const WaveSettings& w = settings_.wave;
        const WaveSettings& z = settings_.zigzag;
        float out = 0;
        if (w.amplitude > 0) {
            const float length = w.length * vary(0.5f * w.variation, clump, kStreamWave);
            const float phase = kPi * random(clump, kStreamPhase) +
                                0.5f * w.variation * random(strand, kStreamWave);
            out += w.amplitude * value(w.ramp, s) *
                   (sin_cos(phase + 2 * kPi * distance / max(length, 1e-4f)).sin);
        }
        if (z.amplitude > 0) {
            const float length = z.length * vary(0.5f * z.variation, strand, kStreamZigzag);
            const float start = 0.5f + 0.5f * random(clump, kStreamZigzag);
            out += z.amplitude * value(z.ramp, s) *
                   triangle_wave(start + distance / max(length, 1e-4f));
        }
        return out;
    }

    Vec3f frizz(int strand, float s, float distance) const {
        const FrizzSettings& f = settings_.frizz;
        if (f.amplitude <= 0) return {0, 0, 0};
        const float size = f.amplitude * value(f.ramp, s) * vary(f.variation, strand, kStreamStray);
        const float at = distance / max(f.length, 1e-4f);
        return {size * smooth_noise(2 * strand, at), size * smooth_noise(2 * strand + 1, at), 0};
    }

    // One-dimensional value noise: random values at integers, smoothstep in between.
    float smooth_noise(int id, float at) const {
        const int cell = static_cast<int>(at);
        const float s = smooth_step(0, 1, at - static_cast<float>(cell));
        const auto knot = static_cast<std::uint32_t>(cell);
        const float a = random(id, kStreamFrizz + knot), b = random(id, kStreamFrizz + knot + 1);
        return a + (b - a) * s;
    }

    // Adds a slowly varying offset that grows towards the tip.
    void add_drift(int strand, std::vector<Vec3f>& out) const {
        for (std::size_t i = 1; i < out.size(); ++i) {
            const float s = fraction(i, out.size());
            const float size = settings_.flyaway.amplitude * s;
            out[i] += Vec3f{smooth_noise(3 * strand, 3 * s), smooth_noise(3 * strand + 1, 3 * s),
                            smooth_noise(3 * strand + 2, 3 * s)} *
                      size;
        }
    }

    const GroomSettings& settings_;
    const GroomMaps& maps_;
    const std::vector<Root>& roots_;
    const Skin& skin_;
    Skull skull_;                                 // set if the hair is cut at a height
    std::vector<float> cut_lengths_;              // m, one per strand; empty: settings_.length
    float longest_ = 0;                           // m, before variation
    static constexpr float kShortestCut = 0.01f;  // m
    Clumps clumps_{{}, {}, 0};
    std::vector<ClumpCentreline> centrelines_;
};

// The number of clumps does not depend on the number of strands. Without clumps each strand curls
// on its own.
int clump_count_of(const GroomSettings& settings, const GroomMaps& maps, const Mesh& mesh) {
    if (settings.clump.strength <= 0) return settings.strands;
    constexpr double kMost = 100'000;
    const auto spacing = static_cast<double>(settings.clump.spacing);
    const double area = growing_area(mesh, root_rules(settings, maps));
    return static_cast<int>(std::clamp(area / (spacing * spacing), 1.0, kMost));
}

void shape_planted(const PlantedStrand& planted, std::vector<Vec3f>& out) {
    out.resize(static_cast<std::size_t>(planted.vertices));
    const Framef frame = frame_along(unit_or(planted.direction, Vec3f{0, -1, 0}));
    const float step = planted.length / static_cast<float>(std::max(planted.vertices - 1, 1));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const float s = step * static_cast<float>(i);
        const SinCos<float> turn = sin_cos(2 * kPi * s / max(planted.curl_pitch, 1e-4f));
        // The helix passes through the root, so its axis does not.
        const Vec3f offset{planted.curl_radius * (turn.cos - 1), planted.curl_radius * turn.sin, s};
        out[i] = planted.root + to_world(frame, offset);
    }
}

}  // namespace

int side_of_parting(const CombSettings& comb, Vec3f root) {
    if (comb.part_strength <= 0) return 0;
    return root.x < comb.part ? -1 : 1;
}

void paint(const GroomSettings& settings, const GroomMaps& maps, StrandSet& strands,
           const TaskPool& pool) {
    if (strands.strand_count() == 0) return;
    strands.colour = Channel<3>(strands.layout);
    strands.radius = Channel<1>(strands.layout);
    pool.for_each(strands.strand_count(), [&](int strand) {
        const float vary = 1 + settings.colour.variation *
                                   counter_signed(settings.seed, static_cast<std::uint32_t>(strand),
                                                  kStreamColour);
        const float thickness =
            1 + settings.diameter_variation * counter_signed(settings.seed,
                                                             static_cast<std::uint32_t>(strand),
                                                             kStreamDiameter);
        const Vec3f tint =
            strands.root_uv.empty()
                ? Vec3f{1, 1, 1}
                : sample_colour(maps.colour, strands.root_uv[static_cast<std::size_t>(strand)]);
        const Vec2f tone = strands.fur_tone.empty()
                               ? Vec2f{0, 1}
                               : strands.fur_tone[static_cast<std::size_t>(strand)];
        const int count = strands.layout->vertex_count(strand);
        for (int i = 0; i < count; ++i) {
            const float s = count > 1 ? static_cast<float>(i) / static_cast<float>(count - 1) : 0;
            const float tip = tone.x * (1 - s) + tone.y * s;
            const Vec3f colour = settings.colour.root * (1 - tip) + settings.colour.tip * tip;
            strands.colour.set_vec3(
                strand, i, Vec3f{colour.x * tint.x, colour.y * tint.y, colour.z * tint.z} * vary);
            strands.radius.at(strand, i) =
                0.5f * settings.diameter * thickness * (1 - settings.taper * s * s);
        }
    });
}

Result<StrandSet> grow(const GroomSettings& settings, const GroomMaps& maps, const Mesh& mesh,
                       const TaskPool& pool) {
    // Planted strands do not use the skin.
    return grow(settings, maps, mesh, Skin(settings.strands > 0 ? mesh : Mesh{}, pool), pool);
}

Result<StrandSet> grow(const GroomSettings& settings, const GroomMaps& maps, const Mesh& mesh,
                       const Skin& skin, const TaskPool& pool) {
    std::vector<Root> roots;  // of the strands, then of the clumps beyond their number
    int clump_count = 0;
    if (settings.strands > 0) {
        clump_count = clump_count_of(settings, maps, mesh);
        Result<std::vector<Root>> scattered = scatter_roots(
            mesh, root_rules(settings, maps), std::max(settings.strands, clump_count));
        if (!scattered) return scattered.error();
        roots = std::move(*scattered);
    }
    const int grown = settings.strands;
    const std::span<const Root> strand_roots(roots.data(), static_cast<std::size_t>(grown));
    std::vector<int> counts(strand_roots.size(), settings.vertices);
    std::vector<Vec3f> positions;
    positions.reserve(strand_roots.size() + settings.planted.size());
    for (const Root& root : strand_roots) positions.push_back(root.position);
    for (const PlantedStrand& planted : settings.planted) {
        counts.push_back(planted.vertices);
        positions.push_back(planted.root);
    }

    StrandSet out{StrandLayout(counts, positions)};
    out.drop_appearance();
    for (const Root& root : strand_roots) {
        out.root_uv.push_back(root.uv);
        out.region.push_back(region_of(root, settings.comb));
    }
    out.root_uv.resize(counts.size(), Vec2f{0, 0});
    out.region.resize(counts.size(), -1);
    const Grower grower(settings, maps, mesh, skin, roots, clump_count, pool);
    constexpr int kStrandsPerTask = 64;  // they share one scratch polyline
    const int strand_count = out.strand_count();
    pool.for_each((strand_count + kStrandsPerTask - 1) / kStrandsPerTask, [&](int task) {
        std::vector<Vec3f> line;
        const int end = std::min(strand_count, (task + 1) * kStrandsPerTask);
        for (int strand = task * kStrandsPerTask; strand < end; ++strand) {
            if (strand < grown)
                grower.shape(strand, line);
            else
                shape_planted(settings.planted[static_cast<std::size_t>(strand - grown)], line);
            for (std::size_t i = 0; i < line.size(); ++i)
                out.position.set_vec3(strand, static_cast<int>(i), line[i]);
        }
    });
    return out;
}

}  // namespace ringlet
