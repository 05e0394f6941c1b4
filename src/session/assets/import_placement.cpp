#include "session/assets/import_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "collide/mesh_body.h"
#include "fit/choose_placement.h"
#include "fit/groom_fit.h"

namespace ringlet {

namespace {

// A groom with this share of its roots within 2 cm of the skin is where it belongs.
constexpr float kInPlace = 0.9f;
// A fit with a larger mean distance to the skin is reported as a warning.
constexpr float kGoodFit = 0.01f;  // m

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

void report(const FittedGroom& fitted, const RootDistances& left, const std::string& file,
            Messages& messages) {
    const float factor = fitted.unit > 0 ? fitted.placement.scale / fitted.unit : 1;
    const std::string text = fmt::format(
        "taken as {}, {} up, facing {}, and moved onto the scalp{}; its roots are {:.1f} mm from "
        "the skin on average and {:.1f} mm at most",
        unit_text(fitted), upper_axis(fitted.up), upper_axis(fitted.facing),
        factor == 1 ? "" : fmt::format(", scaled by {:.3f}", factor), left.mean * 1e3f,
        left.worst * 1e3f);
    constexpr const char* kKeys =
        "groom.file_units, groom.file_up, groom.file_facing or "
        "groom.file_fit";
    if (left.mean < kGoodFit)
        messages.assumptions.push_back(fmt::format("{}: {} (set {})", file, text, kKeys));
    else
        messages.warnings.push_back({text, file, fmt::format("set {}", kKeys)});
}

bool is_zero(Vec3f a) { return a.x == 0 && a.y == 0 && a.z == 0; }

}  // namespace

Mesh scalp_of(const Scene& scene, const Mesh& mesh) {
    if (!scene.groom.scalp.empty())
        if (Result<Mesh> named = part_of_mesh(mesh, scene.groom.scalp)) return std::move(*named);
    const Landmarks marks = find_landmarks(mesh, {mesh.grows_hair});
    if (!marks.is_head) return mesh;
    Mesh cap = scalp_patch(mesh, marks, {mesh.grows_hair});
    return cap.triangle_count() > 0 ? cap : mesh;
}

Result<Placement> choose_groom_placement(const Scene& scene, const StrandSet& strands,
                                         const HeadMesh& head, Messages& messages) {
    const ImportSettings& from = scene.groom.import;
    PlacementSettings settings = from.placement;
    if (from.z_up && settings.up == SignedAxis::automatic) settings.up = SignedAxis::plus_z;
    const std::string file = std::filesystem::path(from.file).filename().string();
    const PlacementNames names{file, "groom.file_units", "groom.file_scale", "groom.file_up",
                               "groom.file_facing"};
    const Result<Placement> stated = stated_placement(settings, names);
    if (!stated) return stated;
    const bool is_placed_by_hand = !is_zero(settings.rotate_degrees) || !is_zero(settings.offset);
    if (from.fit == GroomFit::none || is_placed_by_hand || head.mesh.triangle_count() == 0 ||
        strands.strand_count() == 0)
        return stated;
    const std::vector<GroomRoot> roots = roots_of(strands);
    const RootDistances as_stated = distances(roots, *stated, head.mesh);
    if (as_stated.near_share >= kInPlace) return stated;
    if (settings == PlacementSettings{} && !head.placement.is_identity() &&
        distances(roots, head.placement, head.mesh).near_share >= kInPlace) {
        messages.assumptions.push_back(
            file +
            ": taken to have the unit and axes of groom.mesh (set groom.file_units, "
            "groom.file_up, groom.file_facing)");
        return head.placement;
    }
    if (!find_landmarks(head.mesh, {head.mesh.grows_hair}).is_head) return stated;
    const float scale = settings.scale > 0 ? settings.scale : metres_of(settings.units);
    const FittedGroom fitted =
        fit_groom(roots, scalp_of(scene, head.mesh),
                  {scale, vector_of(settings.up), vector_of(settings.facing)});
    const RootDistances left = distances(roots, fitted.placement, head.mesh);
    if (!(left.mean < as_stated.mean)) return stated;
    report(fitted, left, file, messages);
    return fitted.placement;
}

void place_strands(const Placement& placement, StrandSet& strands) {
    if (placement.is_identity()) return;
    for (int s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            strands.position.set_vec3(s, i, apply(placement, strands.position.vec3(s, i)));
            strands.radius.at(s, i) *= placement.scale;
        }
}

}  // namespace ringlet
