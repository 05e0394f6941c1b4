// What a scene was before each change, for undo and redo.
#pragma once

#include <optional>
#include <vector>

#include "scene/scene.h"

namespace ringlet {

class History {
public:
    // To be called with the scene as it was before a change that is about to happen, or has. What
    // was undone can then no longer be redone. Changes of the same `what` in a row (one drag of a
    // slider) are one, until finish().
    void changed(const Scene& before, const std::string& what);
    void finish() { last_.clear(); }

    // The last change did not come about.
    void forget_last();

    // The scene one change back or forth; nothing where there is none.
    std::optional<Scene> undo(const Scene& now);
    std::optional<Scene> redo(const Scene& now);

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }
    // What undo or redo would bring back, in the words of changed(); empty where there is nothing.
    std::string next_undo() const { return past_.empty() ? "" : past_.back().what; }
    std::string next_redo() const { return future_.empty() ? "" : future_.back().what; }

private:
    struct Entry {
        Scene scene;
        std::string what;
    };
    std::vector<Entry> past_, future_;
    std::string last_;  // the change that is still going on
};

}  // namespace ringlet
