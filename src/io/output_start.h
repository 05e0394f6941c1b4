// How the writer of an output starts: at the beginning, or where an earlier run was interrupted.
#pragma once

#include <string>

namespace ringlet {

struct OutputStart {
    // Whether an unfinished file gets a name that a later run finds (Temporary::resumable).
    bool is_resumable = false;
    // The result of the writer's save_progress() in an earlier run, whose unfinished file is still
    // there; null: the output begins. Not owned.
    const std::string* progress = nullptr;
    int next_frame = 0;  // the number of frames that the earlier run had written by then
};

}  // namespace ringlet
