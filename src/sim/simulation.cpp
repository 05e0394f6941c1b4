#include "sim/simulation.h"

#include <algorithm>
#include <chrono>

#include "base/assert.h"
#include "sim/block_kernel.h"
#include "sim/kernels/neck_roots_kernel.h"
#include "sim/models/registry.h"
#include "sim/penalty.h"

namespace ringlet {

namespace {

World with_separate_colliders(World world, float longest_segment) {
    world.colliders = whole_colliders(world);
    mark_thin_bodies(world.colliders, longest_segment);
    return world;
}

float longest_segment_of(const StrandSet& rest) {
    float longest = 0;
    for (int s = 0; s < rest.strand_count(); ++s)
        for (int i = 0; i + 1 < rest.layout->vertex_count(s); ++i)
            longest = max(longest, norm(rest.position.vec3(s, i + 1) - rest.position.vec3(s, i)));
    return longest;
}

}  // namespace

std::vector<Collider> whole_colliders(const World& world) {
    return world.neck ? separate_at_neck(world.colliders, *world.neck) : world.colliders;
}

const std::array<Simulation::Stage, 6> Simulation::kStages = {{
    {"move bodies", &Simulation::move_bodies},
    {"move roots", &Simulation::move_roots},
    {"couple hair", &Simulation::couple_hair},
    {"apply wind", &Simulation::apply_wind},
    {"touch strands", &Simulation::touch_strands},
    {"move strands", &Simulation::move_strands},
}};

Simulation::Simulation(const StrandSet& rest, const SimSettings& settings, World world,
                       std::uint32_t seed, LaneKind lanes, int first_step,
                       std::unique_ptr<Device> device, const TaskPool& pool,
                       const Channel<4>* frames)
    : settings_(settings),
      longest_segment_(longest_segment_of(rest)),
      world_(with_separate_colliders(std::move(world), longest_segment_)),
      state_{Channel<3>(rest.layout), Channel<3>(rest.layout)},
      lanes_(lanes),
      wind_field_(rest.position, settings_, world_.wind, lanes),
      measurer_(rest.layout, settings_, lanes),
      step_count_(first_step),
      head_(pose_at(world_.head, time())),
      device_(std::move(device)) {
    offset_ = target_offset_ = world_.head_offset;
    head_ = head_at(time(), 0);
    shoulders_ = shoulders_at(time(), 0);
    pool.for_each(rest.strand_count(), [&](int s) {
        for (int i = 0; i < rest.layout->vertex_count(s); ++i)
            state_.x.set_vec3(s, i, apply(head_, rest.position.vec3(s, i)));
    });
    if (const int count = rest.strand_count(); count > 0) {
        for (int s = 0; s < count; ++s)
            roots_centre_ += rest.position.vec3(s, 0) * (1 / static_cast<float>(count));
        for (int s = 0; s < count; ++s)
            roots_reach_ = max(roots_reach_, norm(rest.position.vec3(s, 0) - roots_centre_));
    }
    for (const Collider& collider : world_.colliders) {
        const Rigidf pose =
            collider.posed ? collider.pose : (collider.on_shoulders ? shoulders_ : head_);
        collider_poses_.push_back({pose, pose});
        placed_.push_back(place(collider, pose, pose));
        deforming_.push_back(deforming_body(collider, pool));
    }
    bind_roots(rest);
    if (world_.shapes && world_.shapes->frames.empty())
        head_shape_ = target_head_shape_ = world_.shapes->rest;
    const ModelEntry& model = all_models()[static_cast<std::size_t>(settings_.model)];
    model_ = model.make({rest, settings_, placed_, seed, lanes, head_, state_, pool, frames});
    if (couples_hair(settings_, world_.wind)) {
        SimSettings coupled = settings_;
        coupled.substeps = whole_step_count(settings_.substeps, model_->is_second_order());
        coupling_ = std::make_unique<HairCoupling>(state_, coupled, pool);
    }
    if (settings_.strand_contact.radius > 0)
        contacts_ = std::make_unique<StrandContacts>(rest, settings_, *model_);
    for (std::size_t k = 0; k < kStages.size(); ++k) stage_times_[k].name = kStages[k].name;
    if (device_) device_->set_layout(rest.layout);
}

void Simulation::bind_roots(const StrandSet& rest) {
    if (!settings_.hold_roots || rest.strand_count() == 0) return;
    std::vector<Vec3f> roots;
    for (int s = 0; s < rest.strand_count(); ++s) roots.push_back(rest.position.vec3(s, 0));
    if (world_.shapes) root_binding_ = RootBinding(*world_.shapes, roots);
    if (root_binding_.empty() && world_.neck) bind_to_neck(rest.layout, roots);
    if (root_binding_.empty() && root_shares_.empty()) return;
    root_poses_ = StrandChannel<kPoseRows>(rest.layout);
    root_poses_.fill({0, 0, 0, 1, 0, 0, 0});  // padding needs valid rotations too
}

void Simulation::bind_to_neck(const LayoutRef& layout, std::span<const Vec3f> roots) {
    const std::vector<float> shares = head_shares(*world_.neck, roots);
    if (shares.empty()) return;
    root_shares_ = StrandChannel<1>(layout);
    root_shares_.fill({1});
    for (int s = 0; s < layout->strand_count(); ++s)
        root_shares_.at(s) = shares[static_cast<std::size_t>(s)];
}

// Returns null for a rigid collider; otherwise the collider in its current shape.
std::unique_ptr<DeformingBody> Simulation::deforming_body(const Collider& collider,
                                                          const TaskPool& pool) const {
    if (!collider.body || !collider.shapes) return nullptr;
    auto out = std::make_unique<DeformingBody>(*collider.body, collider.shapes);
    if (!out->has_sequence()) return out;
    const double now = time() - static_cast<double>(world_.head.delay);
    if (now > 0) out->advance_to(now, pool);
    return out;
}

const SimState& Simulation::state() const {
    state_.x.read();
    state_.v.read();
    return state_;
}

SimState& Simulation::state() {
    state_.x.edit();
    state_.v.edit();
    return state_;
}

float Simulation::rest_length(int strand, int vertex) const {
    ChannelAccess host(nullptr);
    const RestLengths lengths = model_->rest_lengths(host);
    return lengths.channel[state_.x.layout().index(strand, vertex + lengths.first_row,
                                                   lengths.component, lengths.components)];
}

void Simulation::copy_state(Channel<3>& x, Channel<3>& v) const {
    const auto copy = [&](const Channel<3>& from, Channel<3>& to) {
        if (!device_ || from.empty()) {
            to = from;
            return;
        }
        if (to.empty()) to = Channel<3>(from.layout_ref());
        device_->copy_channel(from, to);
    };
    copy(state_.x, x);
    copy(state_.v, v);
}

void Simulation::show_on_device(DeviceShow what) const {
    what.now = &state_.x;
    device_->show(what);
}

template <class Body>
void Simulation::for_each_own_strand(const TaskPool& pool, const Body& body) const {
    pool.for_each(state_.x.layout().strand_count(), [&](int s) {
        if (own_strands_.empty() || own_strands_[static_cast<std::size_t>(s)] != 0) body(s);
    });
}

const Channel<1>* Simulation::hair_density() const {
    return coupling_ ? &coupling_->density().read() : nullptr;
}

void Simulation::step(const TaskPool& pool) {
    for (StageTime& stage : stage_times_) stage = {stage.name};
    marked_.clear();
    if (device_) {
        device_->mark(0);
        device_->collect_minimum_bytes();
    }
    const double start = time(), dt = settings_.dt;
    for (int k = 0; k < settings_.substeps; ++k) run_stages(substep(k, start, dt, pool));
    ++step_count_;
    offset_ = target_offset_;
    head_shape_ = target_head_shape_;
    for (ColliderPose& pose : collider_poses_) pose.start = pose.end;
    if (detail_) move_inactive(pool);
}

void Simulation::set_head_shape(std::span<const Vec3f> positions) {
    RINGLET_ASSERT(positions.size() == target_head_shape_.size(),
                   "a shape has all positions of the head's mesh");
    target_head_shape_.assign(positions.begin(), positions.end());
}

void Simulation::set_collider_shape(int collider, std::span<const Vec3f> positions) {
    const auto at = static_cast<std::size_t>(collider);
    RINGLET_ASSERT(at < placed_.size() && deforming_[at], "the collider deforms");
    deforming_[at]->set_shape(positions);
}

void Simulation::set_collider_pose(int collider, const Rigidf& pose) {
    const auto at = static_cast<std::size_t>(collider);
    RINGLET_ASSERT(at < placed_.size() && world_.colliders[at].posed, "the collider is posed");
    collider_poses_[at].end = pose;
}

void Simulation::set_wind(const Wind& wind) {
    world_.wind = wind;
    wind_field_.set_wind(wind);
}

void Simulation::teleport(const Rigidf& offset, const TaskPool& pool) {
    std::vector<Rigidf> motions = skin_at_start(pool);
    if (contacts_) contacts_->clear();
    offset_ = target_offset_ = offset;
    head_shape_ = target_head_shape_;
    const Rigidf before = head_;
    head_ = head_at(time(), 0);
    shoulders_ = shoulders_at(time(), 0);
    if (motions.empty()) {
        move_all(StrandMotions(motion_from(before, head_)), pool);
    } else {
        const std::vector<Rigidf> skin = skin_at_start(pool);
        for (std::size_t s = 0; s < motions.size(); ++s)
            motions[s] = motion_from(before * motions[s], head_ * skin[s]);
        move_all(StrandMotions(motions), pool);
    }
    for (ColliderPose& pose : collider_poses_) pose.start = pose.end;
    for (const auto& body : deforming_)
        if (body && !body->has_sequence()) body->jump(pool);
    place_bodies_at_rest(pool);
}

// Places all colliders where they are at the start of the next step.
void Simulation::place_bodies_at_rest(const TaskPool& pool) {
    for (std::size_t k = 0; k < placed_.size(); ++k) {
        const Collider& collider = world_.colliders[k];
        const Rigidf& now = collider.posed ? collider_poses_[k].start
                                           : (collider.on_shoulders ? shoulders_ : head_);
        placed_[k] = place(collider, now, now);
        if (deforming_[k]) placed_[k].grid = deforming_[k]->at(1, 1, pool);
    }
}

MemorySpans Simulation::changing_memory(StateAccess use) {
    MemorySpans out = model_->changing_memory(state_, device_ != nullptr, use);
    const auto add = [&](auto& value) {
        out.push_back(std::as_writable_bytes(std::span(&value, 1)));
    };
    if (coupling_) out.push_back(state_memory(coupling_->density(), use));
    if (contacts_)
        for (const StatePiece& piece : contacts_->changing_memory(use)) out.push_back(piece);
    add(step_count_);
    add(head_);
    add(shoulders_);
    add(offset_);
    add(target_offset_);
    for (ColliderPose& pose : collider_poses_) add(pose);
    if (detail_)
        for (const std::span<std::byte> piece : detail_->changing_memory()) out.push_back(piece);
    for (std::vector<Vec3f>* shape : {&head_shape_, &target_head_shape_})
        out.push_back(std::as_writable_bytes(std::span(*shape)));
    for (const auto& body : deforming_)
        if (body)
            for (const std::span<std::byte> piece : body->changing_memory()) out.push_back(piece);
    return out;
}

void Simulation::restore(const TaskPool& pool) {
    for (const auto& body : deforming_)
        if (body) body->restore();
    if (detail_) set_active_blocks();
    if (contacts_) contacts_->restore(pool);
    place_bodies_at_rest(pool);
}

void Simulation::continue_from(const Simulation& other, const TaskPool& pool) {
    state_ = other.state_;
    model_->move_rigidly(StrandMotions(motion_from(head_, other.head_)), pool);
    head_ = other.head_;
    offset_ = other.offset_;
    target_offset_ = other.target_offset_;
    shoulders_ = shoulders_at(time(), 0);
    push_ = other.push_;
    model_->resume(*other.model_, state_, head_, pool);
}

bool Simulation::accepts(const World& world) const {
    const World separate = with_separate_colliders(world, longest_segment_);
    return separate.colliders.size() == placed_.size() &&
           separate.neck.has_value() == world_.neck.has_value();
}

void Simulation::set_world(World world, const TaskPool& pool) {
    world = with_separate_colliders(std::move(world), longest_segment_);
    RINGLET_ASSERT(world.colliders.size() == placed_.size(),
                   "colliders are neither added nor removed");
    std::swap(world_, world);
    for (std::size_t k = 0; k < placed_.size(); ++k) {
        const Collider &was = world.colliders[k], &now = world_.colliders[k];
        if (now.body == was.body && now.shapes == was.shapes) continue;
        deforming_[k] = deforming_body(now, pool);
    }
    wind_field_.set_wind(world_.wind);
}

void Simulation::settle(double seconds, const TaskPool& pool) {
    const int steps = static_cast<int>(seconds / static_cast<double>(settings_.dt));
    const auto scale_velocities = [&](float by) {
        Channel<3>& v = state().v;
        for_each_own_strand(pool, [&](int s) {
            for (int i = 0; i < v.layout().vertex_count(s); ++i)
                v.set_vec3(s, i, v.vec3(s, i) * by);
        });
    };
    for (int step = 0; step < steps; ++step) {
        for (int k = 0; k < settings_.substeps; ++k) run_stages(substep(k, 0, 0, pool));
        scale_velocities(0.9f);  // damps the swing on the way to rest
    }
    if (steps > 0) scale_velocities(0);
}

// The index-th substep of a step that begins at `start` and, by the clock of head and bodies, lasts
// `duration` (s); 0: they stand still.
Simulation::Substep Simulation::substep(int index, double start, double duration,
                                        const TaskPool& pool) const {
    const int count = settings_.substeps;
    const auto times_of = [&](int k) {
        return substep_times(settings_.dt, count, model_->is_second_order(), k);
    };
    const SubstepTimes times = times_of(index);
    return {times,
            start + duration * times.end / count,
            start + duration,
            static_cast<float>(times.begin) / static_cast<float>(count),
            static_cast<float>(times.end) / static_cast<float>(count),
            times_of((index + 1) % count).h,
            pool};
}

void Simulation::run_stages(const Substep& now) {
    for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
        const auto before = std::chrono::steady_clock::now();
        (this->*kStages[stage].run)(now);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - before;
        stage_times_[stage].seconds += spent.count();
        const std::int64_t bytes = device_ ? device_->collect_minimum_bytes() : 0;
        if (bytes == 0) continue;  // nothing ran on the device; a time stamp costs 1.5 us
        stage_times_[stage].minimum_bytes += bytes;
        marked_.push_back(stage);
        device_->mark(static_cast<int>(marked_.size()));
    }
}

std::span<const StageTime> Simulation::stage_times() {
    if (!device_) return stage_times_;
    for (StageTime& stage : stage_times_) stage.seconds = 0;
    for (int k = 0; k < static_cast<int>(marked_.size()); ++k)
        stage_times_[marked_[static_cast<std::size_t>(k)]].seconds +=
            device_->seconds_between(k, k + 1);
    return stage_times_;
}

Rigidf Simulation::head_at(double time, float share) const {
    return with_offset(pose_at(world_.head, time), share);
}

Rigidf Simulation::shoulders_at(double time, float share) const {
    if (!world_.neck) return head_at(time, share);
    return with_offset(shoulder_pose_at(world_.head, time), share);
}

Rigidf Simulation::with_offset(const Rigidf& own, float share) const {
    const auto is_identity = [](const Rigidf& a) {
        return a.rotation.w == 1 && norm(a.translation) == 0;
    };
    if (is_identity(offset_) && is_identity(target_offset_)) return own;
    return between(offset_, target_offset_, share) * own;
}

void Simulation::move_bodies(const Substep& now) {
    const Rigidf next = head_at(now.end_time, now.to);
    const NeckPose before{shoulders_, move_hair_with_head(head_, next, now)};
    head_ = next;
    shoulders_ = shoulders_at(now.end_time, now.to);
    for (std::size_t k = 0; k < placed_.size(); ++k) {
        placed_[k] = placed(k, now, before);
        if (!deforming_[k]) continue;
        const double shape_time = now.step_end_time - static_cast<double>(world_.head.delay);
        if (now.from == 0 && deforming_[k]->has_sequence())
            deforming_[k]->advance_to(shape_time, now.pool);
        else if (now.from == 0)
            deforming_[k]->advance(now.pool);
        placed_[k].grid = deforming_[k]->at(now.from, now.to, now.pool);
    }
}

PlacedCollider Simulation::placed(std::size_t k, const Substep& now, const NeckPose& before) {
    const Collider& collider = world_.colliders[k];
    if (collider.on_shoulders) return place(collider, before.shoulders, shoulders_);
    if (!collider.posed) return place(collider, before.head, head_);
    const ColliderPose& pose = collider_poses_[k];
    return place(collider, between(pose.start, pose.end, now.from),
                 between(pose.start, pose.end, now.to));
}

void Simulation::move_all(const StrandMotions& motions, const TaskPool& pool) {
    SimState& moving = state();
    const StrandLayout& layout = moving.x.layout();
    for_each_own_strand(pool, [&](int s) {
        const Rigidf& motion = motions[s];
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            moving.x.set_vec3(s, i, apply(motion, moving.x.vec3(s, i)));
            moving.v.set_vec3(s, i, rotate(motion.rotation, moving.v.vec3(s, i)));
        }
    });
    // The model's own data of inactive strands moves when they become active again.
    const std::span<const char> moved = detail_ ? detail_->active() : own_strands_;
    model_->move_rigidly(StrandMotions(motions, moved), pool);
}

// Moves all strands rigidly by a share of the head's motion, if the head jumps or sim.follow_head
// is set. Returns the head pose from which the strands follow the remaining motion dynamically.
Rigidf Simulation::move_hair_with_head(const Rigidf& from, const Rigidf& to, const Substep& now) {
    if (!settings_.hold_roots) return from;
    const Rigidf head_motion = motion_from(from, to);
    const Vec3f centre = apply(from, roots_centre_);
    const float angle =
        2 * norm(Vec3f{head_motion.rotation.x, head_motion.rotation.y, head_motion.rotation.z});
    const float moved = norm(apply(head_motion, centre) - centre) + angle * roots_reach_;
    const float dynamic = settings_.follow_head_above * now.span;
    const float share = max(settings_.follow_head, 1 - dynamic / max(moved, dynamic));
    if (!(share > 0) || !(moved > 0)) return from;
    const Rigidf middle = between(from, to, share);
    move_all(StrandMotions(motion_from(from, middle)), now.pool);
    return middle;
}

// The motion of a deforming head's skin under each root, in the head's frame, at the end of a
// substep.
std::vector<Rigidf> Simulation::skin_motions(const Substep& now) const {
    if (head_shape_.empty())
        return root_binding_.motions_at(now.end_time - static_cast<double>(world_.head.delay),
                                        now.pool);
    std::vector<Vec3f> shape(head_shape_.size());
    interpolate(head_shape_, target_head_shape_, now.to, shape);
    return root_binding_.motions_to(shape, now.pool);
}

// The same at the start of the next step. Empty if the head is rigid or plays a sequence.
std::vector<Rigidf> Simulation::skin_at_start(const TaskPool& pool) const {
    if (root_binding_.empty() || head_shape_.empty()) return {};
    return root_binding_.motions_to(head_shape_, pool);
}

// Each root moves with its triangle of the deforming head, or with its part of the neck.
void Simulation::move_roots(const Substep& now) {
    if (!root_shares_.empty()) move_roots_on_neck(now.pool);
    if (root_binding_.empty()) return;
    const std::vector<Rigidf> skin = skin_motions(now);
    root_poses_.edit();
    const StrandLayout& layout = state_.x.layout();
    for (int s = 0; s < layout.strand_count(); ++s) {
        const Rigidf pose = head_ * skin[static_cast<std::size_t>(s)];
        root_poses_.set_quat(s, normalise(pose.rotation));
        root_poses_.set_vec3(s, pose.translation, 4);
    }
}

void Simulation::move_roots_on_neck(const TaskPool& pool) {
    ChannelAccess access(device_.get());
    const BlockKernel<NeckRootsKernel> kernel(root_poses_.layout_ref(), lanes_);
    kernel.run(
        {world_.neck->bend({shoulders_, head_}), head_},
        {.rows = 0, .head_share = access.read(root_shares_), .poses = access.edit(root_poses_)},
        pool, access);
}

void Simulation::couple_hair(const Substep& now) {
    if (now.stage == StepStage::second) return;
    if (!coupling_ || !coupling_->is_due(now.whole_index) || !division_.has_blocks()) return;
    if (device_ && device_->couple(coupling_->on_device(state_))) return;
    coupling_->couple(state(), now.pool);
}

void Simulation::apply_wind(const Substep& now) {
    if (now.stage == StepStage::second || !division_.has_blocks()) return;
    const Channel<1>* density = coupling_ ? &coupling_->density() : nullptr;
    wind_field_.apply(state_, now.end_time, now.whole_h, density, push_, now.pool, device_.get());
}

bool Simulation::has_thin_bodies() const {
    return std::any_of(placed_.begin(), placed_.end(),
                       [](const PlacedCollider& body) { return body.is_thin; });
}

void Simulation::touch_strands(const Substep& now) {
    if (!contacts_) return;
    const ContactStep step = {now.stage,
                              now.h,
                              now.span,
                              now.whole_h,
                              detail_ ? detail_->active() : std::span<const char>{},
                              placed_};
    contacts_->touch(state(), *model_, step, now.pool);
}

void Simulation::move_strands(const Substep& now) {
    if (!division_.has_blocks()) return;
    std::span<const PlacedCollider> colliders = placed_;
    if (device_) colliders = {device_->upload_colliders(placed_), placed_.size()};
    if (settings_.contact == ContactKind::penalty) {
        push_out(state_, settings_, colliders, now.span, device_.get(), own_strands_, now.pool);
        colliders = {};
    }
    model_->substep(state_,
                    {now.h, head_, colliders, &root_poses_, now.stage, now.span, now.whole_h,
                     now.next_h, !colliders.empty() && has_thin_bodies(),
                     contacts_ ? &contacts_->meeting_strands() : nullptr},
                    now.pool, device_.get());
}

std::vector<MemoryUse> Simulation::memory() const {
    std::vector<MemoryUse> out = {{"positions", state_.x.byte_count()},
                                  {"velocities", state_.v.byte_count()}};
    const std::vector<MemoryUse> own = model_->memory();
    out.insert(out.end(), own.begin(), own.end());
    if (coupling_) {
        const std::size_t per_vertex =
            coupling_->volume().byte_count() + coupling_->density().byte_count();
        out.push_back({"volumes and densities", per_vertex});
        out.push_back({"grid", coupling_->byte_count() - per_vertex});
    }
    if (contacts_) out.push_back({"contacts between strands", contacts_->byte_count()});
    if (detail_) out.push_back({"inactive strands", detail_->byte_count()});
    std::size_t bodies = 0;
    for (const auto& body : deforming_) bodies += body ? body->byte_count() : 0;
    out.push_back({"bodies", bodies});
    std::erase_if(out, [](const MemoryUse& use) { return use.bytes == 0; });
    return out;
}

std::size_t Simulation::byte_count() const {
    std::size_t total = 0;
    for (const MemoryUse& use : memory()) total += use.bytes;
    return total;
}

Measurement Simulation::measure(const TaskPool& pool) {
    std::span<const PlacedCollider> colliders = placed_;
    if (device_) colliders = {device_->upload_colliders(placed_), placed_.size()};
    return measurer_.measure(state_, *model_, colliders, pool, device_.get());
}

}  // namespace ringlet
