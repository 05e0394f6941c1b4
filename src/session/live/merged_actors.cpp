#include "session/live/merged_actors.h"

namespace ringlet {

namespace {

void scale_radii(Channel<1>& radius, int first_strand, float by) {
    for (int s = first_strand; s < radius.layout().strand_count(); ++s)
        for (int i = 0; i < radius.layout().vertex_count(s); ++i) radius.at(s, i) *= by;
}

}  // namespace

void MergedActors::merge(std::span<const Actor> actors, bool in_world, const TaskPool& pool) {
    *this = {};
    in_world_ = in_world;
    if (!in_world) {
        layout_ = actors.front().groom.layout();
        root_uv_ = actors.front().groom.root_uv();
        fur_tone_ = actors.front().groom.fur_tone();
        first_strands_ = {0};
        return;
    }
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    for (const Actor& actor : actors) {
        first_strands_.push_back(static_cast<int>(counts.size()));
        const Channel<3>& rest = actor.groom.rest(pool);
        for (int s = 0; s < actor.groom.strand_count(); ++s) {
            counts.push_back(rest.layout().vertex_count(s));
            roots.push_back(apply(actor.to_world, rest.vec3(s, 0)));
        }
        root_uv_.insert(root_uv_.end(), actor.groom.root_uv().begin(), actor.groom.root_uv().end());
        root_uv_.resize(counts.size(), Vec2f{0, 0});
        const std::vector<Vec2f>& tone = actor.groom.fur_tone();
        fur_tone_.insert(fur_tone_.end(), tone.begin(), tone.end());
        fur_tone_.resize(counts.size(), kNoFur);
    }
    layout_ = std::make_shared<const StrandLayout>(counts, roots);
}

MergedActors::Appearance MergedActors::appearance(std::span<const Actor> actors, float scene_width,
                                                  const TaskPool& pool) const {
    if (!in_world_) {
        const Groom& groom = actors.front().groom;
        const Channel<1>& radius = groom.radius(pool);
        const bool is_patched = groom.first_patch_strand() < groom.strand_count();
        if (!is_patched || scene_width == 1) return {&groom.colour(pool), &radius, &radius};
        if (drawn_radius_.empty()) {
            drawn_radius_ = radius;
            scale_radii(drawn_radius_, groom.first_patch_strand(), 1 / scene_width);
        }
        return {&groom.colour(pool), &radius, &drawn_radius_};
    }
    const Appearance out{&colour_, &radius_, &drawn_radius_};
    if (!colour_.empty()) return out;
    colour_ = Channel<3>(layout_);
    radius_ = drawn_radius_ = Channel<1>(layout_);
    for (std::size_t k = 0; k < actors.size(); ++k) {
        const Groom& own = actors[k].groom;
        const Channel<3>& colour = own.colour(pool);
        const Channel<1>& radius = own.radius(pool);
        const float hair_width = actors[k].scene.render.width / scene_width;
        for (int s = 0; s < own.strand_count(); ++s) {
            const int strand = first_strands_[k] + s;
            const float width = s < own.first_patch_strand() ? hair_width : 1 / scene_width;
            for (int i = 0; i < own.layout()->vertex_count(s); ++i) {
                colour_.set_vec3(strand, i, colour.vec3(s, i));
                radius_.at(strand, i) = radius.at(s, i);
                drawn_radius_.at(strand, i) = radius.at(s, i) * width;
            }
        }
    }
    return out;
}

}  // namespace ringlet
