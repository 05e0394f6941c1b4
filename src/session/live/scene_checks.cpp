#include "session/live/scene_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collide/inside_test.h"
#include "geom/bvh.h"
#include "session/control/ray_cast.h"

namespace ringlet {

namespace {

constexpr int kSampledStrands = 2000;  // per head, at most
constexpr int kMostTips = 64;

int stride_for(int count, int most) { return std::max(1, (count + most - 1) / most); }

// A head with its rest pose in the world at time 0.
struct Placed {
    const Actor& actor;
    const Channel<3>& rest;  // of the simulated strands, in the head's frame
    Rigidf head;             // to the actor's frame

    Placed(const Actor& of, const TaskPool& pool)
        : actor(of),
          rest(of.groom.simulated_rest(pool).position),
          head(pose_at(of.scene.world.head, 0)) {}

    int strand_count() const { return actor.groom.simulated_count(); }
    int stride() const { return stride_for(strand_count(), kSampledStrands); }
    Rigidf to_world() const { return actor.to_world * head; }

    // Calls visit(strand, vertex, position in the head's frame) for the sampled strands, until it
    // returns false.
    template <class Visit>
    void for_each_vertex(const Visit& visit) const {
        for (int s = 0; s < strand_count(); s += stride())
            for (int i = 0; i < rest.layout().vertex_count(s); ++i)
                if (!visit(s, i, rest.vec3(s, i))) return;
    }
};

// Whether a point is in the picture, whatever hides it.
class PictureRegion {
public:
    PictureRegion(const Camera& camera, const Record& record)
        : eye_(camera.eye),
          axes_(axes_of(camera)),
          tall_(std::tan(0.5f * camera.field_of_view_degrees * kPi / 180)),
          wide_(tall_ * static_cast<float>(record.width) / static_cast<float>(record.height)) {}

    bool contains(Vec3f p) const {
        const Vec3f way = p - eye_;
        const float ahead = dot(way, axes_.forward);
        return ahead > 0 && std::abs(dot(way, axes_.right)) <= ahead * wide_ &&
               std::abs(dot(way, axes_.up)) <= ahead * tall_;
    }

private:
    Vec3f eye_;
    CameraAxes axes_;
    float tall_, wide_;
};

// Large triangles may fill the picture without a vertex in it, so rays are cast as well.
bool is_mesh_in_view(const Mesh& mesh, const Rigidf& to_world, const Camera& camera,
                     const PictureRegion& region) {
    for (const Vec3f p : mesh.positions)
        if (region.contains(apply(to_world, p))) return true;
    constexpr int kRays = 5;
    for (int y = 0; y < kRays; ++y)
        for (int x = 0; x < kRays; ++x)
            if (hit_mesh(mesh, to_world,
                         ray_through(camera, static_cast<float>(x) + 0.5f,
                                     static_cast<float>(y) + 0.5f, kRays, kRays)))
                return true;
    return false;
}

bool is_in_view(const Placed& head, const Camera& camera, const PictureRegion& region) {
    bool found = false;
    head.for_each_vertex([&](int, int, Vec3f p) {
        found = region.contains(apply(head.to_world(), p));
        return !found;
    });
    return found ||
           is_mesh_in_view(head.actor.displayed.head_mesh, head.to_world(), camera, region);
}

bool is_inside(const Mesh& mesh, Vec3f p) {
    const Bounds box = bounds_of(mesh);
    if (p.x < box.low.x || p.y < box.low.y || p.z < box.low.z || p.x > box.high.x ||
        p.y > box.high.y || p.z > box.high.z)
        return false;
    // The grid must contain the mesh; the point is its middle sample.
    const float reach = norm(box.high - box.low);
    const Vec3f corner = p - Vec3f{reach, reach, reach};
    return count_inside_rays(mesh, {corner, reach, {3, 3, 3}})[13] >= 4;
}

// Bodies that are not drawn do not hide anything from the camera.
bool is_camera_inside(const Placed& head, Vec3f eye) {
    const Actor& actor = head.actor;
    if (is_inside(actor.displayed.head_mesh, apply(motion_from(head.to_world(), {}), eye)))
        return true;
    if (!actor.scene.show_colliders) return false;
    const Vec3f own = apply(motion_from(actor.to_world, {}), eye);
    return std::ranges::any_of(actor.scene.world.colliders, [&](const Collider& collider) {
        if (collider.shape == ColliderShape::plane) return false;
        return nearest_surface<float>(place(collider, head.head, head.head), own).distance < 0;
    });
}

void check_view(const Scene& scene, const std::vector<Placed>& heads, std::vector<Warning>& out) {
    const Camera& camera = scene.camera;
    const char* const remedy =
        "move camera.eye and camera.target, or leave both out to frame the head";
    if (std::ranges::any_of(heads,
                            [&](const Placed& head) { return is_camera_inside(head, camera.eye); }))
        out.push_back({"the camera is inside a body", "camera.eye", remedy});
    const PictureRegion region(camera, scene.record);
    if (std::ranges::none_of(heads,
                             [&](const Placed& head) { return is_in_view(head, camera, region); }))
        out.push_back({"neither hair nor a head is in view", "camera", remedy});
}

// Grown roots lie on the skin; imported and planted ones may lie anywhere.
void check_roots(const Placed& head, std::vector<Warning>& out) {
    const Scene& scene = head.actor.scene;
    const Mesh& mesh = head.actor.head_mesh->mesh;
    const bool is_grown = !is_imported(scene) && scene.groom.planted.empty();
    if (is_grown || mesh.triangle_count() == 0 || head.strand_count() == 0) return;
    const Bounds box = bounds_of(mesh);
    const float size = norm(box.high - box.low);
    const Bvh skin(mesh);
    int count = 0, off = 0, far = 0;
    float farthest = 0;
    for (int s = 0; s < head.strand_count(); s += head.stride()) {
        const Vec3f root = head.rest.vec3(s, 0);
        const float away = norm(skin.closest(root, 1e15f).point - root);
        ++count;
        off += away > 0.02f * size;
        far += away > 0.3f * size;
        farthest = std::max(farthest, away);
    }
    const std::string place = is_imported(scene) ? scene.groom.import.file : "groom.strand";
    if (2 * far > count)
        out.push_back({fmt::format("the strands are far from the head: {} of {} sampled roots are "
                                   "more than {:.2g} m away, the farthest {:.2g} m",
                                   far, count, 0.3f * size, farthest),
                       place, "give the strands the unit, axes and position of the head"});
    else if (10 * off > count)
        out.push_back({fmt::format("{} of {} sampled roots are off the skin, up to {:.1f} cm", off,
                                   count, farthest * 100),
                       place,
                       is_imported(scene) ? "set groom.file_snap = true"
                                          : "move the roots to the surface of groom.mesh"});
}

// Vertices at the root that follow the head.
int held_vertices(const SimSettings& sim) { return sim.hold_roots ? (sim.clamp_root ? 2 : 1) : 0; }

// Shallow contacts are usual: hair lies on the skin, and a distance grid is accurate to about a
// millimetre.
constexpr float kLeastDepth = 0.003f;  // m

void check_start(const Placed& head, std::vector<Warning>& out) {
    const Scene& scene = head.actor.scene;
    std::vector<PlacedCollider> bodies;
    for (const Collider& collider : whole_colliders(scene.world))
        bodies.push_back(place(collider, head.head, head.head));
    if (bodies.empty()) return;
    const int held = held_vertices(scene.sim);
    int count = 0, inside = 0;
    float deepest = 0;
    head.for_each_vertex([&](int, int i, Vec3f p) {
        if (i < held) return true;
        float depth = 0;
        for (const PlacedCollider& body : bodies)
            depth = std::max(depth, -nearest_surface<float>(body, apply(head.head, p)).distance);
        ++count;
        inside += depth > kLeastDepth;
        deepest = std::max(deepest, depth);
        return true;
    });
    if (20 * inside <= count) return;
    out.push_back({fmt::format("the hair starts inside a body: {} of {} sampled vertices, up to "
                               "{:.1f} cm deep",
                               inside, count, deepest * 100),
                   is_imported(scene) ? scene.groom.import.file : scene.groom.mesh,
                   is_imported(scene) ? "place the groom on the head, or move the colliders"
                                      : "move the colliders, or raise groom.comb.lift"});
}

void check_freedom(const Placed& head, std::vector<Warning>& out) {
    const Scene& scene = head.actor.scene;
    const StrandLayout& layout = head.actor.groom.simulated_layout();
    const int held = held_vertices(scene.sim) + (scene.sim.hold_tips ? 1 : 0);
    for (int s = 0; s < head.strand_count(); ++s)
        if (layout.vertex_count(s) > held) return;
    if (head.strand_count() == 0) return;
    out.push_back({fmt::format("no strand can move: none has more than the {} vertices that are "
                               "held",
                               held),
                   "groom.vertices", fmt::format("raise it to at least {}", held + 1)});
}

bool did_wind_blow(const Wind& wind, double until) {
    if (wind.turbulence > 0.1f) return true;
    for (double time = 0; time <= until; time += 0.05)
        if (norm(wind_at(wind, time)) > 0.1f) return true;
    return false;
}

}  // namespace

std::vector<Warning> check_scene(const Scene& scene, const std::vector<Actor>& actors,
                                 const TaskPool& pool) {
    std::vector<Placed> heads;
    for (const Actor& actor : actors) heads.emplace_back(actor, pool);
    std::vector<Warning> out;
    check_view(scene, heads, out);
    for (const Placed& head : heads) {
        check_roots(head, out);
        check_start(head, out);
        check_freedom(head, out);
    }
    return out;
}

std::vector<Vec3f> sampled_tips(const Channel<3>& positions, const Rigidf& pose) {
    std::vector<Vec3f> out;
    if (positions.empty()) return out;
    const StrandLayout& layout = positions.layout();
    const int count = layout.strand_count();
    for (int s = 0; s < count; s += stride_for(count, kMostTips))
        out.push_back(apply(pose, positions.vec3(s, layout.vertex_count(s) - 1)));
    return out;
}

std::vector<Warning> check_motion(const Actor& actor, int frames) {
    constexpr int kFewFrames = 10;
    constexpr float kStill = 1e-6f;  // m
    const Simulation& simulation = actor.simulation();
    if (frames < kFewFrames || actor.start_tips.empty() ||
        !did_wind_blow(actor.scene.world.wind, simulation.time()))
        return {};
    const std::vector<Vec3f> now = sampled_tips(simulation.state().x, {});
    for (std::size_t k = 0; k < now.size(); ++k)
        if (!(norm(now[k] - actor.start_tips[k]) < kStill)) return {};
    return {{fmt::format("no strand moved in {} frames although the wind blows", frames), "sim",
             "raise sim.damping, which couples the hair to the wind, or lower the stiffness"}};
}

}  // namespace ringlet
