// The strands of all actors of a scene in one layout, one actor after the other.
#pragma once

#include "session/live/actor.h"

namespace ringlet {

// For a scene without [[actor]] this is the layout of its only actor, and nothing is copied. Layout
// and offsets are valid until the grooms change; call merge() then.
class MergedActors {
public:
    // `in_world`: the scene places its actors, so that their strands are transformed and copied.
    void merge(std::span<const Actor> actors, bool in_world, const TaskPool& pool);

    bool in_world() const { return in_world_; }
    const LayoutRef& layout() const { return layout_; }
    int first_strand(std::size_t actor) const { return first_strands_[actor]; }
    // Texture coordinates of the skin per strand; empty if no actor has any.
    const std::vector<Vec2f>& root_uv() const { return root_uv_; }
    // StrandView::fur_tone.
    const std::vector<Vec2f>& fur_tone() const { return fur_tone_; }

    // Where the strands of an actor are in a channel of this layout.
    StrandTarget target(std::size_t actor, Channel<3>& positions) const {
        return {positions, first_strand(actor), in_world_};
    }

    struct Appearance {
        const Channel<3>* colour;  // linear RGB
        const Channel<1>* radius;  // m
        // Radius (m) times the actor's render.hair_width over that of the scene, by which a
        // renderer multiplies it. Strands of patches are drawn in full number, so their width in
        // the picture is 1.
        const Channel<1>* drawn_radius;
    };
    // Computed at the first call after merge().
    Appearance appearance(std::span<const Actor> actors, float scene_width,
                          const TaskPool& pool) const;

    // Frees what appearance() computed.
    void release_appearance() {
        colour_ = {};
        radius_ = drawn_radius_ = {};
    }

    // Per-vertex memory in bytes.
    std::size_t byte_count() const {
        return colour_.byte_count() + radius_.byte_count() + drawn_radius_.byte_count();
    }

private:
    bool in_world_ = false;
    LayoutRef layout_;
    std::vector<int> first_strands_;
    std::vector<Vec2f> root_uv_, fur_tone_;
    // Empty until needed, and where they equal those of the only actor.
    mutable Channel<3> colour_;
    mutable Channel<1> radius_, drawn_radius_;
};

}  // namespace ringlet
