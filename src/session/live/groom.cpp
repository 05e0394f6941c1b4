#include "session/live/groom.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "groom/grow.h"
#include "groom/guides.h"
#include "session/live/framing.h"
#include "sim/body_clearance.h"

namespace ringlet {

namespace {

// The collider of a head is a few tenths of a millimetre coarser than its mesh, so roots and the
// hair next to them lie up to twice the collision radius inside it.
void move_out_of_bodies(const Scene& scene, StrandSet& strands, Messages& messages,
                        const TaskPool& pool) {
    const Rigidf head = pose_at(scene.world.head, 0);
    std::vector<PlacedCollider> bodies;
    for (const Collider& collider : scene.world.colliders)
        bodies.push_back(place(collider, head, head));
    const float radius = scene.sim.collision_radius;
    const int moved =
        ringlet::move_out_of_bodies(strands, head, bodies, {2 * radius, radius}, pool);
    if (moved > 0)
        messages.assumptions.push_back(
            fmt::format("{} of {} strands start inside a collider and are moved out of it (set "
                        "sim.keep_style = \"never\" to keep them)",
                        moved, strands.strand_count()));
}

}  // namespace

bool keeps_style(const Scene& scene) {
    return scene.sim.keep_style == KeepStyle::always ||
           (scene.sim.keep_style == KeepStyle::imported && is_imported(scene));
}

Result<Groom> Groom::make(const Scene& scene, std::shared_ptr<HeadMesh> head,
                          std::shared_ptr<const ActorFur> fur, Messages& messages,
                          const TaskPool& pool) {
    Result<GroomMaps> maps = load_maps(scene);
    if (!maps) return maps.error();
    Groom out;
    out.scene_ = fur ? fur->as_strands(scene) : scene;
    out.maps_ = std::move(*maps);
    out.head_ = std::move(head);
    out.scene_.groom.comb.part += middle_x(*out.head_);
    out.fur_ = std::move(fur);
    Result<StrandSet> grown = out.grow(messages, pool);
    if (!grown) return grown.error();
    out.strands_ = std::move(*grown);
    const int guide_count = out.scene_.groom.guides;
    if (guide_count > 0 && guide_count < out.strand_count())
        out.split_off_children(guide_count, pool);
    out.strands_.region = {};  // only choose_guides() needs it
    return out;
}

Result<StrandSet> Groom::grow(Messages& messages, const TaskPool& pool) const {
    Result<StrandSet> out = load_groom(scene_, maps_, *head_, messages, pool);
    if (out && scene_.fur.style == FurStyle::strands) fur_->bend(scene_, maps_, *out, pool);
    if (out && keeps_style(scene_)) move_out_of_bodies(scene_, *out, messages, pool);
    return out;
}

void Groom::split_off_children(int guide_count, const TaskPool& pool) {
    guides_ = part_of(strands_, 0, guide_count);
    children_ = std::make_unique<Children>(guides_, part_of(strands_, guide_count, strand_count()),
                                           choose_guides(strands_, guide_count, pool));
    if (scene_.world.shapes) bind_roots();
}

void Groom::bind_roots() {
    std::vector<Vec3f> roots;
    for (int s = 0; s < strand_count(); ++s) roots.push_back(strands_.position.vec3(s, 0));
    root_binding_ = RootBinding(*scene_.world.shapes, roots);
}

int Groom::leader_of(int strand) const {
    if (!children_ || strand < simulated_count()) return strand;
    const GuideWeights& by =
        children_->weights()[static_cast<std::size_t>(strand - simulated_count())];
    return by.guide[std::max_element(std::begin(by.weight), std::end(by.weight)) - by.weight];
}

const Channel<3>& Groom::rest(const TaskPool& pool) const {
    if (strand_count() > 0 && !has_rest()) {
        Messages known;
        Result<StrandSet> again = grow(known, pool);
        RINGLET_ASSERT(again, "the same strands were grown before");
        strands_.position = std::move(again->position);
    }
    return strands_.position;
}

const StrandSet& Groom::simulated_rest(const TaskPool& pool) const {
    if (children_) return guides_;
    rest(pool);
    return strands_;
}

void Groom::release_rest() {
    if (!children_ && !is_imported(scene_)) strands_.position = {};
}

void Groom::paint(const TaskPool& pool) const {
    if (strands_.has_appearance()) return;
    ringlet::paint(scene_.groom, maps_, strands_, pool);
    if (scene_.fur.style == FurStyle::strands) fur_->set_radii(scene_, strands_);
}

const Channel<3>& Groom::colour(const TaskPool& pool) const {
    paint(pool);
    return strands_.colour;
}

const Channel<1>& Groom::radius(const TaskPool& pool) const {
    paint(pool);
    return strands_.radius;
}

std::vector<Rigidf> Groom::skin_motions(double time, const TaskPool& pool) const {
    if (root_binding_.empty()) return {};
    return root_binding_.motions_at(time, pool);
}

std::size_t Groom::byte_count() const {
    return strands_.byte_count() + guides_.byte_count() + (children_ ? children_->byte_count() : 0);
}

}  // namespace ringlet
