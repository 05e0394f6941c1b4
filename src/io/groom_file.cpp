#include "io/groom_file.h"

#include <cmath>
#include <string>

#include "io/extensions.h"
#include "io/mesh_format.h"
#include "io/strand_checks.h"

namespace ringlet {

#define RINGLET_GROOM_FORMAT(NAME) extern const GroomFormat kGroomFormat##NAME;
#include "io/groom_formats.def"
#undef RINGLET_GROOM_FORMAT

std::span<const GroomFormat* const> all_groom_formats() {
    static constexpr const GroomFormat* kAll[] = {
#define RINGLET_GROOM_FORMAT(NAME) &kGroomFormat##NAME,
#include "io/groom_formats.def"
#undef RINGLET_GROOM_FORMAT
    };
    return kAll;
}

namespace {

using Path = std::filesystem::path;

Error unknown_format(const Path& path) {
    const std::string known = "use " + groom_extensions();
    if (is_mesh_file(path))
        return {"is a mesh; meshes are read by groom.mesh; for strands " + known, path.string()};
    return {"unknown groom format; " + known, path.string()};
}

void apply(const GroomAxes& axes, StrandSet& strands) {
    for (int s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            const Vec3f a = strands.position.vec3(s, i) * axes.scale;
            strands.position.set_vec3(s, i, axes.z_up ? Vec3f{a.x, a.z, -a.y} : a);
            strands.radius.at(s, i) *= axes.scale;
        }
}

}  // namespace

const GroomFormat* groom_format_of(const Path& path) {
    return find_by_extension(all_groom_formats(), path);
}

bool is_groom_file(const Path& path) { return groom_format_of(path) != nullptr; }

std::string groom_extensions() { return list_extensions(all_groom_formats()); }

Result<StrandSet> read_groom(const Path& path, const GroomAxes& axes) {
    const GroomFormat* const format = groom_format_of(path);
    if (!format) return unknown_format(path);
    if (!(axes.scale > 0) || !std::isfinite(axes.scale))
        return Error{"the scale of a groom must be a finite number above 0", path.string()};
    if (axes.time && !format->read_at)
        return Error{"has no time; only animated formats have one", path.string()};
    Result<StrandSet> strands = axes.time ? format->read_at(path, *axes.time) : format->read(path);
    if (!strands) return strands;
    apply(axes, *strands);
    // Scaling up may overflow.
    if (const auto wrong = axes.scale > 1 ? non_finite_strand(*strands) : std::nullopt)
        return Error{*wrong + " once scaled; use a smaller scale", path.string()};
    return strands;
}

Result<void> write_groom(const Path& path, const StrandView& strands, const GroomExtras& extras) {
    const GroomFormat* const format = groom_format_of(path);
    if (!format) return unknown_format(path);
    return format->write(path, strands, extras);
}

Result<void> write_groom(const Path& path, const StrandSet& strands, std::string_view information) {
    return write_groom(path, view_of(strands), {strands.root_uv, information});
}

}  // namespace ringlet
