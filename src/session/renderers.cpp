#include "session/renderers.h"

#include "ringlet/jobs.h"
#include "session/boundary.h"

namespace ringlet {

namespace {

std::vector<RendererEntry>& registry() {
    static std::vector<RendererEntry> entries = builtin_renderers();
    return entries;
}

}  // namespace

std::span<const RendererEntry> renderers() { return registry(); }

void add_renderer(RendererEntry entry) {
    std::erase_if(registry(), [&](const RendererEntry& e) { return e.name == entry.name; });
    registry().push_back(std::move(entry));
}

Result<std::unique_ptr<ImageRenderer>> create_renderer(const std::string& name) {
    const Result<const RendererEntry*> entry = find_renderer(renderers(), name);
    if (!entry) return entry.error();
    return (*entry)->create();
}

Result<void> check_renderer(const std::string& name) try {
    const Result<const RendererEntry*> entry = find_renderer(renderers(), name);
    if (!entry) return entry.error();
    return (*entry)->check ? (*entry)->check() : Result<void>();
} catch (...) {
    return error_from_exception();
}

std::vector<std::string> renderer_names() {
    std::vector<std::string> names;
    for (const RendererEntry& entry : renderers()) names.push_back(entry.name);
    return names;
}

}  // namespace ringlet
