#include "session/assets/growth_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "groom/growth.h"
#include "session/assets/resources.h"

namespace ringlet {

namespace {

// The default of groom.scalp, which files from elsewhere do not know.
const std::string kUsualScalp = GroomSettings{}.scalp;

bool has_uvs(const Mesh& mesh) {
    return std::any_of(mesh.uvs.begin(), mesh.uvs.end(),
                       [](Vec2f uv) { return uv.x != 0 || uv.y != 0; });
}

void warn_of_images_without_uvs(const GroomSettings& groom, const Mesh& mesh, Messages& messages) {
    struct MapKey {
        const char* key;
        const std::string* image;
        const char* effect;  // without UVs
    };
    constexpr const char* kOnePixel = "one pixel of it applies everywhere";
    const MapKey images[] = {{"groom.density", &groom.density, kOnePixel},
                             {"groom.length_image", &groom.length_image, kOnePixel},
                             {"groom.colour.image", &groom.colour.image, kOnePixel},
                             {"groom.comb.image", &groom.comb.image, "it has no effect"}};
    for (const auto& [key, image, effect] : images)
        if (!image->empty() && !has_uvs(mesh))
            messages.warnings.push_back(
                {fmt::format("image without UVs: the mesh \"{}\" has none for \"{}\", so {}",
                             groom.mesh, *image, effect),
                 key, "unwrap the mesh, or use vertex colours, rules or painting instead"});
}

void choose_scalp(GroomSettings& groom, const Mesh& mesh, Messages& messages) {
    const std::string scalp = scalp_on(groom, mesh);
    if (scalp != groom.scalp)
        messages.assumptions.push_back(fmt::format(
            "{}: no material or group \"{}\"; hair grows {} (set groom.scalp)", groom.mesh,
            groom.scalp,
            scalp.empty() ? "wherever density, rules and vertex colours allow it"
                          : "on the cap of the head, with a hairline found from its shape"));
    groom.scalp = scalp;
}

LandmarkHeight height_of(LengthMark mark, const Landmarks& landmarks) {
    switch (mark) {
        case LengthMark::chin:
            return landmarks.chin;
        case LengthMark::shoulder:
            return landmarks.shoulder;
        case LengthMark::chest:
            return landmarks.chest;
        case LengthMark::waist:
            return landmarks.waist;
        case LengthMark::none:
            break;
    }
    return {};
}

void measure_length(GroomSettings& groom, const Mesh& mesh, const std::optional<Landmarks>& known,
                    Messages& messages) {
    if (groom.length_mark == LengthMark::none) return;
    const Landmarks landmarks = known ? *known : find_landmarks(mesh, {mesh.grows_hair});
    const LandmarkHeight height = height_of(groom.length_mark, landmarks);
    groom.cut_height = height.y;
    const Skull skull = find_skull(mesh);
    const float from_crown = 0.5f * kPi * (skull.top - skull.centre.y) + skull.centre.y - height.y;
    const std::string word(word_of(groom.length_mark));
    if (!groom.mesh.starts_with(kBuiltin))
        messages.assumptions.push_back(
            fmt::format("groom.length = \"{}\": cut {:.2f} m below the crown{}, about {:.2f} m of "
                        "hair from the "
                        "crown (set groom.length in metres)",
                        word, skull.top - height.y,
                        height.measured ? "" : " by the proportions of an adult", from_crown));
    if (!landmarks.is_head)
        messages.warnings.push_back(
            {fmt::format("the mesh \"{}\" does not look like a head, so the height of \"{}\" is a "
                         "guess",
                         groom.mesh, word),
             "groom.length", "give the length in metres"});
}

}  // namespace

std::string scalp_on(const GroomSettings& groom, const Mesh& mesh) {
    if (groom.scalp != kUsualScalp || has_material_or_group(mesh, groom.scalp)) return groom.scalp;
    // Where something else says where hair grows, the cap would only be in its way.
    const bool is_given =
        !groom.density.empty() || !groom.rules.empty() || groom.scalp_colour != ColourChannel::none;
    return is_given ? "" : std::string(kAutoScalp);
}

Result<GroomSettings> fit_growth(const Scene& scene, const Mesh& mesh,
                                 const std::optional<Landmarks>& known, Messages& messages) {
    GroomSettings groom = scene.groom;
    if (groom.strands == 0 && scene.fur.style == FurStyle::none) return groom;
    if (groom.scalp_colour != ColourChannel::none && mesh.colours.empty())
        return Error{fmt::format("groom.scalp_colour: the mesh \"{}\" has no vertex colours; use "
                                 "groom.scalp, groom.rule or groom.density instead",
                                 groom.mesh),
                     scene.name};
    warn_of_images_without_uvs(groom, mesh, messages);
    choose_scalp(groom, mesh, messages);
    if (groom.strands > 0) measure_length(groom, mesh, known, messages);
    return groom;
}

}  // namespace ringlet
