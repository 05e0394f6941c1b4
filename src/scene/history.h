// Earlier and later versions of a scene, for undo and redo.
#pragma once

#include <optional>
#include <vector>

#include "scene/scene.h"

namespace ringlet {

class History {
public:
    // Records the scene before a change; `what` describes the change. Discards the redo list.
    // Consecutive changes with the same `what` (dragging a slider) count as one until finish().
    void changed(const Scene& before, const std::string& what);
    void finish() { last_.clear(); }

    // Removes the last recorded change, which failed.
    void forget_last();

    // The scene before or after one change; nothing if there is none.
    std::optional<Scene> undo(const Scene& now);
    std::optional<Scene> redo(const Scene& now);

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }
    // The description of the change that undo() or redo() would revert or repeat; empty if none.
    std::string next_undo() const { return past_.empty() ? "" : past_.back().what; }
    std::string next_redo() const { return future_.empty() ? "" : future_.back().what; }

private:
    struct Entry {
        Scene scene;
        std::string what;
    };
    std::vector<Entry> past_, future_;
    std::string last_;  // the change in progress
};

}  // namespace ringlet
