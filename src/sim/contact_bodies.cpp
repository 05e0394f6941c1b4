#include "sim/contact_bodies.h"

#include <algorithm>

namespace ringlet {

namespace {

// m; other strands push a vertex beyond its path by no more than this.
constexpr float kReach = 0.004f;
// m; they would push it by no more than this if the strand did not spread their impulses.
constexpr float kNear = 0.03f;
// m/s; a vertex that starts inside a body leaves it no faster, as in the rod.
constexpr float kLeavingSpeed = 1;
// A vertex enters a body in a new contact by this share of its motion if it were free: the rod's
// contacts are soft at first.
constexpr float kSoftness = 0.1f;

}  // namespace

ContactBodies::ContactBodies(const ContactStrands& strands, const Model& model)
    : found_(static_cast<std::size_t>(strands.clump_count())),
      near_bodies_(static_cast<std::size_t>(strands.clump_count())) {
    const Channel<1>* const gap = model.mechanics().gap;
    if (!gap || gap->empty()) return;
    gap->read();
    for (int c = 0; c < strands.clump_count(); ++c)
        for (int i = 0; i < strands.vertex_count(c); ++i)
            gap_.push_back(gap->at(strands.strands_of(c).front(), i));
    force_.resize(gap_.size());
}

void ContactBodies::find(const ContactStrands& strands, const ContactStep& step,
                         std::span<const char> touched, const TaskPool& pool) {
    contacts_.clear();
    std::fill(near_bodies_.begin(), near_bodies_.end(), char{0});
    if (gap_.empty() || step.bodies.empty()) return;
    pool.for_each(strands.clump_count(), [&](int c) {
        const auto at = static_cast<std::size_t>(c);
        found_[at].clear();
        if (touched[at] != 0) find_of(c, strands, step);
    });
    for (const std::vector<BodyContact>& list : found_)
        contacts_.insert(contacts_.end(), list.begin(), list.end());
}

void ContactBodies::find_of(int clump, const ContactStrands& strands, const ContactStep& step) {
    if (strands.vertex_count(clump) < 2) return;
    const float h = strands.step_of(clump);
    for (const PlacedCollider& body : step.bodies) find_with(body, clump, strands, h);
    std::vector<BodyContact>& found = found_[static_cast<std::size_t>(clump)];
    std::stable_sort(found.begin(), found.end(), [](const BodyContact& a, const BodyContact& b) {
        return a.vertex < b.vertex;
    });
    for (std::size_t begin = 0, end = 0; begin < found.size(); begin = end) {
        while (end < found.size() && found[end].vertex == found[begin].vertex) ++end;
        start_from_forces(std::span(found).subspan(begin, end - begin), h);
    }
}

// Adds the vertices of a clump that may touch the body. The distance of one vertex tells how many
// of the following ones are too far away.
void ContactBodies::find_with(const PlacedCollider& body, int clump, const ContactStrands& strands,
                              float h) {
    const int first = strands.first_vertex(clump), last = first + strands.vertex_count(clump) - 1;
    float longest = 0, most_gap = 0;
    for (int k = first; k <= last; ++k) {
        longest = max(longest, norm(strands.move(k)));
        most_gap = max(most_gap, gap_[static_cast<std::size_t>(k)]);
    }
    float clear = 0;  // m, along the strand: no vertex before may touch the body
    for (int k = first; k <= last; ++k) {
        const Vec3f x = strands.position(k);
        if (k > first)
            clear -= norm(x - strands.position(k - 1)) * (1 + body.motion_bound.moved_per_metre);
        if (clear > 0) continue;
        const Vec3f start = moved_with(body, x), carried = start - x;
        const SurfacePoint<float> surface = nearest_surface(body, start);
        const float far = surface.distance - most_gap - longest - norm(carried) - kNear;
        clear = body.grid.moves ? 0 : far;
        const Vec3f path = strands.move(k) - carried;
        const float height = surface.distance - gap_[static_cast<std::size_t>(k)];
        if (!(height < norm(path) + kNear)) continue;
        near_bodies_[static_cast<std::size_t>(clump)] = 1;
        if (!(height < norm(path) + kReach)) continue;
        const float wanted = min(height + kLeavingSpeed * h, 0.0f);
        const int segment = std::min(k, last - 1);
        found_[static_cast<std::size_t>(clump)].push_back(
            {.vertex = k,
             .segment = segment,
             .share = k == last ? 1.0f : 0.0f,
             .normal = surface.normal,
             .missing = wanted - height - dot(surface.normal, path),
             .path = path,
             .friction = body.static_friction,
             .softness = kSoftness * strands.free_compliance(clump)});
    }
}

// The impulses of the contacts of one vertex, from the force on it in the substep before.
void ContactBodies::start_from_forces(std::span<BodyContact> contacts, float h) const {
    Vec3f rest = force_[static_cast<std::size_t>(contacts.front().vertex)] * h;
    const bool is_new = !(dot(rest, rest) > 0);
    for (BodyContact& c : contacts) {
        if (!is_new) c.softness = 0;
        c.push = max(dot(c.normal, rest), 0.0f);
        rest -= c.normal * c.push;
    }
    if (contacts.size() > 1) return;
    const Vec3f n = contacts.front().normal;
    contacts.front().drag = rest - n * dot(n, rest);
}

void ContactBodies::update(const ContactStrands& strands) {
    clear();
    for (const BodyContact& c : contacts_) {
        const float over_h = 1 / strands.step_of(strands.owner_of(c.vertex));
        force_[static_cast<std::size_t>(c.vertex)] += (c.normal * c.push + c.drag) * over_h;
    }
}

void ContactBodies::clear() { std::fill(force_.begin(), force_.end(), Vec3f{0, 0, 0}); }

std::size_t ContactBodies::byte_count() const {
    std::size_t total = gap_.size() * sizeof(float) + force_.size() * sizeof(Vec3f) +
                        contacts_.capacity() * sizeof(BodyContact);
    for (const std::vector<BodyContact>& list : found_)
        total += list.capacity() * sizeof(BodyContact);
    return total;
}

}  // namespace ringlet
