#include "session/assets/groom_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/files.h"
#include "groom/grow.h"
#include "io/groom_file.h"
#include "io/image/image_file.h"
#include "io/strand_checks.h"
#include "session/assets/builtin_cache.h"
#include "session/assets/growth_source.h"
#include "session/assets/head_source.h"
#include "session/assets/import_placement.h"
#include "session/assets/resources.h"
#include "sim/kernels/limits.h"
#include "strand/resample.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// Loads the image that a key names, relative to the scene's folder; white for an empty name.
Result<Image> load_map(const Scene& scene, const std::string& key, const std::string& name) {
    if (name.empty()) return Image{};
    if (name.starts_with(kBuiltin)) {
        const auto bytes = find_resource(name.substr(kBuiltin.size()));
        if (!bytes) return Error{key + ": no built-in image \"" + name + "\"", scene.name};
        return parse_image(*bytes, name);
    }
    const fs::path path = fs::path(scene.folder) / name;
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return Error{key + ": no such image \"" + name + "\"; looked in " + scene.folder + "/",
                     scene.name};
    return read_image(path);
}

Result<GrowthPaint> load_painted(const Scene& scene) {
    if (scene.paint) return *scene.paint;
    if (scene.groom.painted.empty()) return GrowthPaint();
    const fs::path path = fs::path(scene.folder) / scene.groom.painted;
    const Result<std::string> text = read_file(path, std::uint64_t{64} << 20);
    if (!text) return Error{"groom.painted: " + text.error().message, path.string()};
    return GrowthPaint::parse(*text, path.string());
}

// Keeps every k-th strand, so that the distribution over the head stays the same.
StrandSet thin_out(const StrandSet& strands, int most) {
    std::vector<int> kept;
    for (std::int64_t k = 0; k < most; ++k)
        kept.push_back(static_cast<int>(k * strands.strand_count() / most));
    return pick_strands(strands, kept);
}

// Sets the colour and the radius that the file does not have from the scene.
void add_appearance(const Scene& scene, const GroomMaps& maps, StrandSet& strands,
                    const TaskPool& pool) {
    const bool recolour = scene.groom.import.recolour;
    const bool colour = !recolour && has_colour(view_of(strands));
    const bool radius = !recolour && has_radius(view_of(strands));
    if (colour && radius) return;
    Channel<3> own_colour = std::move(strands.colour);
    Channel<1> own_radius = std::move(strands.radius);
    paint(scene.groom, maps, strands, pool);
    if (colour) strands.colour = std::move(own_colour);
    if (radius) strands.radius = std::move(own_radius);
}

// Beyond kMaxCoordinate every model would report a numerical failure at each step.
Result<StrandSet> check_extent(StrandSet strands, const std::string& file, const char* remedy) {
    for (int s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            const Vec3f x = strands.position.vec3(s, i);
            if (norm(x) < kMaxCoordinate) continue;
            return Error{
                fmt::format("strand {}, vertex {} is at ({:g}, {:g}, {:g}) m, more than {:g} "
                            "m from the origin; {} (strands and vertices are counted from 0)",
                            s, i, x.x, x.y, x.z, kMaxCoordinate, remedy),
                file};
        }
    return strands;
}

Result<StrandSet> import_groom(const Scene& scene, const GroomMaps& maps, const HeadMesh& head,
                               Messages& messages, const TaskPool& pool) {
    const ImportSettings& from = scene.groom.import;
    const fs::path path = fs::path(scene.folder) / from.file;
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return Error{
            "groom.file: no such file \"" + from.file + "\"; looked in " + scene.folder + "/",
            scene.name};
    GroomAxes as_stored;
    if (from.time >= 0) as_stored.time = double{from.time};
    Result<StrandSet> read = read_groom(path, as_stored);
    if (!read) return read;
    StrandSet strands = std::move(*read);
    const Result<void> placed = place_groom(scene, strands, head, messages);
    if (!placed) return Error{placed.error().message, scene.name};
    if (from.max_strands > 0 && from.max_strands < strands.strand_count())
        strands = thin_out(strands, from.max_strands);
    if (from.vertices >= 2) strands = resample(strands, from.vertices);
    if (from.snap) snap_roots(scalp_of(scene, head.mesh), strands);
    if (strands.strand_count() > 0) add_appearance(scene, maps, strands, pool);
    return check_extent(std::move(strands), path.string(), "give a smaller groom.file_scale");
}

std::shared_ptr<const Skin> skin_of(const Scene& scene, const Mesh& mesh, const TaskPool& pool) {
    const bool is_builtin = scene.groom.mesh.starts_with(kBuiltin);
    if (is_builtin)
        if (const auto known = builtin_skins().find(head_key(scene))) return *known;
    auto made = std::make_shared<const Skin>(mesh, pool);
    if (is_builtin) builtin_skins().add(head_key(scene), made);
    return made;
}

}  // namespace

Result<GroomMaps> load_maps(const Scene& scene) {
    Result<GrowthPaint> painted = load_painted(scene);
    if (!painted) return painted.error();
    Result<Image> density = load_map(scene, "groom.density", scene.groom.density);
    if (!density) return density.error();
    Result<Image> length = load_map(scene, "groom.length_image", scene.groom.length_image);
    if (!length) return length.error();
    Result<Image> colour = load_map(scene, "groom.colour.image", scene.groom.colour.image);
    if (!colour) return colour.error();
    Result<Image> comb = load_map(scene, "groom.comb.image", scene.groom.comb.image);
    if (!comb) return comb.error();
    return GroomMaps{std::move(*density), std::move(*length), std::move(*colour), std::move(*comb),
                     std::move(*painted)};
}

bool is_imported(const Scene& scene) { return !scene.groom.import.file.empty(); }

Result<StrandSet> load_groom(const Scene& scene, const GroomMaps& maps, HeadMesh& head,
                             Messages& messages, const TaskPool& pool) {
    if (is_imported(scene)) return import_groom(scene, maps, head, messages, pool);
    if (scene.groom.strands > 0 && !head.skin) head.skin = skin_of(scene, head.mesh, pool);
    const Result<GroomSettings> settings = fit_growth(scene, head.mesh, head.landmarks, messages);
    if (!settings) return settings.error();
    Result<StrandSet> grown = head.skin ? grow(*settings, maps, head.mesh, *head.skin, pool)
                                        : grow(*settings, maps, head.mesh, pool);
    if (!grown) return Error{"groom: " + grown.error().message, scene.name};
    return check_extent(std::move(*grown), scene.name, "scale the mesh down");
}

}  // namespace ringlet
