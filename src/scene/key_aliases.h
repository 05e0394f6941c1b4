// Former names of scene keys. They are still accepted, with a notice.
#pragma once

#include <string>
#include <string_view>

namespace ringlet {

struct KeyAlias {
    std::string_view former, current;
};

// The keys of list entries have the list's key as prefix: "collider.radius".
inline constexpr KeyAlias kKeyAliases[] = {
    {"fur.most_bend", "fur.max_bend"},
    {"groom.curl.mix", "groom.curl.left_handed"},
    {"groom.file_most", "groom.file_max_strands"},
    {"hair_hair.mixes", "hair_hair.couplings"},
    {"hair_hair.plain_friction", "hair_hair.friction_per_step"},
    {"hair_hair.plain_repulsion", "hair_hair.repulsion_per_step"},
    {"render.frames", "render.strand_axes"},
    {"sim.carry", "sim.follow_head"},
    {"sim.carry_above", "sim.follow_head_above"},
    {"sim.rod.ellipse", "sim.rod.aspect_ratio"},
    {"sim.rod.ellipse_turn", "sim.rod.section_angle"},
    {"sim.rod.more_solves", "sim.rod.extra_solves"},
};

// A former name of a key, for tests and documentation; empty if there is none.
inline std::string former_key(std::string_view current) {
    for (const KeyAlias& alias : kKeyAliases)
        if (current == alias.current) return std::string(alias.former);
    return {};
}

// The current name of a key; the key itself if it has no alias.
inline std::string current_key(const std::string& key) {
    for (const KeyAlias& alias : kKeyAliases)
        if (key == alias.former) return std::string(alias.current);
    return key;
}

}  // namespace ringlet
