// What the library says while it works. It prints nothing itself: the caller hands in callbacks.
#pragma once

#include <functional>
#include <string_view>

namespace ringlet {

struct Listener {
    // A sentence worth telling the user (never an error; those are returned).
    std::function<void(std::string_view sentence)> log;
    // Called now and then during long work; done and total count the same unit (frames, say).
    // Return false to stop the work early.
    std::function<bool(std::string_view activity, int done, int total)> progress;

    void say(std::string_view sentence) const {
        if (log) log(sentence);
    }
    bool proceed(std::string_view activity, int done, int total) const {
        return !progress || progress(activity, done, total);
    }
};

}  // namespace ringlet
