// The window: a scene in motion between panels that change it.
#pragma once

#include "ringlet/session.h"

namespace ringlet {

// Returns when the user closes the window, or when the script (script.h) ends; an Error where no
// window can be opened or the script asks for what cannot be.
Result<void> view(const std::string& scene, const SessionOptions& options,
                  const std::string& script_file, const Listener& listener);

// What a script may say.
std::string view_script_commands();

}  // namespace ringlet
