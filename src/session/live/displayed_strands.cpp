#include "session/live/displayed_strands.h"

namespace ringlet {

namespace {

// A guide's motion takes as much memory as four positions. With more guides than that, motions are
// no less work than positions.
constexpr std::int64_t kPositionsPerMotion = sizeof(GuideMotion) / sizeof(Vec3f);

bool follow_few_guides(std::span<const Actor> actors) {
    std::int64_t all = 0, guides = 0;
    for (const Actor& actor : actors) {
        if (actor.live.device()) return false;  // the GPU has its own way
        if (actor.groom.strand_count() == 0) continue;
        all += actor.groom.layout()->vertex_total();
        guides += actor.groom.simulated_layout().vertex_total();
    }
    return all > 0 && guides * kPositionsPerMotion <= all;
}

}  // namespace

void DisplayedStrands::display(float t, std::span<Actor> actors, const MergedActors& merged,
                               const TaskPool& pool) {
    const bool is_first = !merged_;
    actors_ = actors;
    merged_ = &merged;
    pool_ = &pool;
    if (is_first) choose_way();
    guided_ ? display_guides(t) : display_all(t);
}

void DisplayedStrands::choose_way() {
    if (!follow_few_guides(actors_)) return;
    std::vector<GuidedStrands::Part> parts;
    for (std::size_t k = 0; k < actors_.size(); ++k) {
        const Groom& groom = actors_[k].groom;
        if (groom.strand_count() == 0) continue;
        parts.push_back({groom.children(), groom.simulated_layout_ref(), merged_->first_strand(k),
                         merged_->in_world() ? actors_[k].to_world : Rigidf{}});
    }
    guided_.emplace(merged_->layout(), parts);
}

void DisplayedStrands::display_guides(float t) {
    is_current_ = false;
    std::size_t part = 0;
    for (Actor& actor : actors_) {
        if (actor.groom.strand_count() == 0) continue;
        actor.display_guides(t, *pool_);
        const DisplayedActor& displayed = actor.displayed;
        guided_->pose(part++, displayed.strands, {displayed.head, displayed.skin});
    }
}

// Each actor interpolates straight into the channel. On GPUs, the first one collects the strands of
// the others.
void DisplayedStrands::display_all(float t) {
    Device* const first = actors_.front().live.device();
    if (!first) positions_.edit();  // the CPU writes it
    is_written_ = true;
    for (std::size_t k = 0; k < actors_.size(); ++k) {
        Actor& actor = actors_[k];
        if (actor.groom.strand_count() == 0) continue;
        actor.display_strands(t, merged_->target(k, positions_), *pool_);
        if (merged_->in_world() && first)
            first->merge(*actor.live.device(),
                         {&positions_, merged_->first_strand(k), actor.to_world});
    }
}

DeferredPositions* DisplayedStrands::deferred() {
    if (guided_) return this;
    Device* const device = actors_.front().live.device();
    if (!device) return nullptr;
    return merged_->in_world() ? device->merged() : device->shown();
}

void DisplayedStrands::fetch() {
    if (is_current_) return;
    for (std::size_t k = 0; k < actors_.size(); ++k)
        if (actors_[k].groom.strand_count() > 0)
            actors_[k].write_displayed(merged_->target(k, positions_), *pool_);
    is_current_ = is_written_ = true;
}

}  // namespace ringlet
