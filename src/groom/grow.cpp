#include "groom/grow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "groom/clumps.h"
#include "groom/flow.h"
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

// Strands share a clump or a guide only within a region: one mesh group, one side of the parting,
// the fringe.
int region_of(const Root& root, const HairFlow& flow) {
    const int place =
        flow.is_in_fringe(root.position) ? 3 : flow.side_of_parting(root.position) + 1;
    return 4 * (root.group + 1) + place;
}

// The levels of clumps, from large to fine.
constexpr int kClumpLevels = 3, kMainLevel = 1;

const ClumpSettings& clump_settings(const GroomSettings& settings, int level) {
    return level == 0            ? settings.large_clump
           : level == kMainLevel ? settings.clump
                                 : settings.fine_clump;
}

struct ClumpLevel {
    Clumps clumps{{}, {}, 0};
    std::vector<ClumpCentreline> centrelines;
};

using ClumpCounts = std::array<int, kClumpLevels>;

// Computes the rest shape of one strand at a time. A polyline has points at equal steps of
// `length`: the distance of a point from the root is its index times the step, not counting the
// length that curls add.
class Grower {
public:
    Grower(const GroomSettings& settings, const GroomMaps& maps, const Mesh& mesh, const Skin& skin,
           const HairFlow& flow, const std::vector<Root>& roots, const ClumpCounts& clump_counts,
           const TaskPool& pool)
        : settings_(settings), maps_(maps), roots_(roots), skin_(skin), flow_(flow) {
        std::vector<Vec3f> positions;
        for (const Root& root : roots) {
            positions.push_back(root.position);
            regions_.push_back(region_of(root, flow));
        }
        choose_lengths(mesh, pool);
        for (int level = 0; level < kClumpLevels; ++level)
            make_clumps(level, positions, clump_counts[static_cast<std::size_t>(level)], pool);
    }

    void shape(int strand, std::vector<Vec3f>& out) const {
        out.assign(vertices(), root(strand).position);
        if (out.size() == 1) return;  // only a root
        const std::array<int, kClumpLevels> clumps = clumps_of(strand);
        const float length = length_of(strand);
        comb(strand, clumps[kMainLevel], length, lift_of(clumps[kMainLevel]), out);
        const bool flyaway = is_flyaway(strand);
        for (int level = kClumpLevels; level-- > 0 && !flyaway;)
            pull_to_clump(strand, level, clumps[static_cast<std::size_t>(level)], length, out);
        add_curl(strand, clumps[kMainLevel], length, out);
        if (flyaway) add_drift(strand, length, out);
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
    int region(int strand) const { return regions_[static_cast<std::size_t>(strand)]; }

    void choose_lengths(const Mesh& mesh, const TaskPool& pool) {
        longest_ = settings_.length;
        if (!settings_.cut_height && settings_.fringe.length <= 0 && settings_.layers == 0) return;
        skull_ = find_skull(mesh);
        lengths_.resize(roots_.size());
        pool.for_each(static_cast<int>(roots_.size()), [&](int strand) {
            lengths_[static_cast<std::size_t>(strand)] = chosen_length(strand);
        });
        if (settings_.cut_height) longest_ = 0;
        for (const float length : lengths_) longest_ = max(longest_, length);
    }

    float chosen_length(int strand) const {
        const Vec3f from = root(strand).position;
        if (flow_.is_in_fringe(from)) return cut_length(strand, flow_.fringe_height(), 0);
        const float length = settings_.cut_height
                                 ? cut_length(strand, *settings_.cut_height, settings_.cut_slope)
                                 : settings_.length;
        return length * (1 - settings_.layers * flow_.height_on_skull(from));
    }

    void make_clumps(int level, std::span<const Vec3f> positions, int count, const TaskPool& pool) {
        ClumpLevel& out = levels_[static_cast<std::size_t>(level)];
        const std::uint32_t seed = settings_.seed + static_cast<std::uint32_t>(level);
        out.clumps =
            Clumps(positions, regions_, count, clump_settings(settings_, level).noise, seed);
        out.centrelines.resize(static_cast<std::size_t>(out.clumps.leader_count()));
        pool.for_each(out.clumps.leader_count(), [&](int clump) {
            const float length = longest_ * (1 + settings_.length_variation);
            std::vector<Vec3f> points(vertices());
            comb(clump, main_clump_of(clump), length, lift_of(clump), points);
            out.centrelines[static_cast<std::size_t>(clump)] =
                ClumpCentreline(std::move(points), length);
        });
    }

    // A fine clump belongs to one larger clump as a whole.
    std::array<int, kClumpLevels> clumps_of(int strand) const {
        std::array<int, kClumpLevels> out{};
        int from = strand;
        for (int level = kClumpLevels; level-- > 0;) {
            const Clumps& clumps = levels_[static_cast<std::size_t>(level)].clumps;
            if (clumps.leader_count() == 0) continue;
            from = clumps.leader_of(root(from).position, region(strand), from);
            out[static_cast<std::size_t>(level)] = from;
        }
        return out;
    }

    // The main clump of a leader. Clumps are made from large to fine, and only those of the finest
    // level belong to a main clump.
    int main_clump_of(int leader) const {
        const Clumps& clumps = levels_[kMainLevel].clumps;
        return clumps.leader_count() == 0
                   ? leader
                   : clumps.leader_of(root(leader).position, region(leader), leader);
    }

    // The length before variation, maps and the soft hairline shorten it.
    float full_length(int strand) const {
        return lengths_.empty() ? settings_.length : lengths_[static_cast<std::size_t>(strand)];
    }

    // The length at which the combed strand ends at the cutting plane, which has `height` at the
    // middle of the skull and rises towards the face by `slope`. A strand that does not hang down
    // gets the length of the path over the skull and straight down.
    float cut_length(int strand, float height, float slope) const {
        const Vec3f arm = root(strand).position - skull_.centre;
        const float level = norm(Vec3f{arm.x, 0, arm.z});
        // Above the ears hair first follows the skull to its side.
        const float over = arm.y > 0 ? norm(arm) * atan2(arm.y, level) : arm.y;
        const float estimate = max(over + skull_.centre.y - height - slope * arm.z, kShortestCut);
        const float long_enough = 1.4f * estimate + 0.05f;
        std::vector<Vec3f> points(std::max<std::size_t>(vertices(), 32));
        comb(strand, strand, long_enough, settings_.comb.lift, points);
        const float step = long_enough / static_cast<float>(points.size() - 1);
        const auto above_cut = [&](Vec3f p) {
            return p.y - height - slope * (p.z - skull_.centre.z);
        };
        for (std::size_t i = 1; i < points.size(); ++i) {
            const float above = above_cut(points[i - 1]), below = -above_cut(points[i]);
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

    // Uniform in a cube.
    Vec3f random_vector(int id, std::uint32_t stream) const {
        return {random(id, stream), random(id, stream + 1), random(id, stream + 2)};
    }
    Vec3f jitter(int strand, int clump) const {
        const Vec3f own = random_vector(strand, kStreamHeading) * settings_.comb.variation;
        if (settings_.comb.clump_variation <= 0) return own;
        return own + random_vector(clump, kStreamClumpHeading) * settings_.comb.clump_variation;
    }

    // Factor of comb.rise: the finest hair of the hairline lies flat, and so does a fringe.
    float flatness(const Root& from) const {
        return flow_.is_in_fringe(from.position) ? 0.3f : 0.4f + 0.6f * from.soft;
    }

    // The direction of the strand's first segment.
    Vec3f root_direction(int strand, int clump) const {
        const CombSettings& comb = settings_.comb;
        const Root& from = root(strand);
        Vec3f wanted = from.normal + comb.direction;
        if (flow_.is_field()) {
            wanted = flow_.at(from.position, from.normal) +
                     from.normal * (comb.rise * flatness(from)) + comb.direction;
        } else {
            // The parting combs only the front and the top of the head.
            const auto side = static_cast<float>(flow_.side_of_parting(from.position));
            wanted.x += side * comb.part_strength * smooth_step(-0.6f, 0.2f, from.normal.z);
        }
        Vec3f out = unit_or(wanted + jitter(strand, clump), from.normal);
        // A strand never starts into the skin: its direction has an outward part of at least 0.1.
        const float outward = dot(out, from.normal);
        if (outward < 0.1f) out += from.normal * (0.1f - outward);
        return unit_or(out, from.normal);
    }

    // Turns a strand towards the field while it is near the scalp, less and less along `follow`.
    Vec3f follow_field(Vec3f heading, Vec3f p, Vec3f root, float distance, float step) const {
        const CombSettings& comb = settings_.comb;
        if (!flow_.is_field() || distance >= comb.follow) return heading;
        const DistanceField::Sample skin = skin_.at(p);
        const float near = 1 - smooth_step(comb.lift + 0.01f, comb.lift + 0.04f, skin.distance);
        if (near <= 0) return heading;
        const Vec3f normal = unit_or(skin.gradient, Vec3f{0, 1, 0});
        constexpr float kTurningLength = 0.02f;  // m
        const float share = near * flow_.holds(p, root) * (1 - distance / comb.follow) *
                            min(step / kTurningLength, 1.0f);
        return unit_or(heading * (1 - share) + flow_.at(p, normal) * share, heading);
    }

    // Turns a strand that would slide outwards over a shoulder to the front or to the back. `root`
    // is that of its clump, which stays together.
    Vec3f drape_over_shoulder(Vec3f heading, Vec3f p, Vec3f root, float step) const {
        const CombSettings& comb = settings_.comb;
        if (comb.drape <= 0 || !flow_.is_field()) return heading;
        const Vec3f lay = flow_.over_shoulder(p, root);
        const DistanceField::Sample skin = skin_.at(p);
        const float near = 1 - smooth_step(comb.lift + 0.005f, comb.lift + 0.04f, skin.distance);
        // Beyond the ridge of the shoulder the strand falls by itself.
        const float down =
            dot(unit_or(skin.gradient, Vec3f{0, 1, 0}), unit_or(lay, Vec3f{0, -1, 0}));
        const float before_ridge = 1 - smooth_step(-0.35f, 0.15f, down);
        constexpr float kTurningLength = 0.015f;  // m
        const float share =
            comb.drape * near * before_ridge * norm(lay) * min(step / kTurningLength, 1.0f);
        return share > 0 ? unit_or(heading * (1 - share) + lay * share, heading) : heading;
    }

    // The polyline a strand follows before curls are added: it leaves the skin, follows the field,
    // bends downwards and slides along the skin where it would enter it.
    void comb(int strand, int clump, float length, float lift, std::vector<Vec3f>& out) const {
        out[0] = root(strand).position;
        if (out.size() == 1) return;
        const float step = length / static_cast<float>(out.size() - 1);
        // With droop 1 a strand hangs down after about 5 cm.
        const float bend = settings_.comb.droop * step / 0.05f *
                           vary(settings_.comb.droop_variation, strand, kStreamDroop) *
                           (flow_.is_in_fringe(out[0]) ? kFringeDroop : 1);
        Vec3f heading = root_direction(strand, clump);
        for (std::size_t i = 1; i < out.size(); ++i) {
            const Vec3f wanted = out[i - 1] + heading * step;
            // The lift starts at 0, because roots lie on the skin, and grows along the strand.
            const float distance = step * static_cast<float>(i);
            out[i] = skin_.above(wanted, min(lift, 0.6f * distance));
            heading = unit_or(out[i] - out[i - 1], heading);
            heading = follow_field(heading, out[i], out[0], distance, step);
            heading = unit_or(heading + Vec3f{0, -bend, 0}, Vec3f{0, -1, 0});
            heading = drape_over_shoulder(heading, out[i], root(clump).position, step);
        }
    }

    // How strongly a clump pulls a strand, before splay and the ramp; 0 for strays.
    float strength_of_pull(int strand, int level, int clump) const {
        const ClumpSettings& c = clump_settings(settings_, level);
        const auto own = static_cast<std::uint32_t>(level);
        if (counter_uniform(settings_.seed, static_cast<std::uint32_t>(strand),
                            kStreamClumpStray + own) < c.strays)
            return 0;
        return c.strength * min(vary(c.variation * (1 - c.strength), strand, kStreamPull), 1.0f) *
               (1 - c.noise * 0.5f *
                        counter_uniform(settings_.seed + own, static_cast<std::uint32_t>(clump),
                                        kStreamPull));
    }

    // The share of the pull for a strand whose clump is up to `depth` metres behind the skin: the
    // points half-way to the centreline are that deep. Near the crown and the parting, a strand and
    // its clump may fall on different sides of the head.
    static float share_of_pull(float depth) { return 1 - smooth_step(0.005f, 0.02f, depth); }

    void pull_to_clump(int strand, int level, int clump, float length,
                       std::vector<Vec3f>& out) const {
        const ClumpSettings& c = clump_settings(settings_, level);
        float strength = strength_of_pull(strand, level, clump);
        if (strength <= 0) return;
        const ClumpCentreline& line =
            levels_[static_cast<std::size_t>(level)].centrelines[static_cast<std::size_t>(clump)];
        const auto centre = [&](std::size_t i) {
            return line.point(fraction(i, out.size()) * length);
        };
        float depth = 0;
        for (std::size_t i = 1; i < out.size(); ++i)
            depth = max(depth, -skin_.at((centre(i) + out[i]) * 0.5f).distance);
        strength *= share_of_pull(depth);
        if (strength <= 0) return;
        for (std::size_t i = 1; i < out.size(); ++i) {
            const float s = fraction(i, out.size());
            const float open = 1 - c.splay * smooth_step(0.65f, 1, s);
            const float pull = min(strength * open * value(c.ramp, smooth_step(0, 0.6f, s)), 1.0f);
            out[i] = out[i] * (1 - pull) + centre(i) * pull;
        }
    }

    // The length along which a helix has turned at `distance`: less than that where a clump's helix
    // changes its hand.
    float turned_length(int clump, float distance) const {
        const auto id = static_cast<std::uint32_t>(clump);
        if (counter_uniform(settings_.seed, id, kStreamReversal) >= settings_.curl.reversals)
            return distance;
        const float at =
            longest_ * (0.35f + 0.4f * counter_uniform(settings_.seed + 1, id, kStreamReversal));
        // A rounded corner of half a pitch.
        const float past = distance - at, soft = 0.5f * settings_.curl.pitch;
        return at - std::sqrt(past * past + soft * soft);
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
        const ClumpCentreline& line =
            levels_[kMainLevel].centrelines[static_cast<std::size_t>(clump)];
        for (std::size_t i = 1; i < out.size(); ++i) {
            const float s = fraction(i, out.size()), distance = s * length;
            const SinCos<float> turn =
                sin_cos(phase + hand * 2 * kPi * turned_length(clump, distance) / pitch);
            const float r = radius * value(c.ramp, s) * smooth_step(0, max(c.start, 1e-3f), s);
            Vec3f offset{r * turn.cos, r * turn.sin, 0};
            offset.x += wave(strand, clump, s, distance);
            offset += frizz(strand, s, distance, length);
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

    Vec3f frizz(int strand, float s, float distance, float length) const {
        const FrizzSettings& f = settings_.frizz;
        if (f.amplitude <= 0) return {0, 0, 0};
        const float amplitude = min(f.amplitude, kLargestDrift * length);
        const float size = amplitude * value(f.ramp, s) * vary(f.variation, strand, kStreamStray);
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

    // Adds a slowly varying offset that grows towards the tip. It stays in proportion to the
    // strand: a large one would make a short strand several times as long.
    void add_drift(int strand, float length, std::vector<Vec3f>& out) const {
        const float amplitude = min(settings_.flyaway.amplitude, kLargestDrift * length);
        for (std::size_t i = 1; i < out.size(); ++i) {
            const float s = fraction(i, out.size());
            const float size = amplitude * s;
            out[i] += Vec3f{smooth_noise(3 * strand, 3 * s), smooth_noise(3 * strand + 1, 3 * s),
                            smooth_noise(3 * strand + 2, 3 * s)} *
                      size;
        }
    }

    const GroomSettings& settings_;
    const GroomMaps& maps_;
    const std::vector<Root>& roots_;
    const Skin& skin_;
    const HairFlow& flow_;
    std::vector<int> regions_;                     // of the roots
    Skull skull_;                                  // set if lengths_ is
    std::vector<float> lengths_;                   // m, one per root; empty: settings_.length
    float longest_ = 0;                            // m, before variation
    static constexpr float kShortestCut = 0.01f;   // m
    static constexpr float kLargestDrift = 0.15f;  // of frizz and flyaways, over the length
    static constexpr float kFringeDroop = 2;       // factor: a fringe lies on the forehead
    std::array<ClumpLevel, kClumpLevels> levels_;
};

// The number of clumps does not depend on the number of strands. Without clumps each strand curls
// on its own, as the only one of its main clump.
ClumpCounts clump_counts_of(const GroomSettings& settings, const GroomMaps& maps,
                            const Mesh& mesh) {
    constexpr double kMost = 100'000;
    const double area = growing_area(mesh, root_rules(settings, maps));
    ClumpCounts out{};
    for (int level = 0; level < kClumpLevels; ++level) {
        const ClumpSettings& clump = clump_settings(settings, level);
        const auto spacing = static_cast<double>(clump.spacing);
        int& count = out[static_cast<std::size_t>(level)];
        if (clump.strength > 0)
            count = static_cast<int>(std::clamp(area / (spacing * spacing), 1.0, kMost));
        else if (level == kMainLevel)
            count = settings.strands;
    }
    return out;
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

void paint(const GroomSettings& settings, const GroomMaps& maps, StrandSet& strands,
           const TaskPool& pool) {
    if (strands.strand_count() == 0) return;
    strands.colour = Channel<3>(strands.layout);
    strands.radius = Channel<1>(strands.layout);
    pool.for_each(strands.strand_count(), [&](int strand) {
        const float vary = 1 + settings.colour.variation *
                                   counter_signed(settings.seed, static_cast<std::uint32_t>(strand),
                                                  kStreamColour);
        const float growth = strands.root_growth.empty()
                                 ? 1.0f
                                 : strands.root_growth[static_cast<std::size_t>(strand)];
        // Hair at a soft hairline is finer.
        const float thickness =
            (0.5f + 0.5f * growth) *
            (1 + settings.diameter_variation * counter_signed(settings.seed,
                                                              static_cast<std::uint32_t>(strand),
                                                              kStreamDiameter));
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
    ClumpCounts clump_counts{};
    if (settings.strands > 0) {
        clump_counts = clump_counts_of(settings, maps, mesh);
        Result<std::vector<Root>> scattered =
            scatter_roots(mesh, root_rules(settings, maps),
                          std::max(settings.strands, std::ranges::max(clump_counts)));
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
    const HairFlow flow(settings, mesh, maps.comb);
    for (const Root& root : strand_roots) {
        out.root_uv.push_back(root.uv);
        out.root_growth.push_back(root.soft);
        out.region.push_back(region_of(root, flow));
    }
    out.root_growth.resize(counts.size(), 1.0f);
    out.root_uv.resize(counts.size(), Vec2f{0, 0});
    out.region.resize(counts.size(), -1);
    const Grower grower(settings, maps, mesh, skin, flow, roots, clump_counts, pool);
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
