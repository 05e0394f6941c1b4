#include "session/assets/import_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "collide/mesh_body.h"
#include "fit/choose_placement.h"
#include "fit/groom_fit.h"
#include "fit/strip_wrap.h"

namespace ringlet {

namespace {

// A groom with this share of its roots within 2 cm of the skin is where it belongs.
constexpr float kInPlace = 0.9f;
// A fit with a larger mean distance to the skin is reported as a warning.
constexpr float kGoodFit = 0.01f;  // m
// A fit with a larger mean distance belongs to a groom that was made for another head.
constexpr float kOtherHead = 0.001f;  // m

std::vector<GroomRoot> roots_of(const StrandSet& strands) {
    constexpr int kMost = 4000;
    std::vector<GroomRoot> out;
    const int step = strands.strand_count() / kMost + 1;
    for (int s = 0; s < strands.strand_count(); s += step) {
        const Vec3f root = strands.position.vec3(s, 0);
        const int along = std::min(strands.layout->vertex_count(s) - 1, 3);
        const Vec3f next = strands.position.vec3(s, along);
        out.push_back({root, unit_or(next - root, Vec3f{0, 1, 0})});
    }
    return out;
}

RootDistances distances(const std::vector<GroomRoot>& roots, const Placement& placement,
                        const Mesh& mesh) {
    std::vector<Vec3f> placed;
    for (const GroomRoot& root : roots) placed.push_back(apply(placement, root.position));
    return measure_roots(placed, mesh);
}

std::string upper_axis(Vec3f axis) {
    std::string word(word_of(axis_near(axis)));
    word[1] = static_cast<char>(word[1] - 'a' + 'A');
    return word;
}

std::string unit_text(const FittedGroom& fitted) {
    for (const LengthUnit unit : {LengthUnit::metre, LengthUnit::centimetre, LengthUnit::millimetre,
                                  LengthUnit::inch, LengthUnit::foot})
        if (fitted.unit == metres_of(unit)) return std::string(plural_of(unit));
    return fmt::format("{:.3g} m per unit", fitted.placement.scale);
}

void report(const FittedGroom& fitted, const RootDistances& left, bool moves_roots,
            const std::string& file, Messages& messages) {
    const float factor = fitted.unit > 0 ? fitted.placement.scale / fitted.unit : 1;
    const std::string text = fmt::format(
        "taken as {}, {} up, facing {}, and moved onto the scalp{}; its roots are {:.1f} mm from "
        "the skin on average and {:.1f} mm at most{}",
        unit_text(fitted), upper_axis(fitted.up), upper_axis(fitted.facing),
        factor == 1 ? "" : fmt::format(", scaled by {:.3f}", factor), left.mean * 1e3f,
        left.worst * 1e3f, moves_roots ? ", and each is moved onto it" : "");
    constexpr const char* kKeys =
        "groom.file_units, groom.file_up, groom.file_facing or "
        "groom.file_fit";
    if (left.mean < kGoodFit)
        messages.assumptions.push_back(fmt::format("{}: {} (set {})", file, text, kKeys));
    else
        messages.warnings.push_back({text, file, fmt::format("set {}", kKeys)});
}

bool is_zero(Vec3f a) { return a.x == 0 && a.y == 0 && a.z == 0; }

void place_strands(const Placement& placement, StrandSet& strands) {
    if (placement.is_identity()) return;
    for (int s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            strands.position.set_vec3(s, i, apply(placement, strands.position.vec3(s, i)));
            strands.radius.at(s, i) *= placement.scale;
        }
}

// A strip of roots and the axes in which it runs from the front to the back of a body.
struct UprightStrip {
    Midline line;
    Placement upright;
};

// With the axes that the scene states, otherwise with the usual ones.
std::optional<UprightStrip> strip_of(const std::vector<GroomRoot>& roots, Vec3f up, Vec3f facing) {
    const bool is_stated = !is_zero(up) && !is_zero(facing) && dot(up, facing) == 0;
    std::vector<Placement> axes{turn_upright({0, 1, 0}, {0, 0, 1}),
                                turn_upright({0, 0, 1}, {0, -1, 0})};
    if (is_stated) axes = {turn_upright(up, facing)};
    for (const Placement& upright : axes) {
        std::vector<Vec3f> turned_roots;
        for (const GroomRoot& root : roots) turned_roots.push_back(turned(upright, root.position));
        if (std::optional<Midline> line = find_strip(turned_roots))
            return UprightStrip{std::move(*line), upright};
    }
    return std::nullopt;
}

// Bends a strip over the head if the rigid fit covers only a part of the way from the hairline to
// the nape, or more than it. Returns false if it leaves the strands alone.
bool wrap_over_head(const UprightStrip& strip, const FittedGroom& fitted, const Mesh& scalp,
                    float stated_scale, const std::string& file, StrandSet& strands,
                    Messages& messages) {
    constexpr float kLeast = 0.6f, kMost = 1.2f;
    const std::optional<Midline> over = find_midline(scalp);
    if (!over) return false;
    const float covered = fitted.placement.scale * strip.line.length() / over->length();
    if (covered > kLeast && covered < kMost) return false;
    const float scale = stated_scale > 0 ? stated_scale : over->length() / strip.line.length();
    wrap_strip(strip.line, *over, scalp, scale, strip.upright, strands);
    messages.assumptions.push_back(fmt::format(
        "{}: its roots form a strip that does not fit the head without bending; laid over the "
        "middle of the scalp from the hairline to the nape, {:.3g} m per unit, with its roots on "
        "the skin (set groom.file_units, groom.file_up, groom.file_facing or groom.file_fit)",
        file, scale));
    return true;
}

// The unit of hair without a head, of which only the size is known: the largest metric one in which
// it is no larger than the hair of a figure or of a large animal.
LengthUnit unit_by_size(const StrandSet& strands) {
    constexpr float kLargest = 3;  // m
    Vec3f low{1e30f, 1e30f, 1e30f}, high = -low;
    for (int s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            const Vec3f p = strands.position.vec3(s, i);
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
    for (const LengthUnit unit :
         {LengthUnit::metre, LengthUnit::centimetre, LengthUnit::millimetre})
        if (norm(high - low) * metres_of(unit) <= kLargest) return unit;
    return LengthUnit::metre;  // no usual unit; an error about its extent states the file's numbers
}

}  // namespace

Mesh scalp_of(const Scene& scene, const Mesh& mesh) {
    if (!scene.groom.scalp.empty())
        if (Result<Mesh> named = part_of_mesh(mesh, scene.groom.scalp)) return std::move(*named);
    const Landmarks marks = find_landmarks(mesh, {mesh.grows_hair});
    if (!marks.is_head) return mesh;
    Mesh cap = scalp_patch(mesh, marks, {mesh.grows_hair});
    return cap.triangle_count() > 0 ? cap : mesh;
}

void snap_roots(const Mesh& scalp, StrandSet& strands) {
    const Bvh skin(scalp);
    if (skin.empty()) return;
    for (int s = 0; s < strands.strand_count(); ++s) {
        const Vec3f root = strands.position.vec3(s, 0);
        const Vec3f move = skin.closest(root, 1e3f).point - root;
        for (int i = 0; i < strands.layout->vertex_count(s); ++i)
            strands.position.set_vec3(s, i, strands.position.vec3(s, i) + move);
    }
}

Result<void> place_groom(const Scene& scene, StrandSet& strands, const HeadMesh& head,
                         Messages& messages) {
    const ImportSettings& from = scene.groom.import;
    PlacementSettings settings = from.placement;
    if (from.z_up && settings.up == SignedAxis::automatic) settings.up = SignedAxis::plus_z;
    const std::string file = std::filesystem::path(from.file).filename().string();
    const PlacementNames names{file, "groom.file_units", "groom.file_scale", "groom.file_up",
                               "groom.file_facing"};
    if (head.mesh.triangle_count() == 0 && from.fit != GroomFit::none && settings.scale == 0 &&
        settings.units == LengthUnit::automatic) {
        settings.units = unit_by_size(strands);
        if (settings.units != LengthUnit::metre)
            messages.assumptions.push_back(fmt::format("{}: taken as {} (set groom.file_units)",
                                                       file, plural_of(settings.units)));
    }
    const Result<Placement> stated = stated_placement(settings, names);
    if (!stated) return stated.error();
    const auto place = [&strands](const Placement& placement) -> Result<void> {
        place_strands(placement, strands);
        return {};
    };
    const bool is_placed_by_hand = !is_zero(settings.rotate_degrees) || !is_zero(settings.offset);
    if (from.fit == GroomFit::none || is_placed_by_hand || head.mesh.triangle_count() == 0 ||
        strands.strand_count() == 0)
        return place(*stated);
    const std::vector<GroomRoot> roots = roots_of(strands);
    const RootDistances as_stated = distances(roots, *stated, head.mesh);
    if (as_stated.near_share >= kInPlace) return place(*stated);
    if (settings == PlacementSettings{} && !head.placement.is_identity() &&
        distances(roots, head.placement, head.mesh).near_share >= kInPlace) {
        messages.assumptions.push_back(
            file +
            ": taken to have the unit and axes of groom.mesh (set groom.file_units, "
            "groom.file_up, groom.file_facing)");
        return place(head.placement);
    }
    if (!find_landmarks(head.mesh, {head.mesh.grows_hair}).is_head) return place(*stated);
    const float scale = settings.scale > 0 ? settings.scale : metres_of(settings.units);
    const Mesh scalp = scalp_of(scene, head.mesh);
    const Vec3f up = vector_of(settings.up), facing = vector_of(settings.facing);
    const FittedGroom fitted = fit_groom(roots, scalp, {scale, up, facing});
    const RootDistances left = distances(roots, fitted.placement, head.mesh);
    if (!(left.mean < as_stated.mean)) return place(*stated);
    const std::optional<UprightStrip> strip = strip_of(roots, up, facing);
    if (strip && wrap_over_head(*strip, fitted, scalp, scale, file, strands, messages)) return {};
    const bool moves_roots = from.fit == GroomFit::automatic && left.mean > kOtherHead;
    report(fitted, left, moves_roots, file, messages);
    place_strands(fitted.placement, strands);
    if (moves_roots) snap_roots(scalp, strands);
    return {};
}

}  // namespace ringlet
