// The window: a scene in motion, an orbiting camera, pause, single step and reset.
#pragma once

#include "ringlet/session.h"

namespace ringlet {

// Returns when the user closes the window; an Error where no window can be opened.
Result<void> view(const std::string& scene, const SessionOptions& options,
                  const Listener& listener);

}  // namespace ringlet
