#include "session/live/session_impl.h"

#include <algorithm>
#include <utility>

#include "session/boundary.h"

namespace ringlet {

LaneKind Session::Impl::lane_kind() const {
    switch (options.lanes) {
        case Lanes::scalar:
            return LaneKind::scalar;
        case Lanes::wide8:
            return LaneKind::wide8;
        case Lanes::avx2:
            return LaneKind::avx2;
        case Lanes::avx512:
            return LaneKind::avx512;
        default:
            return LaneKind::automatic;
    }
}

Result<void> check_backend(Backend backend) try {
    if (backend == Backend::cpu) return {};
    const Result<std::unique_ptr<Device>> device = open_cuda_device();
    return device ? Result<void>{} : device.error();
} catch (...) {
    return error_from_exception();
}

std::unique_ptr<Device> Session::Impl::make_device() const {
    return options.backend == Backend::cuda ? std::move(*open_cuda_device()) : nullptr;
}

Result<void> Session::Impl::rebuild() {
    for (std::size_t k = 0; k < actors.size(); ++k) {
        Actor& actor = actors[k];
        Result<void> done = actor.regrow(pool);
        if (done) done = collider_meshes.fill(actor.scene, actor.body->mesh, pool);
        if (!done) return located(k, done.error());
    }
    if (is_cast()) gather_grooms();
    restart();
    return {};
}

Error Session::Impl::located(std::size_t actor, const Error& error) const {
    if (!is_cast()) return error;
    return Error{"actor " + std::to_string(actor) + ": " + error.text(), scene.actors[actor].file,
                 scene.actors[actor].line};
}

void Session::Impl::gather_grooms() {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    first_strands_.clear();
    for (const Actor& actor : actors) {
        first_strands_.push_back(static_cast<int>(counts.size()));
        for (int s = 0; s < actor.groom.strand_count(); ++s) {
            counts.push_back(actor.groom.layout->vertex_count(s));
            roots.push_back(apply(actor.place, actor.groom.position.vec3(s, 0)));
        }
    }
    together_ = StrandSet{StrandLayout(counts, roots)};
    together_.position = {};
    together_.drop_appearance();
    shown_ = {};
    for (const Actor& actor : actors)
        for (int s = 0; s < actor.groom.strand_count(); ++s)
            together_.root_uv.push_back(actor.groom.root_uv.empty()
                                            ? Vec2f{0, 0}
                                            : actor.groom.root_uv[static_cast<std::size_t>(s)]);
}

void Session::Impl::paint_grooms() {
    for (Actor& actor : actors) actor.paint_groom(pool);
    if (!is_cast() || together_.has_appearance()) return;
    together_.colour = Channel<3>(together_.layout);
    together_.radius = drawn_radius_ = Channel<1>(together_.layout);
    for (std::size_t k = 0; k < actors.size(); ++k) {
        const StrandSet& own = actors[k].groom;
        const float width = actors[k].scene.render.width / scene.render.width;
        for (int s = 0; s < own.strand_count(); ++s) {
            const int strand = first_strands_[k] + s;
            for (int i = 0; i < own.layout->vertex_count(s); ++i) {
                together_.colour.set_vec3(strand, i, own.colour.vec3(s, i));
                together_.radius.at(strand, i) = own.radius.at(s, i);
                drawn_radius_.at(strand, i) = own.radius.at(s, i) * width;
            }
        }
    }
}

void Session::Impl::put_in_place(std::size_t actor, const Channel<3>& own, Channel<3>& all) const {
    const StrandLayout& layout = own.layout();
    pool.for_each(layout.strand_count(), [&](int s) {
        for (int i = 0; i < layout.vertex_count(s); ++i)
            all.set_vec3(first_strands_[actor] + s, i, apply(actors[actor].place, own.vec3(s, i)));
    });
}

void Session::Impl::restart() {
    for (Actor& actor : actors)
        actor.restart(lane_kind(), make_device(), static_cast<double>(scene.record.settle), pool);
    totals = {};
    sum_stretch = 0;
    segment_count = 0;
    latest = {};
}

void Session::Impl::step() {
    std::int64_t strain_limited = 0;
    int strands_before = 0;
    latest = {};
    for (Actor& actor : actors) {
        const Actor::StepOutcome now = actor.step(pool);
        const Measurement& measured = now.measured;
        totals.seconds += now.seconds;
        latest.max_stretch = std::max(latest.max_stretch, measured.max_stretch);
        latest.max_penetration = std::max(latest.max_penetration, measured.max_penetration);
        latest.stretch_p99 = std::max(latest.stretch_p99, measured.stretch_p99);
        strain_limited += now.strain_limited;
        latest.penetrating_vertices += measured.penetrating_vertices;
        latest.nonfinite_vertices += measured.nonfinite_vertices;
        latest.sum_stretch += measured.sum_stretch;
        latest.segment_count += measured.segment_count;
        totals.repaired_tips += now.repaired_tips;
        if (now.repaired.first >= 0 && totals.repaired_strand < 0) {
            totals.repaired_strand = strands_before + now.repaired.first;
            totals.repaired_vertex = now.repaired.second;
        }
        strands_before += actor.simulated().strand_count();
    }
    totals.max_stretch = std::max(totals.max_stretch, latest.max_stretch);
    totals.max_penetration = std::max(totals.max_penetration, latest.max_penetration);
    totals.penetrating_vertices =
        std::max(totals.penetrating_vertices, latest.penetrating_vertices);
    totals.nonfinite_vertices = std::max(totals.nonfinite_vertices, latest.nonfinite_vertices);
    sum_stretch += latest.sum_stretch;
    segment_count += latest.segment_count;
    totals.stretch_p99 = std::max(totals.stretch_p99, latest.stretch_p99);
    totals.strain_limited_strands += strain_limited;
    totals.strain_limited_frames += strain_limited > 0 ? 1 : 0;
    ++totals.frames;
}

void Session::Impl::set_push(const std::optional<Push>& push) {
    for (Actor& actor : actors) {
        std::optional<Push> own = push;
        if (own) {
            const Rigidf back = motion_from(actor.place, {});
            own->from = apply(back, own->from);
            own->to = apply(back, own->to);
            own->acceleration = rotate(back.rotation, own->acceleration);
        }
        actor.simulation->set_push(own);
    }
}

void Session::Impl::advance_to(double wanted) {
    paint_grooms();
    for (Actor& actor : actors) actor.begin_showing();
    const double dt = static_cast<double>(scene.sim.dt);
    while (time() < wanted - 1e-6 * dt) step();
    const double late = (time() - wanted) / dt;  // in steps, 0 to 1
    const auto t = static_cast<float>(std::clamp(1 - late, 0.0, 1.0));
    if (is_cast() && shown_.empty()) shown_ = Channel<3>(together_.layout);
    for (std::size_t k = 0; k < actors.size(); ++k) {
        actors[k].show(t, pool);
        if (is_cast() && !shown_.empty()) put_together(k);
    }
}

void Session::Impl::put_together(std::size_t actor) {
    const Actor& own = actors[actor];
    Device* const device = own.simulation->device();
    if (!device) {
        put_in_place(actor, own.shown, shown_);
        return;
    }
    if (own.groom.strand_count() == 0) return;
    actors.front().simulation->device()->merge(
        *device, {together_.layout, shown_.block(0), first_strands_[actor], own.place});
}

StrandView Session::Impl::drawn_strands() const {
    const StrandSet& all = groom();
    const Actor& first = actors.front();
    StrandView out{all.layout.get(), &first.shown, &all.colour, &all.radius, true};
    Device* const device = first.simulation->device();
    if (device) out.on_device = is_cast() ? device->merged() : device->shown();
    if (!is_cast()) return out;
    out.position = &shown_;
    out.radius = &drawn_radius_;
    return out;
}

StrandView Session::Impl::shown_strands() const {
    StrandView out = drawn_strands();
    if (out.on_device) std::exchange(out.on_device, nullptr)->fetch();
    return out;
}

template <class PlacesOf>
const Channel<3>& Session::Impl::gathered(Channel<3>& all, const PlacesOf& places_of) {
    if (!is_cast()) return places_of(actors.front(), all);
    all = Channel<3>(together_.layout);
    for (std::size_t k = 0; k < actors.size(); ++k) {
        Channel<3> own;
        put_in_place(k, places_of(actors[k], own), all);
    }
    return all;
}

const Channel<3>& Session::Impl::present_places(Channel<3>& all) {
    return gathered(all, [&](Actor& actor, Channel<3>& own) -> const Channel<3>& {
        return actor.present(own, pool);
    });
}

StrandView Session::Impl::present_strands(Channel<3>& all) {
    paint_grooms();
    return {groom().layout.get(), &present_places(all), &groom().colour, &groom().radius};
}

StrandView Session::Impl::rest_strands(Channel<3>& all) {
    paint_grooms();
    const Channel<3>& places = gathered(all, [&](Actor& actor, Channel<3>&) -> const Channel<3>& {
        actor.need_rest(pool);
        return actor.groom.position;
    });
    return {groom().layout.get(), &places, &groom().colour, &groom().radius};
}

std::size_t Session::Impl::byte_count() const {
    std::size_t own = together_.byte_count() + shown_.byte_count() + drawn_radius_.byte_count();
    for (const Actor& actor : actors) own += actor.byte_count();
    return own;
}

}  // namespace ringlet
