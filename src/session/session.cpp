#include "ringlet/session.h"

#include <chrono>

#include "groom/guides.h"
#include "session/groom_source.h"
#include "session/parts.h"
#include "session/scene_source.h"

namespace ringlet {

namespace {

LaneKind lane_kind(Lanes lanes) {
    switch (lanes) {
        case Lanes::scalar:
            return LaneKind::scalar;
        case Lanes::wide8:
            return LaneKind::wide8;
        case Lanes::avx2:
            return LaneKind::avx2;
        default:
            return LaneKind::automatic;
    }
}

Rigidf between(const Rigidf& a, const Rigidf& b, float t) {
    const auto mix = [t](float from, float to) { return from + (to - from) * t; };
    const Quatf p = a.rotation, q = b.rotation;
    return {normalise(Quatf{mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z), mix(p.w, q.w)}),
            a.translation + (b.translation - a.translation) * t};
}

void tint_scalp(const GroomSettings& groom, Mesh& body) {
    if (groom.strands == 0) return;
    for (Material& material : body.materials)
        if (material.name == groom.scalp)
            material.colour += (groom.colour.root - material.colour) * groom.scalp_tint;
}

}  // namespace

Result<void> Session::Parts::rebuild() {
    Result<StrandSet> loaded = load_groom(scene, body, pool);
    if (!loaded) return loaded.error();
    groom = std::move(*loaded);
    const int count = groom.strand_count(), guide_count = scene.groom.guides;
    if (guide_count > 0 && guide_count < count) {
        guides = part_of(groom, 0, guide_count);
        children = std::make_unique<Children>(guides, part_of(groom, guide_count, count),
                                              choose_guides(groom, guide_count, pool));
    } else {
        guides = {};
        children.reset();
    }
    restart();
    return {};
}

void Session::Parts::restart() {
    simulation = std::make_unique<Simulation>(simulated(), scene.sim, scene.world, scene.groom.seed,
                                              lane_kind(options.lanes));
    simulation->settle(static_cast<double>(scene.record.settle), pool);
    before = shown = {};
    head_before = head_shown = simulation->head_pose();
    totals = {};
    sum_stretch = 0;
    segment_count = 0;
}

void Session::Parts::step() {
    if (!before.empty()) before = simulation->state().x;
    head_before = simulation->head_pose();
    const auto start = std::chrono::steady_clock::now();
    simulation->step(pool);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    totals.seconds += spent.count();
    ++totals.frames;

    const Measurement now = simulation->measure(pool);
    totals.max_stretch = std::max(totals.max_stretch, now.max_stretch);
    totals.max_penetration = std::max(totals.max_penetration, now.max_penetration);
    totals.penetrating_vertices = std::max(totals.penetrating_vertices, now.penetrating_vertices);
    totals.nonfinite_vertices = std::max(totals.nonfinite_vertices, now.nonfinite_vertices);
    sum_stretch += now.sum_stretch;
    segment_count += now.segment_count;
    const auto [strand, vertex] = simulation->take_repaired();
    if (strand >= 0 && totals.repaired_strand < 0) {
        totals.repaired_strand = strand;
        totals.repaired_vertex = vertex;
    }
}

void Session::Parts::advance_to(double time) {
    if (before.empty()) {
        before = simulation->state().x;
        shown = groom.position;
    }
    const double dt = static_cast<double>(scene.sim.dt);
    while (simulation->time() < time - 1e-6 * dt) step();
    const double late = (simulation->time() - time) / dt;  // in steps, 0 to 1
    const auto t = static_cast<float>(std::clamp(1 - late, 0.0, 1.0));
    head_shown = between(head_before, simulation->head_pose(), t);
    const Channel<3>& now = simulation->state().x;
    Channel<3> between_steps = now;
    const StrandLayout& layout = now.layout();
    pool.for_each(layout.strand_count(), [&](int s) {
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            const Vec3f a = before.vec3(s, i), b = now.vec3(s, i);
            between_steps.set_vec3(s, i, a + (b - a) * t);
        }
    });
    spread(between_steps, head_shown, shown);
}

void Session::Parts::spread(const Channel<3>& guides_now, const Rigidf& head, Channel<3>& all) {
    if (!children) {
        all = guides_now;
        return;
    }
    Channel<3> others = children->rest();
    children->follow(guides_now, head, others, pool);
    const int guide_count = guides.strand_count();
    pool.for_each(groom.strand_count(), [&](int s) {
        const Channel<3>& from = s < guide_count ? guides_now : others;
        const int id = s < guide_count ? s : s - guide_count;
        for (int i = 0; i < groom.layout->vertex_count(s); ++i)
            all.set_vec3(s, i, from.vec3(id, i));
    });
}

StrandView Session::Parts::present_strands(Channel<3>& all) {
    all = groom.position;
    spread(simulation->state().x, simulation->head_pose(), all);
    return {groom.layout.get(), &all, &groom.colour, &groom.radius};
}

StrandView Session::Parts::shown_strands() const {
    return {groom.layout.get(), &shown, &groom.colour, &groom.radius};
}

Session::Session(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Result<Session> Session::open(const std::string& scene, const SessionOptions& options,
                              const Listener& listener) {
    Result<Scene> loaded = load_scene(scene, options.overrides);
    if (!loaded) return loaded.error();
    Result<Mesh> body = load_body(*loaded);
    if (!body) return body.error();
    auto parts = std::make_unique<Parts>();
    parts->scene = std::move(*loaded);
    parts->options = options;
    parts->pool = TaskPool(options.threads);
    parts->body = std::move(*body);
    for (const std::string& warning : parts->body.warnings)
        listener.say(parts->scene.groom.mesh + ": " + warning);
    tint_scalp(parts->scene.groom, parts->body);
    const GroomSettings& groom = parts->scene.groom;
    if (static_cast<double>(groom.strands) * groom.vertices > 1e6)
        listener.say("growing " + std::to_string(groom.strands) + " strands");
    const Result<void> built = parts->rebuild();
    if (!built) return built.error();
    return Session(std::move(parts));
}

void Session::step() { parts_->step(); }
void Session::reset() { parts_->restart(); }
double Session::time() const { return parts_->simulation->time(); }
int Session::strand_count() const { return parts_->groom.strand_count(); }
int Session::vertex_count(int strand) const { return parts_->groom.layout->vertex_count(strand); }

std::vector<float> Session::positions() const {
    std::vector<float> out;
    Channel<3> all;
    parts_->present_strands(all);
    for (const Vec3f& p : unpack(all)) out.insert(out.end(), {p.x, p.y, p.z});
    return out;
}

std::string Session::hash() const {
    const SimState& state = parts_->simulation->state();
    return hash_of(state.x, state.v).hex();
}

}  // namespace ringlet
