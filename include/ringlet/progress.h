// Callbacks by which long-running functions send messages and report progress. The library itself
// never prints.
#pragma once

#include <functional>
#include <string_view>

#include "ringlet/warning.h"

namespace ringlet {

// A set of optional callbacks; an empty Listener ({}) ignores everything. Functions that take a
// Listener call it only before they return, and never twice at the same time, but validate() calls
// it from worker threads too. They do not keep it. A callback must not throw. The string views are
// valid during the call only.
struct Listener {
    // Receives a message for the user, one sentence without a line break. Errors are returned as
    // Error, never sent here.
    std::function<void(std::string_view message)> log;

    // Receives a problem that does not end the work, once, as soon as it is found. Report::warnings
    // lists the same ones.
    std::function<void(const Warning& warning)> warn;

    // Called from time to time during long work. `done` and `total` count the same unit, such as
    // frames. Return false to cancel: the function then returns an Error "stopped" or, where its
    // documentation says so, the part of the result that is complete.
    std::function<bool(std::string_view activity, int done, int total)> progress;

    // Polled often during long work, many times between two calls of `progress`. Return true to
    // cancel, for example after a signal. Called from worker threads too: must be fast and
    // thread-safe. A session whose simulate() or render() was cancelled must be reset() or
    // destroyed.
    std::function<bool()> stop_requested;

    // Calls `log` if it is set.
    void notify(std::string_view message) const {
        if (log) log(message);
    }

    // Calls `warn` if it is set.
    void notify_of(const Warning& warning) const {
        if (warn) warn(warning);
    }

    // Calls `stop_requested` and `progress` if they are set. Returns false if the work is to be
    // cancelled.
    bool proceed(std::string_view activity, int done, int total) const {
        if (stop_requested && stop_requested()) return false;
        return !progress || progress(activity, done, total);
    }
};

}  // namespace ringlet
