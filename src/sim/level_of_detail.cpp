#include "sim/level_of_detail.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"
#include "sim/simulation.h"
#include "strand/even_order.h"

namespace ringlet {

LevelOfDetail::LevelOfDetail(const Channel<3>& rest)
    : block_order_(static_cast<std::size_t>(rest.layout().block_count())),
      active_(static_cast<std::size_t>(rest.layout().strand_count()), 1),
      frozen_at_(active_.size()),
      shape_(rest.layout_ref()) {
    const StrandLayout& layout = rest.layout();
    std::vector<Vec3f> roots;
    for (int s = 0; s < layout.strand_count(); ++s) roots.push_back(rest.vec3(s, 0));
    const std::vector<std::int32_t> places = even_order(roots);
    // A block comes where its strands come on average.
    std::vector<double> sums(block_order_.size(), 0), counts(block_order_.size(), 0);
    for (int s = 0; s < layout.strand_count(); ++s) {
        const auto block = static_cast<std::size_t>(layout.slot(s).block);
        sums[block] += places[static_cast<std::size_t>(s)];
        ++counts[block];
    }
    std::iota(block_order_.begin(), block_order_.end(), 0);
    std::stable_sort(block_order_.begin(), block_order_.end(), [&](int a, int b) {
        const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
        return sums[ia] * counts[ib] < sums[ib] * counts[ia];
    });
}

int LevelOfDetail::activate(int count) {
    std::fill(active_.begin(), active_.end(), char{0});
    int done = 0;
    for (const int block : block_order_) {
        for (int lane = 0; lane < kLanes; ++lane) {
            const int strand = shape_.layout().strand_at(block, lane);
            if (strand < 0) continue;
            active_[static_cast<std::size_t>(strand)] = 1;
            ++done;
        }
        if (done >= count) break;
    }
    return done;
}

int LevelOfDetail::active_count() const {
    return static_cast<int>(std::count(active_.begin(), active_.end(), char{1}));
}

std::vector<int> LevelOfDetail::active_blocks() const {
    const StrandLayout& layout = shape_.layout();
    std::vector<int> out;
    for (int block = 0; block < layout.block_count(); ++block)
        if (is_active(layout.strand_at(block, 0))) out.push_back(block);
    if (out.size() == block_order_.size()) out.clear();
    return out;
}

void LevelOfDetail::freeze(int strand, const Rigidf& skin, const Channel<3>& x) {
    frozen_at_[static_cast<std::size_t>(strand)] = skin;
    const Quatf back = conjugate(skin.rotation);
    for (int i = 0; i < x.layout().vertex_count(strand); ++i)
        shape_.set_vec3(strand, i, rotate(back, x.vec3(strand, i) - skin.translation));
}

MemorySpans LevelOfDetail::changing_memory() {
    return {std::as_writable_bytes(std::span(active_)),
            std::as_writable_bytes(std::span(frozen_at_)), shape_.memory_to_write()};
}

void Simulation::enable_level_of_detail(const Channel<3>& rest) {
    RINGLET_ASSERT(!device_, "the CPU simulates");
    detail_ = std::make_unique<LevelOfDetail>(rest);
}

// The pose of the skin under each root at the start of the next step. Free strands have none: they
// stay where they are.
std::vector<Rigidf> Simulation::skin_poses(const TaskPool& pool) const {
    std::vector<Rigidf> out = skin_at_start(pool);
    out.resize(static_cast<std::size_t>(state_.x.layout().strand_count()));
    for (Rigidf& pose : out) pose = settings_.hold_roots ? head_ * pose : Rigidf{};
    return out;
}

int Simulation::set_active_strands(int count, const TaskPool& pool) {
    const std::vector<char> before(detail_->active().begin(), detail_->active().end());
    std::vector<Rigidf> poses = skin_poses(pool);
    const int out = detail_->activate(count);
    std::vector<char> resumes(before.size(), 0);
    for (std::size_t k = 0; k < before.size(); ++k) {
        const int s = static_cast<int>(k);
        if (before[k] != 0 && !detail_->is_active(s)) detail_->freeze(s, poses[k], state_.x);
        resumes[k] = before[k] == 0 && detail_->is_active(s);
        if (resumes[k] != 0) poses[k] = motion_from(detail_->frozen_at(s), poses[k]);
    }
    model_->move_rigidly(StrandMotions(StrandMotions(poses), resumes), pool);
    set_active_blocks();
    return out;
}

void Simulation::set_active_blocks() {
    const std::vector<int> blocks = detail_->active_blocks();
    model_->set_active_blocks(blocks);
    wind_field_.set_active_blocks(blocks);
}

// Moves inactive strands with their skin at the end of a step, with its velocity.
void Simulation::move_inactive(const TaskPool& pool) {
    const StrandLayout& layout = state_.x.layout();
    if (detail_->active_count() == layout.strand_count()) return;
    const std::vector<Rigidf> poses = skin_poses(pool);
    const float rate = 1 / settings_.dt;
    pool.for_each(layout.strand_count(), [&](int s) {
        if (detail_->is_active(s)) return;
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            const Vec3f next = detail_->position(s, i, poses[static_cast<std::size_t>(s)]);
            state_.v.set_vec3(s, i, (next - state_.x.vec3(s, i)) * rate);
            state_.x.set_vec3(s, i, next);
        }
    });
}

}  // namespace ringlet
