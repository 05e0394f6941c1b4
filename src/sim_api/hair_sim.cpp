#include "ringlet/sim.h"

#include <algorithm>
#include <cmath>

#include "base/line_memory.h"
#include "sim/models/registry.h"
#include "sim_api/boundary.h"
#include "sim_api/check_input.h"
#include "sim_api/convert_input.h"
#include "sim_api/hair_sim_impl.h"
#include "sim_api/sim_parameters.h"
#include "sim_api/state_bytes.h"

namespace ringlet {

namespace {

Result<std::size_t> checked_index(int collider, std::size_t count) {
    const auto at = static_cast<std::size_t>(collider);
    if (collider >= 0 && at < count) return at;
    return Error{"there is no collider " + std::to_string(collider)};
}

void add_warnings(SimReport& report) {
    if (report.nonfinite_vertices > 0)
        report.warnings.push_back(
            {std::to_string(report.nonfinite_vertices) + " vertices are NaN or infinite", "",
             "lower SimSettings::dt or raise SimSettings::substeps"});
    if (report.repaired_strand >= 0)
        report.warnings.push_back({"a state that was not finite was repaired",
                                   "strand " + std::to_string(report.repaired_strand) +
                                       ", vertex " + std::to_string(report.repaired_vertex),
                                   "lower SimSettings::dt or raise SimSettings::substeps"});
}

}  // namespace

HairSim::HairSim(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HairSim::~HairSim() = default;
HairSim::HairSim(HairSim&&) noexcept = default;
HairSim& HairSim::operator=(HairSim&&) noexcept = default;

Result<HairSim> HairSim::create(const StrandArrays& strands, const SimSettings& settings,
                                std::span<const SimCollider> colliders,
                                const SimOptions& options) try {
    for (const Result<void>& fine :
         {check_strands(strands), check_parameters(settings, options.wind), check_options(options),
          check_pose(options.wind.to_air_frame, "Wind::to_air_frame"),
          check_backend(options.backend)})
        if (!fine) return fine.error();
    const AllocatorScope memory(options.allocator);
    auto impl = std::make_unique<Impl>(strands, settings, options);
    Result<std::vector<Collider>> bodies = to_colliders(colliders, impl->pool);
    if (!bodies) return bodies.error();
    impl->add_colliders(std::move(*bodies));
    impl->start();
    return HairSim(std::move(impl));
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_head(const Rigidf& pose) try {
    if (const Result<void> fine = check_pose(pose, "head"); !fine) return fine;
    impl_->clock.head.now = with_unit_rotation(pose);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_collider_pose(int collider, const Rigidf& pose) try {
    const Result<std::size_t> at = checked_index(collider, impl_->world.colliders.size());
    if (!at) return at.error();
    if (!impl_->world.colliders[*at].posed)
        return Error{"collider " + std::to_string(collider) +
                     " has no pose; create it with SimMotion::posed"};
    if (const Result<void> fine = check_pose(pose, "collider pose"); !fine) return fine;
    impl_->collider_poses[*at].now = with_unit_rotation(pose);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_head_vertices(std::span<const float> positions) try {
    FrameShape& shape = impl_->head_shape;
    if (shape.empty()) return Error{"the head is rigid; create it with StrandArrays::head_mesh"};
    if (const Result<void> fine = check_vertices(positions, shape.now.size(), "head_mesh"); !fine)
        return fine;
    copy_positions(positions, shape.now);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_collider_vertices(int collider, std::span<const float> positions) try {
    const Result<std::size_t> at = checked_index(collider, impl_->world.colliders.size());
    if (!at) return at.error();
    FrameShape& shape = impl_->collider_shapes[*at];
    const std::string name = "collider " + std::to_string(collider);
    if (shape.empty())
        return Error{name + " is rigid; create it as a mesh with SimCollider::deforms"};
    if (const Result<void> fine = check_vertices(positions, shape.now.size(), name.c_str()); !fine)
        return fine;
    const Collider& own = impl_->world.colliders[*at];
    for (std::size_t k = 0; k < shape.now.size(); ++k)
        if (!own.body->has_room_for({positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]}))
            return Error{name + ": vertex " + std::to_string(k) +
                         " is too far from the first shape; raise SimCollider::room"};
    copy_positions(positions, shape.now);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_gravity(Vec3f gravity) try {
    SimSettings changed = impl_->settings;
    changed.gravity = gravity;
    if (const Result<void> fine = check_parameters(changed, impl_->world.wind); !fine) return fine;
    impl_->settings.gravity = gravity;
    impl_->simulation->set_gravity(gravity);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_wind(const Wind& wind) try {
    for (const Result<void>& fine : {check_parameters(impl_->settings, wind),
                                     check_pose(wind.to_air_frame, "Wind::to_air_frame")})
        if (!fine) return fine;
    impl_->simulation->set_wind(wind);
    impl_->world.wind = wind;
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::set_push(const std::optional<SimPush>& push) try {
    std::optional<Push> own;
    if (push) {
        for (const Vec3f part : {push->from, push->to, push->acceleration})
            if (const Result<void> fine = check_vector(part, "push"); !fine) return fine;
        if (!(push->radius > 0)) return Error{"push: the radius must be positive"};
        own = {push->from, push->to, push->radius, push->acceleration};
    }
    impl_->push = own;
    impl_->simulation->set_push(own);
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<int> HairSim::set_active_strands(int count) try {
    if (impl_->is_lost) return lost_state();
    if (!impl_->options.level_of_detail)
        return Error{"all strands are simulated; create with SimOptions::level_of_detail"};
    if (count < 0) return Error{"the number of active strands must not be negative"};
    return impl_->set_active_strands(count);
} catch (...) {
    impl_->is_lost = true;
    return sim_error_from_exception();
}

int HairSim::active_strand_count() const {
    const LevelOfDetail* const detail = impl_->simulation->level_of_detail();
    return detail ? detail->active_count() : strand_count();
}

bool HairSim::is_active(int strand) const {
    const LevelOfDetail* const detail = impl_->simulation->level_of_detail();
    return !detail || detail->is_active(strand);
}

Result<SimStepped> HairSim::step(double seconds) try {
    if (impl_->is_lost) return lost_state();
    if (!(seconds >= 0) || !std::isfinite(seconds))
        return Error{"step: the frame time must be finite and not negative"};
    const AllocatorScope memory(impl_->options.allocator);
    return impl_->step(seconds);
} catch (...) {
    impl_->is_lost = true;
    return sim_error_from_exception();
}

Result<void> HairSim::teleport(const Rigidf& head) try {
    if (impl_->is_lost) return lost_state();
    if (const Result<void> fine = check_pose(head, "head"); !fine) return fine;
    const AllocatorScope memory(impl_->options.allocator);
    impl_->teleport(with_unit_rotation(head));
    return {};
} catch (...) {
    impl_->is_lost = true;
    return sim_error_from_exception();
}

Result<void> HairSim::reset() try {
    const AllocatorScope memory(impl_->options.allocator);
    impl_->start();
    return {};
} catch (...) {
    return sim_error_from_exception();
}

Result<std::vector<std::byte>> HairSim::save() const try {
    if (impl_->is_lost) return lost_state();
    return to_bytes(impl_->changing_memory(StateAccess::save), impl_->fingerprint);
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::load(std::span<const std::byte> state) try {
    const Result<void> done =
        from_bytes(state, impl_->changing_memory(StateAccess::load), impl_->fingerprint);
    if (!done) return done;
    impl_->is_lost = true;  // unless all of it is restored
    impl_->simulation->restore(impl_->pool);
    impl_->is_lost = false;
    return {};
} catch (...) {
    return sim_error_from_exception();
}

VectorView HairSim::positions() const {
    if (impl_->is_lost) return {};
    return impl_->view(std::as_const(*impl_->simulation).state().x);
}

VectorView HairSim::velocities() const {
    if (impl_->is_lost) return {};
    return impl_->view(std::as_const(*impl_->simulation).state().v);
}

VectorView HairSim::previous_positions() const {
    if (impl_->is_lost) return {};
    return impl_->view(impl_->previous);
}

NumberView HairSim::widths() const {
    if (impl_->widths.empty()) return {};
    return {impl_->widths.memory(), impl_->first_number, impl_->counts};
}

std::size_t HairSim::memory_size() const { return impl_->rest.position.memory().size(); }

std::span<const std::size_t> HairSim::offsets() const { return impl_->first; }

std::span<const int> HairSim::vertex_counts() const { return impl_->counts; }

int HairSim::strand_count() const { return static_cast<int>(impl_->counts.size()); }

double HairSim::time() const { return impl_->simulation->time(); }

Result<std::string> HairSim::hash() const try {
    if (impl_->is_lost) return lost_state();
    const SimState& state = std::as_const(*impl_->simulation).state();
    return hash_of(state.x, state.v).hex();
} catch (...) {
    return sim_error_from_exception();
}

Result<SimReport> HairSim::report() try {
    if (impl_->is_lost) return lost_state();
    Device* const device = impl_->simulation->device();
    const std::int64_t transferred = device ? device->collect_host_bytes() : 0;
    impl_->collect_flags();
    const Measurement measured = impl_->simulation->measure(impl_->pool);
    const Impl::Clock& clock = impl_->clock;
    SimReport out;
    out.model = model_name(impl_->settings.model);
    out.strands = strand_count();
    out.vertices = impl_->rest.layout->vertex_total();
    out.steps = clock.steps;
    out.seconds = time();
    out.max_stretch = measured.max_stretch;
    if (measured.segment_count > 0)
        out.mean_stretch = measured.sum_stretch / static_cast<double>(measured.segment_count);
    out.max_penetration = measured.max_penetration;
    out.penetrating_vertices = measured.penetrating_vertices;
    out.nonfinite_vertices = measured.nonfinite_vertices;
    out.repaired_strand = clock.repaired_strand;
    out.repaired_vertex = clock.repaired_vertex;
    out.strain_limited_strands = clock.strain_limited;
    out.bytes =
        impl_->simulation->byte_count() + impl_->rest.byte_count() + impl_->previous.byte_count();
    out.transferred_bytes = transferred;
    if (device) device->collect_host_bytes();
    add_warnings(out);
    return out;
} catch (...) {
    return sim_error_from_exception();
}

SimSettings scene_defaults() { return default_sim_settings(); }

int model_count() { return static_cast<int>(all_models().size()); }

const char* model_name(int model) {
    if (model < 0 || model >= model_count()) return "";
    return all_models()[static_cast<std::size_t>(model)].name;
}

Result<int> model_named(std::string_view name) try {
    std::string known;
    for (int k = 0; k < model_count(); ++k) {
        if (name == model_name(k)) return k;
        known += (k > 0 ? ", " : "") + std::string(model_name(k));
    }
    return Error{"there is no model \"" + std::string(name) + "\"; the models are " + known};
} catch (...) {
    return sim_error_from_exception();
}

}  // namespace ringlet
