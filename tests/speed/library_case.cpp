// Simulates the same strands through a session and through HairSim, on one thread, for
// compare_library.py:
//   library_case session|library
// Prints the hash of the state.
#include <cstdio>
#include <string_view>

#include "collide/mesh_body.h"
#include "ringlet/sim.h"
#include "session/live/session_impl.h"

namespace ringlet {
namespace {

constexpr int kFrames = 12;

int fail(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 1;
}

// The mesh collider of a scene as a program would describe it.
SimCollider to_sim_collider(const Collider& from) {
    SimCollider out;
    out.shape = SimShape::mesh;
    out.motion = from.attached ? SimMotion::with_head : SimMotion::fixed;
    out.friction = from.friction;
    out.static_friction = from.static_friction;
    out.restitution = from.restitution;
    const Mesh& surface = from.body->surface();
    out.mesh_positions = {&surface.positions.front().x, 3 * surface.positions.size()};
    out.mesh_triangles = surface.indices;
    out.thickness = from.mesh.thickness;
    out.cell = from.mesh.cell;
    return out;
}

int run_library(Session& session) {
    Actor& actor = session.impl().actors.front();
    const StrandSet& rest = actor.groom.simulated_rest(session.impl().pool);
    std::vector<int> counts;
    for (int s = 0; s < rest.strand_count(); ++s) counts.push_back(rest.layout->vertex_count(s));
    const std::vector<Vec3f> vertices = unpack(rest.position);
    std::vector<SimCollider> colliders;
    for (const Collider& collider : actor.scene.world.colliders)
        colliders.push_back(to_sim_collider(collider));
    Result<HairSim> hair = HairSim::create(
        {{&vertices.front().x, 3 * vertices.size()}, counts}, actor.scene.sim, colliders,
        {.wind = actor.scene.world.wind, .seed = actor.scene.groom.seed, .threads = 1});
    if (!hair) return fail(hair.error());
    for (int frame = 0; frame < kFrames; ++frame)
        if (const auto done = hair->step(1.0 / 60); !done) return fail(done.error());
    std::printf("%s\n", hair->hash()->c_str());
    return 0;
}

int run(std::string_view which) {
    // The head of this scene stands still for the first 0.4 s.
    Result<Session> session =
        Session::open("curls", {.overrides = {"groom.strands=1000", "record.settle=0",
                                              "head.neck=rigid", "groom.grow_patches=false"},
                                .threads = 1});
    if (!session) return fail(session.error());
    if (which == "library") return run_library(*session);
    for (int frame = 0; frame < kFrames; ++frame) session->step();
    std::printf("%s\n", session->hash().c_str());
    return 0;
}

}  // namespace
}  // namespace ringlet

int main(int, char** arguments) { return ringlet::run(arguments[1]); }
