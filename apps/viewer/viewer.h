// The interactive viewer: a window with a running scene and panels to edit it.
#pragma once

#include "ringlet/session.h"

namespace ringlet {

// Blocks until the user closes the window or the script (script.h) ends. Returns an Error if no
// window can be opened or a script command fails.
Result<void> view(const std::string& scene, const SessionOptions& options,
                  const std::string& script_file, const Listener& listener);

// Describes the script commands, one per line.
std::string view_script_commands();

}  // namespace ringlet
