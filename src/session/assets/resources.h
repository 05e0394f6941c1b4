// Scenes and meshes that are compiled into the program, so that it runs from any folder.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ringlet {

// Prefix of a path that names a resource instead of a file.
inline constexpr std::string_view kBuiltin = "builtin:";

struct Resource {
    std::string_view name;  // "curls.toml", "bust.obj"
    std::string_view bytes;
};

std::span<const Resource> all_resources();
std::optional<std::string_view> find_resource(std::string_view name);

}  // namespace ringlet
