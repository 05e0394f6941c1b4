#include "session/debug_view.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "collide/mesh_body.h"
#include "math/noise.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kIdSeed = 0x1d;
constexpr int kMostFrames = 60;            // strands that show frames
constexpr float kFrameSpacing = 0.01f;     // m, along a strand
constexpr std::size_t kMostCells = 60000;  // more cells would hide each other

Vec3f id_colour(int strand) {
    const auto id = static_cast<std::uint32_t>(strand);
    const float hue = 6 * counter_uniform(kIdSeed, id, 0);
    const auto part = [&](float shift) {
        const float x = std::fmod(hue + shift, 6.0f);
        return std::clamp(std::abs(x - 3) - 1, 0.0f, 1.0f);
    };
    const float light = 0.15f + 0.6f * counter_uniform(kIdSeed, id, 1);
    return Vec3f{part(0), part(4), part(2)} * light + Vec3f{0.02f, 0.02f, 0.02f};
}

float stretch_percent(const Actor& actor, int strand, int vertex) {
    const Channel<3>& x = actor.simulation().state().x;
    float worst = 0;
    for (int i = std::max(vertex - 1, 0);
         i <= std::min(vertex, x.layout().vertex_count(strand) - 2); ++i) {
        const float rest = actor.simulation().rest_length(strand, i);
        if (!(rest > 0)) continue;
        const float stretch = norm(x.vec3(strand, i + 1) - x.vec3(strand, i)) / rest - 1;
        if (std::abs(stretch) > std::abs(worst)) worst = stretch;
    }
    return worst * 100;
}

float millimetres_to_body(const Actor& actor, Vec3f p) {
    float nearest = 1e6f;
    for (const PlacedCollider& body : actor.simulation().colliders())
        nearest = std::min(nearest, nearest_surface<float>(body, p).distance * 1000);
    return nearest;
}

float force(const Actor& actor, int strand, int vertex) {
    const std::optional<Vec3f> total = actor.live.acceleration(strand, vertex);
    return total ? norm(*total - actor.scene.sim.gravity) : 0;
}

Vec3f colour_of(const Actor& actor, ColourBy what, int strand, int vertex) {
    const ColourScale scale = scale_of(what);
    const float value = debug_value(actor, what, strand, vertex);
    return colour_at(what, (value - scale.low) / (scale.high - scale.low));
}

void colour_actor(const Actor& actor, ColourBy what, int first_strand, const TaskPool& pool,
                  Channel<3>& out) {
    const StrandLayout& simulated = actor.groom.simulated_layout();
    // Copies the state from the GPU once, before the threads of the pool read it.
    if (what != ColourBy::id && actor.groom.strand_count() > 0) colour_of(actor, what, 0, 0);
    pool.for_each(actor.groom.strand_count(), [&](int s) {
        const int leader = actor.groom.leader_of(s), strand = first_strand + s;
        const int count = actor.groom.layout()->vertex_count(s);
        const int among = simulated.vertex_count(leader);
        for (int i = 0; i < count; ++i)
            out.set_vec3(strand, i,
                         what == ColourBy::id
                             ? id_colour(s)
                             : colour_of(actor, what, leader,
                                         count > 1 ? i * (among - 1) / (count - 1) : 0));
    });
}

// Indices of the grid cells that contain vertices.
std::set<std::tuple<int, int, int>> cells_of(const Channel<3>& x, float cell) {
    std::set<std::tuple<int, int, int>> out;
    for (int s = 0; s < x.layout().strand_count(); ++s)
        for (int i = 0; i < x.layout().vertex_count(s); ++i) {
            const Vec3f p = x.vec3(s, i) * (1 / cell);
            if (!is_on_grid(p) || out.size() > kMostCells) continue;
            const GridPosition at = grid_position(p);
            out.emplace(at.x, at.y, at.z);
        }
    return out;
}

// Builds the hair-hair grid for a scene that does not use one.
HairGrid grid_for(const Actor& actor, const TaskPool& pool) {
    const SimState& state = actor.simulation().state();
    HairGrid grid(state.x, actor.scene.sim.hair_hair.cell, pool);
    Channel<1> volume(state.x.layout_ref(), 1), places(state.x.layout_ref());
    grid.scatter(state.x, state.v, volume, 1, places, pool);
    return grid;
}

void add_grid(const Actor& actor, GridView what, const TaskPool& pool, Picture& out) {
    const Channel<3>& x = actor.simulation().state().x;
    if (x.layout().strand_count() == 0) return;
    const HairGrid* own = actor.simulation().hair_grid();
    const std::optional<HairGrid> made =
        own ? std::nullopt : std::optional<HairGrid>(grid_for(actor, pool));
    const HairGrid& grid = own ? *own : *made;
    const float cell = grid.cell();
    struct Seen {
        Vec3f at;
        HairGrid::Node node;
    };
    std::vector<Seen> seen;
    float most = 0;
    for (const auto& [i, j, k] : cells_of(x, cell)) {
        const HairGrid::Node node = grid.node_at(i, j, k);
        if (!(node.mass > 0)) continue;
        const Vec3f at =
            Vec3f{static_cast<float>(i), static_cast<float>(j), static_cast<float>(k)} * cell;
        seen.push_back({apply(actor.to_world, at), node});
        most = std::max(most, node.mass);
    }
    for (const Seen& s : seen) {
        const float share = std::sqrt(s.node.mass / most);  // the root keeps thin hair visible
        if (what == GridView::density) {
            out.marks.push_back({s.at, s.at, colour_at(ColourBy::speed, share),
                                 0.08f + 0.35f * share, 0.8f * cell, 0});
            continue;
        }
        const Vec3f v = rotate(actor.to_world.rotation, s.node.momentum * (1 / s.node.mass));
        const float speed = norm(v);
        const Vec3f reach = v * (2 * cell / (1 + speed));  // at most two cells
        out.marks.push_back({s.at, s.at + reach,
                             colour_at(ColourBy::speed, speed / scale_of(ColourBy::speed).high),
                             0.9f, 0, 1.5f});
        out.marks.push_back({s.at + reach, s.at + reach, {1, 1, 1}, 0.7f, 0, 1.8f});
    }
}

void add_axes(const Actor& actor, Picture& out) {
    const Channel<3>& x = actor.simulation().state().x;
    const int count = x.layout().strand_count();
    const int stride = std::max(1, (count + kMostFrames - 1) / kMostFrames);
    for (int s = 0; s < count; s += stride) {
        const int vertices = x.layout().vertex_count(s);
        Framef frame{};
        float since = 0;  // m
        for (int i = 0; i + 1 < vertices; ++i) {
            const Vec3f a = x.vec3(s, i), way = x.vec3(s, i + 1) - a;
            const Vec3f tangent = unit_or(way, i > 0 ? frame.tangent : Vec3f{0, -1, 0});
            frame = i > 0 ? transport(frame, tangent) : frame_along(tangent);
            since += norm(way);
            if (since < kFrameSpacing && i > 0) continue;
            since = 0;
            const Vec3f from = apply(actor.to_world, a);
            const float length = 0.8f * kFrameSpacing;
            const auto axis = [&](Vec3f direction, Vec3f colour) {
                const Vec3f to = from + rotate(actor.to_world.rotation, direction * length);
                out.marks.push_back({from, to, colour, 1, 0, 1.4f});
            };
            axis(frame.normal, {0.9f, 0.05f, 0.03f});
            axis(frame.binormal, {0.05f, 0.6f, 0.06f});
            axis(frame.tangent, {0.05f, 0.15f, 0.95f});
        }
    }
}

}  // namespace

float debug_value(const Actor& actor, ColourBy what, int strand, int vertex) {
    switch (what) {
        case ColourBy::stretch:
            return stretch_percent(actor, strand, vertex);
        case ColourBy::speed:
            return norm(actor.simulation().state().v.vec3(strand, vertex));
        case ColourBy::contact:
            return millimetres_to_body(actor, actor.simulation().state().x.vec3(strand, vertex));
        case ColourBy::force:
            return force(actor, strand, vertex);
        default:
            return 0;
    }
}

void add_debug_view(const Session::Impl& impl, Picture& picture) {
    const RenderSettings& settings = impl.scene.render;
    if (settings.colour_by != ColourBy::hair) {
        auto colours = std::make_shared<Channel<3>>(impl.layout());
        int first = 0;
        for (const Actor& actor : impl.actors) {
            colour_actor(actor, settings.colour_by, first, impl.pool, *colours);
            first += actor.groom.strand_count();
        }
        picture.own_colours = colours;
        picture.strands.colour = colours.get();
        picture.strands.has_same_appearance = false;
        picture.plain_strands = true;
    }
    for (const Actor& actor : impl.actors) {
        if (settings.grid != GridView::none) add_grid(actor, settings.grid, impl.pool, picture);
        if (settings.strand_axes) add_axes(actor, picture);
    }
}

}  // namespace ringlet
