#include "session/live/groom.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "groom/grow.h"
#include "groom/guides.h"
#include "session/assets/scene_source.h"
#include "session/live/framing.h"
#include "session/live/join_strands.h"
#include "sim/body_clearance.h"

namespace ringlet {

namespace {

// The collider of a head is a few tenths of a millimetre coarser than its mesh, so roots and the
// hair next to them lie up to twice the collision radius inside it.
void move_out_of_bodies(const Scene& scene, StrandSet& strands, Messages& messages,
                        const TaskPool& pool) {
    const Rigidf head = pose_at(scene.world.head, 0);
    std::vector<PlacedCollider> bodies;
    for (const Collider& collider : whole_colliders(scene.world))
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
    const int own_count = out.strand_count();
    const Result<void> patched = out.grow_patches(messages, pool);
    if (!patched) return patched.error();
    const int guide_count = out.scene_.groom.guides;
    if ((guide_count > 0 && guide_count < own_count) || out.strand_count() > own_count)
        out.split_off_children(own_count, pool);
    out.strands_.region = {};  // only choose_guides() needs it
    return out;
}

Result<void> Groom::load_patches(Messages& messages) {
    if (!scene_.groom.grow_patches) return {};
    for (const GroomPatch& patch : scene_.groom.patches) {
        Result<Scene> scene = load_patch(scene_, patch);
        if (!scene) return scene.error();
        if (!scene->groom.mesh.empty() && scene->groom.mesh != scene_.groom.mesh) {
            messages.assumptions.push_back(
                fmt::format("groom.patch: \"{}\" belongs to {} and is left out (set groom.patch)",
                            patch.scene, scene->groom.mesh));
            continue;
        }
        scene->groom.mesh = scene_.groom.mesh;
        // Some formats need strands with equal numbers of vertices.
        scene->groom.vertices = scene_.groom.vertices;
        Result<GroomMaps> maps = load_maps(*scene);
        if (!maps) return maps.error();
        patches_.push_back({std::move(*scene), std::move(*maps)});
    }
    return {};
}

// Appends the strands of all patches to those that are simulated.
Result<void> Groom::grow_patches(Messages& messages, const TaskPool& pool) {
    if (strand_count() == 0) return {};
    const Result<void> loaded = load_patches(messages);
    if (!loaded) return loaded;
    std::vector<StrandSet> all;
    all.push_back(std::move(strands_));
    for (Patch& patch : patches_) {
        Result<StrandSet> grown = load_groom(patch.scene, patch.maps, *head_, messages, pool);
        if (!grown) return Error{"groom.patch: " + grown.error().text()};
        patch.strand_count = grown->strand_count();
        if (all.front().has_appearance() && !grown->has_appearance())
            ringlet::paint(patch.scene.groom, patch.maps, *grown, pool);
        all.push_back(std::move(*grown));
    }
    strands_ = patches_.empty() ? std::move(all.front()) : join_strands(all, pool);
    return {};
}

Result<StrandSet> Groom::grow(Messages& messages, const TaskPool& pool) const {
    Result<StrandSet> out = load_groom(scene_, maps_, *head_, messages, pool);
    if (out && scene_.fur.style == FurStyle::strands) fur_->bend(scene_, maps_, *out, pool);
    if (out && keeps_style(scene_)) move_out_of_bodies(scene_, *out, messages, pool);
    return out;
}

// The first `own_count` strands are those of the groom itself; patches follow.
void Groom::split_off_children(int own_count, const TaskPool& pool) {
    const int stated = scene_.groom.guides;
    const int guide_count = stated > 0 ? std::min(stated, own_count) : own_count;
    guides_ = part_of(strands_, 0, guide_count);
    std::vector<GuideWeights> weights = choose_guides(strands_, guide_count, pool);
    std::fill(weights.begin() + (own_count - guide_count), weights.end(), kNoGuides);
    children_ = std::make_unique<Children>(guides_, part_of(strands_, guide_count, strand_count()),
                                           std::move(weights));
    bind_roots();
}

void Groom::bind_roots() {
    std::vector<Vec3f> roots;
    for (int s = 0; s < strand_count(); ++s) roots.push_back(strands_.position.vec3(s, 0));
    if (scene_.world.shapes) root_binding_ = RootBinding(*scene_.world.shapes, roots);
    if (scene_.world.neck) root_shares_ = head_shares(*scene_.world.neck, roots);
}

int Groom::first_patch_strand() const {
    int first = strand_count();
    for (const Patch& patch : patches_) first -= patch.strand_count;
    return first;
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

void Groom::release_appearance() {
    if (!is_imported(scene_)) strands_.drop_appearance();
}

void Groom::paint(const TaskPool& pool) const {
    if (strands_.has_appearance()) return;
    ringlet::paint(scene_.groom, maps_, strands_, pool);
    if (scene_.fur.style == FurStyle::strands) fur_->set_radii(scene_, strands_);
    int first = first_patch_strand();
    for (const Patch& patch : patches_) {
        StrandSet own = part_of(strands_, first, first + patch.strand_count);
        const auto growth = strands_.root_growth.begin() + first;
        own.root_growth.assign(growth, growth + patch.strand_count);
        ringlet::paint(patch.scene.groom, patch.maps, own, pool);
        copy_appearance(own, first, strands_, pool);
        first += patch.strand_count;
    }
}

const Channel<3>& Groom::colour(const TaskPool& pool) const {
    paint(pool);
    return strands_.colour;
}

const Channel<1>& Groom::radius(const TaskPool& pool) const {
    paint(pool);
    return strands_.radius;
}

std::vector<Rigidf> Groom::skin_motions(double time, const NeckPose& pose,
                                        const TaskPool& pool) const {
    if (!root_shares_.empty())
        return ringlet::skin_motions(scene_.world.neck->bend(pose), root_shares_, pool);
    if (root_binding_.empty()) return {};
    return root_binding_.motions_at(time, pool);
}

std::size_t Groom::byte_count() const {
    return strands_.byte_count() + guides_.byte_count() + (children_ ? children_->byte_count() : 0);
}

}  // namespace ringlet
