// HairSim computes the bits of a session from the session's strands, settings and colliders.
#include <gtest/gtest.h>

#include "collide/mesh_body.h"
#include "ringlet/sim.h"
#include "session/live/session_impl.h"

namespace ringlet {
namespace {

// A collider of a scene as a program would describe it.
SimCollider to_sim_collider(const Collider& from) {
    SimCollider out;
    EXPECT_EQ(from.shape, ColliderShape::mesh);
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

TEST(hair_sim, has_the_hash_of_a_session_with_the_same_strands) {
    for (const std::string model : {"pbd", "rod"}) {
        Result<Session> session = Session::open(
            "curls",
            {.overrides = {"groom.strands=150", "sim.model=\"" + model + "\"", "record.settle=0",
                           "hair_hair.friction=3", "wind.turbulence=0.4", "head.neck=rigid"}});
        ASSERT_TRUE(session) << session.error().text();
        Actor& actor = session->impl().actors.front();
        const StrandSet& rest = actor.groom.simulated_rest(session->impl().pool);
        std::vector<int> counts;
        for (int s = 0; s < rest.strand_count(); ++s)
            counts.push_back(rest.layout->vertex_count(s));
        const std::vector<Vec3f> vertices = unpack(rest.position);
        std::vector<SimCollider> colliders;
        for (const Collider& collider : actor.scene.world.colliders)
            colliders.push_back(to_sim_collider(collider));
        Result<HairSim> hair = HairSim::create(
            {{&vertices.front().x, 3 * vertices.size()}, counts}, actor.scene.sim, colliders,
            {.wind = actor.scene.world.wind, .seed = actor.scene.groom.seed});
        ASSERT_TRUE(hair) << hair.error().text();
        // The head of the scene starts to turn at 0.4 s.
        for (int frame = 0; frame < 20; ++frame) {
            session->step();
            ASSERT_TRUE(hair->step(1.0 / 60));
        }
        EXPECT_EQ(*hair->hash(), session->hash()) << model;
        EXPECT_GT(session->report().max_stretch, 0);
    }
}

}  // namespace
}  // namespace ringlet
