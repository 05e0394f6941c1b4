#include "fit/choose_placement.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>

#include "fit/find_head.h"

namespace ringlet {

namespace {

// Heights of heads from chin to crown, in metres: usual, and still plausible for a child or a
// stylised figure.
constexpr float kUsualHead = 0.23f, kSmallest = 0.18f, kLargest = 0.28f;
constexpr float kPlausibleSmallest = 0.15f, kPlausibleLargest = 0.40f;
// A difference of misfits below which two orientations are about equally likely.
constexpr float kWeak = 0.02f;
// The largest extent of a mesh without a head for which metres are plausible, in metres.
constexpr float kSmallMesh = 0.02f, kLargeMesh = 10;

struct ScaleGuess {
    float scale = 1;
    std::string text;  // "centimetres"
    bool weak = false;
};

bool is_unit(Vec3f a) { return dot(a, a) > 0.5f; }

std::string number_text(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", static_cast<double>(value));
    return text;
}

struct NamedScale {
    float metres;
    std::string_view text;
};
// In the order of preference where several are plausible.
constexpr NamedScale kScales[] = {{1, "metres"},           {0.01f, "centimetres"},
                                  {0.001f, "millimetres"}, {0.1f, "decimetres"},
                                  {0.0254f, "inches"},     {0.3048f, "feet"}};

ScaleGuess named_scale(float metres) {
    for (const NamedScale& known : kScales)
        if (std::abs(metres / known.metres - 1) < 1e-4f)
            return {known.metres, std::string(known.text)};
    return {metres, number_text(metres) + " m per unit"};
}

// The unit of a mesh whose head is `height` units tall.
ScaleGuess scale_of_head(float height, float stated) {
    const auto plausible = [&](float scale) {
        return height * scale > kPlausibleSmallest && height * scale < kPlausibleLargest;
    };
    if (stated > 0 && plausible(stated)) return named_scale(stated);
    if (plausible(1)) return named_scale(1);
    const NamedScale* best = nullptr;
    const auto error = [&](const NamedScale& scale) {
        return std::abs(std::log(height * scale.metres / kUsualHead));
    };
    for (const NamedScale& scale : kScales)
        if (height * scale.metres > kSmallest && height * scale.metres < kLargest &&
            (!best || error(scale) < error(*best)))
            best = &scale;
    if (best) return named_scale(best->metres);
    // Inches and feet are taken only if the size is usual.
    for (const NamedScale& scale : std::span(kScales).first(4))
        if (plausible(scale.metres)) return named_scale(scale.metres);
    const float scale = kUsualHead / height;
    return {scale, number_text(scale) + " m per unit, so that the head is 23 cm tall"};
}

// The unit of a mesh without a recognised head, by its largest extent.
ScaleGuess scale_of_size(float extent, float stated) {
    const auto plausible = [&](float scale) {
        return extent * scale > kSmallMesh && extent * scale < kLargeMesh;
    };
    if (stated > 0 && plausible(stated)) return named_scale(stated);
    if (plausible(1)) return named_scale(1);
    // A head, a bust and a figure are from 0.2 to 2.1 m large.
    for (const NamedScale& scale : kScales)
        if (extent * scale.metres > 0.19f && extent * scale.metres < 2.2f) {
            ScaleGuess out = named_scale(scale.metres);
            out.weak = true;
            return out;
        }
    const float scale = 0.5f / extent;
    return {scale, number_text(scale) + " m per unit, so that the mesh is 50 cm large", true};
}

struct AxesGuess {
    Vec3f up{0, 1, 0}, facing{0, 0, 1};
    bool weak = false;
};

bool same_axes(const HeadPose& pose, const AxesGuess& axes) {
    return dot(pose.up, axes.up) > 0.5f && dot(pose.facing, axes.facing) > 0.5f;
}

// The best orientation; the usual one where that is about as good.
const HeadCandidate& choose_axes(const FoundHead& found, const AxesGuess& usual, AxesGuess& out) {
    const HeadCandidate* chosen = &found.best();
    for (const HeadCandidate& candidate : found.candidates)
        if (same_axes(candidate.pose, usual) && candidate.misfit < found.best().misfit + kWeak)
            chosen = &candidate;
    out = {chosen->pose.up, chosen->pose.facing};
    for (const HeadCandidate& candidate : found.candidates)
        if (&candidate != chosen && candidate.misfit < chosen->misfit + kWeak) out.weak = true;
    return *chosen;
}

Result<void> check_axes(const PlacementSettings& settings, const PlacementNames& names) {
    const Vec3f up = vector_of(settings.up), facing = vector_of(settings.facing);
    if (is_unit(up) && is_unit(facing) && dot(up, facing) != 0)
        return Error{names.up_key + " and " + names.facing_key +
                     " are along the same axis; they must be perpendicular"};
    return {};
}

// Completes what is stated: +Y up, and the usual facing.
AxesGuess complete_axes(Vec3f up, Vec3f facing) {
    AxesGuess out;
    if (is_unit(up))
        out.up = up;
    else if (is_unit(facing) && facing.y != 0)
        out.up = {0, 0, 1};
    out.facing = is_unit(facing) && dot(facing, out.up) == 0 ? facing : usual_facing(out.up);
    return out;
}

std::string upper(std::string_view word) {
    std::string out(word);
    for (char& c : out)
        if (c >= 'x' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return out;
}

std::string axes_text(const AxesGuess& axes) {
    return upper(word_of(axis_near(axes.up))) + " up, facing " +
           upper(word_of(axis_near(axes.facing)));
}

float stated_scale(const PlacementSettings& settings) {
    return settings.scale > 0 ? settings.scale : metres_of(settings.units);
}

Placement combine(float scale, const AxesGuess& axes, const PlacementSettings& settings) {
    Placement out = turn_upright(axes.up, axes.facing);
    out.scale = scale;
    return rotate_and_move(settings.rotate_degrees, settings.offset) * out;
}

// The keys that would replace what was guessed: "groom.mesh_units, groom.mesh_up".
std::string keys_text(const PlacementSettings& settings, const PlacementNames& names) {
    std::string out;
    const auto add = [&](bool guessed, const std::string& key) {
        if (guessed) out += (out.empty() ? "" : ", ") + key;
    };
    add(stated_scale(settings) == 0, names.units_key);
    add(settings.up == SignedAxis::automatic, names.up_key);
    add(settings.facing == SignedAxis::automatic, names.facing_key);
    return out;
}

void report(const ScaleGuess& scale, const AxesGuess& axes, bool is_head,
            const PlacementSettings& settings, const PlacementNames& names, Messages& messages) {
    const std::string taken = "taken as " + scale.text + ", " + axes_text(axes);
    const std::string keys = keys_text(settings, names);
    if (keys.empty()) return;
    const bool is_weak = scale.weak || axes.weak;
    if (!is_weak) {
        messages.assumptions.push_back(names.file + ": " + taken + " (set " + keys + ")");
        return;
    }
    const std::string doubt = is_head ? ", but other orientations fit about as well"
                                      : ", although no head was recognised";
    messages.warnings.push_back({taken + doubt, names.file, "set " + keys + " if this is wrong"});
}

}  // namespace

Vec3f usual_facing(Vec3f up) {
    if (up.x != 0) return {0, 0, 1};
    return cross(Vec3f{1, 0, 0}, up);  // so that up x facing = +X
}

Result<Placement> stated_placement(const PlacementSettings& settings, const PlacementNames& names) {
    const Result<void> valid = check_axes(settings, names);
    if (!valid) return valid.error();
    const float scale = stated_scale(settings);
    return combine(scale > 0 ? scale : 1,
                   complete_axes(vector_of(settings.up), vector_of(settings.facing)), settings);
}

Result<Placement> choose_placement(const Mesh& mesh, const TriangleSubset& head,
                                   const PlacementSettings& settings, const StatedAxes& stated,
                                   const PlacementNames& names, Messages& messages) {
    const Result<void> valid = check_axes(settings, names);
    if (!valid) return valid.error();
    const float known_scale = stated_scale(settings);
    const KnownAxes known{vector_of(settings.up), vector_of(settings.facing)};
    if (known_scale > 0 && is_unit(known.up) && is_unit(known.facing))
        return stated_placement(settings, names);
    const FoundHead found = find_head(mesh, head, known);
    const bool is_head = !found.candidates.empty() && found.best().misfit < kHeadMisfit;
    AxesGuess axes = complete_axes(is_unit(known.up) ? known.up : stated.up,
                                   is_unit(known.facing) ? known.facing : stated.facing);
    ScaleGuess scale;
    if (is_head) {
        const HeadCandidate& chosen = choose_axes(found, axes, axes);
        scale = scale_of_head(chosen.pose.height, stated.metres);
    } else {
        const Vec3f size = bounds_of(mesh).high - bounds_of(mesh).low;
        scale = scale_of_size(max(size.x, max(size.y, size.z)), stated.metres);
    }
    if (known_scale > 0) scale = named_scale(known_scale);
    const Placement guessed = combine(scale.scale, axes, {});
    if (!guessed.is_identity()) report(scale, axes, is_head, settings, names, messages);
    return rotate_and_move(settings.rotate_degrees, settings.offset) * guessed;
}

}  // namespace ringlet
