// The registry of image renderers: those in the build (RINGLET_RENDERERS in src/CMakeLists.txt) and
// those that a program adds.
#pragma once

#include "picture/image_renderer.h"

namespace ringlet {

// The renderers in the build. Its definition is generated from RINGLET_RENDERERS.
std::vector<RendererEntry> builtin_renderers();

// All renderers, those in the build first. Valid until the next add_renderer().
std::span<const RendererEntry> renderers();

// Adds a renderer, or replaces the one of the same name. Not thread-safe: call it before any job
// runs.
void add_renderer(RendererEntry entry);

// Creates the renderer of this name. Fails with the list of names, or with the reason why the
// renderer cannot run on this machine.
Result<std::unique_ptr<ImageRenderer>> create_renderer(const std::string& name);

}  // namespace ringlet
