#include "picture/image_renderer.h"

namespace ringlet {

std::string names_of(std::span<const RendererEntry> renderers) {
    std::string names;
    for (const RendererEntry& entry : renderers) names += (names.empty() ? "" : ", ") + entry.name;
    return names;
}

Result<const RendererEntry*> find_renderer(std::span<const RendererEntry> renderers,
                                           std::string_view name) {
    for (const RendererEntry& entry : renderers)
        if (entry.name == name) return &entry;
    return Error{"no renderer is called \"" + std::string(name) +
                     "\"; this build has: " + names_of(renderers),
                 {}};
}

}  // namespace ringlet
