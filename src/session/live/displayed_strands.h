// The positions of all strands at the displayed time.
#pragma once

#include <optional>

#include "session/live/merged_actors.h"
#include "strand/deferred_positions.h"
#include "strand/guided_strands.h"

namespace ringlet {

// Where most strands are children of guides, display() computes only the guides. The positions of
// all strands are computed when they are needed on the host; a renderer may compute them itself.
class DisplayedStrands final : public DeferredPositions {
public:
    explicit DisplayedStrands(const LayoutRef& layout) : positions_(layout) {}

    // Displays the state between the last two steps (0: previous, 1: current). All references must
    // stay valid until the next call. Each actor has been displayed at the same time.
    void display(float t, std::span<Actor> actors, const MergedActors& merged,
                 const TaskPool& pool);

    // On the host, outdated while deferred() is not null.
    const Channel<3>& positions() const { return positions_; }
    // The way to current positions; null if the host has them.
    DeferredPositions* deferred();

    void fetch() override;
    GuidedStrands* guided() override { return guided_ ? &*guided_ : nullptr; }

    // Per-vertex memory in bytes.
    std::size_t byte_count() const {
        return (is_written_ ? positions_.byte_count() : 0) + (guided_ ? guided_->byte_count() : 0);
    }

private:
    void choose_way();
    void display_guides(float t);
    void display_all(float t);

    std::span<Actor> actors_{};
    const MergedActors* merged_ = nullptr;
    const TaskPool* pool_ = nullptr;
    Channel<3> positions_;  // in world space
    std::optional<GuidedStrands> guided_;
    bool is_current_ = false;  // `positions_`, where they are deferred
    bool is_written_ = false;  // whether `positions_` use memory
};

}  // namespace ringlet
