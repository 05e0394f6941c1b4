// The hairstyle of one actor: the rest shape and the appearance of its strands, in the head's
// frame, and which of the strands are simulated.
#pragma once

#include "collide/root_binding.h"
#include "session/assets/groom_source.h"
#include "session/live/actor_fur.h"
#include "strand/children.h"

namespace ringlet {

// Whether sim.keep_style applies to the groom of the scene.
bool keeps_style(const Scene& scene);

// Rest positions and appearance are computed on demand and cached, also by const functions. Not
// thread-safe.
class Groom {
public:
    // No strands.
    Groom() = default;
    // Grows or imports the strands of `scene` on `head`. `fur` is null if the scene has none. The
    // groom keeps what it needs to grow the same strands again. Strands whose style is kept are
    // moved out of the scene's colliders, whose bodies must have been built. Appends what was
    // guessed and what looks wrong to `messages`.
    static Result<Groom> make(const Scene& scene, std::shared_ptr<HeadMesh> head,
                              std::shared_ptr<const ActorFur> fur, Messages& messages,
                              const TaskPool& pool);

    int strand_count() const { return strands_.strand_count(); }
    // The strands of patches (groom.patch) follow all others.
    int first_patch_strand() const;
    const LayoutRef& layout() const { return strands_.layout; }
    const std::vector<Vec2f>& root_uv() const { return strands_.root_uv; }
    // StrandSet::fur_tone; empty if the strands are hair.
    const std::vector<Vec2f>& fur_tone() const { return strands_.fur_tone; }

    // The simulated strands are the first ones: all, or the guides if there are children. Children
    // without guides belong to a patch (groom.patch) and follow the skin.
    const LayoutRef& simulated_layout_ref() const {
        return children_ ? guides_.layout : strands_.layout;
    }
    const StrandLayout& simulated_layout() const { return *simulated_layout_ref(); }
    int simulated_count() const { return simulated_layout().strand_count(); }
    // Null if all strands are simulated.
    Children* children() const { return children_.get(); }
    // The simulated strand that has the most influence on `strand`: its strongest guide, or itself.
    int leader_of(int strand) const;

    const GroomMaps& maps() const { return maps_; }
    // Rest positions of all strands in metres. Grows them again if they were released.
    const Channel<3>& rest(const TaskPool& pool) const;
    // Rest positions of the simulated strands.
    const StrandSet& simulated_rest(const TaskPool& pool) const;
    bool has_rest() const { return !strands_.position.empty(); }
    // Frees the rest positions, unless they cannot be grown again or children need them.
    void release_rest();

    // Linear RGB colour and radius (m) of every vertex. Computed at the first call.
    const Channel<3>& colour(const TaskPool& pool) const;
    const Channel<1>& radius(const TaskPool& pool) const;
    // Frees colours and radii, unless they cannot be computed again.
    void release_appearance();

    // The motion of the skin under each root in the head's frame, from rest to the given time of
    // the head's shape sequence or to the given pose of its neck. Empty if all roots follow the
    // head or if there are no children.
    std::vector<Rigidf> skin_motions(double time, const NeckPose& pose, const TaskPool& pool) const;
    // Neck::head_share of each root. Empty if all roots follow the head or if there are no
    // children.
    std::span<const float> root_shares() const { return root_shares_; }

    // Per-vertex memory in bytes.
    std::size_t byte_count() const;

private:
    // Further hair on the same head, not simulated.
    struct Patch {
        Scene scene;
        GroomMaps maps;
        int strand_count = 0;
    };

    Result<void> load_patches(Messages& messages);
    Result<StrandSet> grow(Messages& messages, const TaskPool& pool) const;
    Result<void> grow_patches(Messages& messages, const TaskPool& pool);
    void split_off_children(int own_count, const TaskPool& pool);
    void bind_roots();
    void paint(const TaskPool& pool) const;

    Scene scene_;  // as grown: fur of style strands is described as a groom
    std::vector<Patch> patches_;
    GroomMaps maps_;
    std::shared_ptr<HeadMesh> head_;
    std::shared_ptr<const ActorFur> fur_;
    mutable StrandSet strands_;
    StrandSet guides_;  // the first strands; empty without children
    std::unique_ptr<Children> children_;
    RootBinding root_binding_;
    std::vector<float> root_shares_;  // Neck::head_share; empty if all roots are on the head
};

}  // namespace ringlet
