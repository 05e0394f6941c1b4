#include "io/obj/mtl_text.h"

#include <algorithm>
#include <array>

#include "base/lower_case.h"
#include "io/text.h"

namespace ringlet {

namespace {

// Removes up to `most` numbers from the start of `rest`; returns how many.
int take_numbers(std::string_view& rest, float* into, int most) {
    int count = 0;
    for (; count < most; ++count) {
        std::string_view after = rest;
        const std::optional<float> number = finite_float(next_word(after));
        if (!number) break;
        into[count] = *number;
        rest = after;
    }
    return count;
}

// A single number applies to all three channels. Spectral and CIE colours are ignored.
std::optional<Vec3f> colour_of(std::string_view rest) {
    float channel[3];
    const int count = take_numbers(rest, channel, 3);
    if (count == 0) return std::nullopt;
    for (int i = count; i < 3; ++i) channel[i] = channel[0];
    const auto unit = [](float a) { return std::clamp(a, 0.0f, 1.0f); };
    return Vec3f{unit(channel[0]), unit(channel[1]), unit(channel[2])};
}

std::optional<float> opacity_of(std::string_view rest) {
    std::string_view after = rest;
    if (lower_case(next_word(after)) == "-halo") rest = after;
    float value = 1;
    if (take_numbers(rest, &value, 1) == 0) return std::nullopt;
    return std::clamp(value, 0.0f, 1.0f);
}

// Removes one option with its arguments from the start of `rest`.
void take_option(std::string_view& rest, MtlMaterial& material) {
    const std::string option = lower_case(next_word(rest));
    if (option == "-o" || option == "-s" || option == "-t") {
        float number[3];
        const int count = take_numbers(rest, number, 3);
        if (count == 0 || option == "-t") return;
        Vec2f& kept = option == "-s" ? material.texture_scale : material.texture_offset;
        kept = {number[0], count > 1 ? number[1] : kept.y};
        return;
    }
    constexpr std::array kOneArgument{"-blendu", "-blendv", "-bm",      "-boost", "-cc",
                                      "-clamp",  "-texres", "-imfchan", "-type",  "-colorspace"};
    int arguments = option == "-mm" ? 2 : 0;
    if (std::ranges::find(kOneArgument, option) != kOneArgument.end()) arguments = 1;
    while (arguments-- > 0) next_word(rest);
}

// The name is the rest of the line, because it may contain spaces.
void set_texture(std::string_view rest, MtlMaterial& material) {
    material.texture_scale = {1, 1};
    material.texture_offset = {0, 0};
    for (rest = trimmed(rest); rest.starts_with('-'); rest = trimmed(rest)) {
        // A file name that starts with '-' is more likely than an option without a name after it.
        if (rest.find_first_of(" \t") == std::string_view::npos) break;
        take_option(rest, material);
    }
    if (rest.size() > 1 && rest.starts_with('"') && rest.ends_with('"'))
        rest = rest.substr(1, rest.size() - 2);
    material.texture = rest;
}

}  // namespace

void add_materials(std::string_view mtl_text, const std::filesystem::path& folder,
                   MtlMaterials& materials) {
    if (mtl_text.starts_with("\xef\xbb\xbf")) mtl_text.remove_prefix(3);  // UTF-8 byte order mark
    MtlMaterial ignored;
    MtlMaterial* material = &ignored;
    bool has_opacity = false;
    Lines lines(mtl_text);
    while (lines.next()) {
        std::string_view rest = lines.line;
        const std::string keyword = lower_case(next_word(rest));
        if (keyword == "newmtl") {
            const auto [entry, added] = materials.try_emplace(std::string(trimmed(rest)));
            material = added ? &entry->second : &ignored;
            material->folder = folder;
            has_opacity = false;
        } else if (keyword == "kd") {
            if (const auto colour = colour_of(rest)) material->colour = colour;
        } else if (keyword == "d" || (keyword == "tr" && !has_opacity)) {
            const std::optional<float> opacity = opacity_of(rest);
            if (!opacity) continue;
            material->opacity = keyword == "d" ? *opacity : 1 - *opacity;
            has_opacity = has_opacity || keyword == "d";
        } else if (keyword == "map_kd") {
            set_texture(rest, *material);
        }
    }
}

}  // namespace ringlet
