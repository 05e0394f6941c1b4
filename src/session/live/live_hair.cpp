#include "session/live/live_hair.h"

namespace ringlet {

void LiveHair::start(std::unique_ptr<Simulation> simulation) {
    simulation_ = std::move(simulation);
    previous_.reset();
    keep_poses();
}

void LiveHair::continue_with(std::unique_ptr<Simulation> simulation, const TaskPool& pool) {
    simulation->continue_from(*simulation_, pool);
    // The previous state of a GPU goes with its device.
    const bool is_lost = previous_ && device();
    simulation_ = std::move(simulation);
    keep_poses();
    if (!is_lost) return;
    previous_.reset();
    keep_previous();
}

void LiveHair::step(const TaskPool& pool) {
    if (previous_ && (keeps_velocities_ || device()))
        simulation_->copy_state(previous_->x, previous_->v);
    else if (previous_)
        previous_->x = simulation_->state().x;
    keep_poses();
    simulation_->step(pool);
    if (device()) device()->finish();
}

void LiveHair::keep_poses() {
    previous_head_ = simulation_->head_pose();
    previous_shoulders_ = simulation_->shoulder_pose();
}

void LiveHair::keep_previous(bool with_velocities) {
    if (previous_) return;
    keeps_velocities_ = with_velocities;
    previous_ = State{simulation_->state().x, {}};
}

void LiveHair::release_previous() {
    if (previous_ && !keeps_velocities_ && !device()) previous_->x = {};
}

Rigidf LiveHair::head_at(float t) const {
    return between(previous_head_, simulation_->head_pose(), t);
}

Rigidf LiveHair::shoulders_at(float t) const {
    return between(previous_shoulders_, simulation_->shoulder_pose(), t);
}

double LiveHair::time_at(float t) const {
    return simulation_->time() - static_cast<double>((1 - t) * simulation_->settings().dt);
}

void LiveHair::interpolate(float t, Channel<3>& out, int first, const TaskPool& pool) const {
    const Channel<3>&before = previous_->x.read(), &now = simulation_->state().x.read();
    const StrandLayout& layout = now.layout();
    pool.for_each(layout.strand_count(), [&](int s) {
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            const Vec3f a = before.vec3(s, i), b = now.vec3(s, i);
            out.set_vec3(first + s, i, a + (b - a) * t);
        }
    });
}

void LiveHair::copy_current(Channel<3>& out, int first, const TaskPool& pool) const {
    const Channel<3>& now = simulation_->state().x;
    const StrandLayout& layout = now.layout();
    pool.for_each(layout.strand_count(), [&](int s) {
        for (int i = 0; i < layout.vertex_count(s); ++i) out.set_vec3(first + s, i, now.vec3(s, i));
    });
}

std::optional<Vec3f> LiveHair::acceleration(int strand, int vertex) const {
    if (!previous_ || previous_->v.empty()) return std::nullopt;
    const Vec3f now = simulation_->state().v.vec3(strand, vertex);
    return (now - previous_->v.read().vec3(strand, vertex)) * (1 / simulation_->settings().dt);
}

MemorySpans LiveHair::changing_memory(StateAccess use) {
    MemorySpans out = simulation_->changing_memory(use);
    if (previous_ && !previous_->x.empty()) out.push_back(state_memory(previous_->x, use));
    for (Rigidf* pose : {&previous_head_, &previous_shoulders_})
        out.push_back(std::as_writable_bytes(std::span(pose, 1)));
    return out;
}

MemorySpans LiveHair::positions_memory() {
    MemorySpans out{state_memory(simulation_->state().x, StateAccess::load)};
    if (previous_ && !previous_->x.empty())
        out.push_back(state_memory(previous_->x, StateAccess::load));
    return out;
}

void LiveHair::restore(const TaskPool& pool) {
    if (previous_) previous_->v = {};
    simulation_->restore(pool);
}

std::size_t LiveHair::byte_count() const {
    std::size_t out = simulation_->byte_count();
    if (previous_) out += previous_->x.byte_count() + previous_->v.byte_count();
    return out;
}

}  // namespace ringlet
