#include "io/groom_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "io/data/data_file.h"
#include "io/hair/hair_file.h"
#include "io/polyline/obj_strands.h"
#include "io/polyline/ply_file.h"
#include "io/strand_checks.h"
#include "io/tfx/tfx_file.h"

namespace ringlet {

namespace {

using Path = std::filesystem::path;

struct Format {
    std::string_view extension;
    Result<StrandSet> (*read)(const Path&);
    Result<void> (*write)(const Path&, const StrandView&, std::span<const Vec2f> root_uv,
                          std::string_view information);
};

using Uvs = std::span<const Vec2f>;
using Remark = std::string_view;

constexpr std::array<Format, 6> kFormats{{
    {".hair", read_hair,
     [](const Path& to, const StrandView& strands, Uvs, Remark information) {
         return write_hair(to, strands, information);
     }},
    {".tfx", read_tfx,
     [](const Path& to, const StrandView& strands, Uvs root_uv, Remark) {
         return write_tfx(to, strands, root_uv);
     }},
    {".data", [](const Path& from) { return read_data(from, DataKind::kHairSalon); },
     [](const Path& to, const StrandView& strands, Uvs, Remark) {
         return write_data(to, strands, DataKind::kHairSalon);
     }},
    {".bin", [](const Path& from) { return read_data(from, DataKind::kCt2Hair); },
     [](const Path& to, const StrandView& strands, Uvs, Remark) {
         return write_data(to, strands, DataKind::kCt2Hair);
     }},
    {".ply", read_ply,
     [](const Path& to, const StrandView& strands, Uvs, Remark) { return write_ply(to, strands); }},
    {".obj", read_obj_strands,
     [](const Path& to, const StrandView& strands, Uvs, Remark) {
         return write_obj_strands(to, strands);
     }},
}};

// Null where the extension is unknown.
const Format* format_of(const Path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const auto found = std::ranges::find(kFormats, extension, &Format::extension);
    return found == kFormats.end() ? nullptr : &*found;
}

Error unknown_format(const Path& path) {
    std::string known;
    for (const Format& f : kFormats) {
        if (!known.empty()) known += &f == &kFormats.back() ? " or " : ", ";
        known += f.extension;
    }
    return {"unknown kind of hairstyle file; give " + known, path.string()};
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

bool is_groom_file(const Path& path) { return format_of(path) != nullptr; }

Result<StrandSet> read_groom(const Path& path, const GroomAxes& axes) {
    const Format* const format = format_of(path);
    if (!format) return unknown_format(path);
    if (!(axes.scale > 0) || !std::isfinite(axes.scale))
        return Error{"the scale of a hairstyle must be a number above 0", path.string()};
    Result<StrandSet> strands = format->read(path);
    if (!strands) return strands;
    apply(axes, *strands);
    // Numbers near the end of the range may have left it.
    if (const auto wrong = axes.scale > 1 ? non_finite_strand(*strands) : std::nullopt)
        return Error{*wrong + " once scaled; give a smaller scale", path.string()};
    return strands;
}

Result<void> write_groom(const Path& path, const StrandView& strands,
                         std::span<const Vec2f> root_uv, std::string_view information) {
    const Format* const format = format_of(path);
    if (!format) return unknown_format(path);
    return format->write(path, strands, root_uv, information);
}

Result<void> write_groom(const Path& path, const StrandSet& strands, std::string_view information) {
    return write_groom(path, view_of(strands), strands.root_uv, information);
}

}  // namespace ringlet
