// What the simulation knows, as numbers, as colours and as marks in the picture.
#include "session/debug_view.h"

#include "picture_fixture.h"

namespace ringlet {
namespace {

Session opened(std::vector<std::string> overrides) {
    Result<Session> session = Session::open("pendulum", {std::move(overrides)});
    EXPECT_TRUE(session) << session.error().text();
    session->impl().advance_to(0);
    return std::move(*session);
}

Actor& only_actor(Session& session) { return session.impl().actors.front(); }

TEST(debug_value, tells_stretch_and_speed) {
    Session session = opened({});
    Actor& actor = only_actor(session);
    EXPECT_NEAR(debug_value(actor, ColourBy::stretch, 0, 5), 0, 1e-3f);
    SimState& state = actor.simulation().state();
    const Vec3f a = state.x.vec3(0, 5), b = state.x.vec3(0, 6);
    state.x.set_vec3(0, 6, a + (b - a) * 1.02f);
    EXPECT_NEAR(debug_value(actor, ColourBy::stretch, 0, 5), 2, 1e-2f);
    EXPECT_NEAR(debug_value(actor, ColourBy::stretch, 0, 7), 0, 2.1f);
    state.v.set_vec3(0, 9, {0, 3, 4});
    EXPECT_NEAR(debug_value(actor, ColourBy::speed, 0, 9), 5, 1e-5f);
}

TEST(debug_value, tells_how_far_bodies_are) {
    Session session = opened({});
    Scene scene = session.impl().scene;
    Collider& ball = scene.world.colliders.emplace_back();
    ball.radius = 0.05f;
    ball.attached = false;
    const Vec3f tip = only_actor(session).simulation().state().x.vec3(0, 31);
    ball.centre = tip + Vec3f{0, 0, 0.07f};
    ASSERT_TRUE(session.impl().change_scene(scene));
    EXPECT_NEAR(debug_value(only_actor(session), ColourBy::contact, 0, 31), 20, 0.05f);
}

// A strand that hangs is held against gravity by its model, one that falls freely is not.
TEST(debug_value, tells_what_the_model_does_beyond_gravity) {
    Session hanging = opened({"groom.strand.0.direction=[0,-1,0]"});
    Session falling = opened({"sim.hold_roots=false"});
    for (Session* session : {&hanging, &falling})
        for (int step = 1; step <= 5; ++step)
            session->impl().advance_to(session->time() + 1.0 / 60);
    EXPECT_NEAR(debug_value(only_actor(hanging), ColourBy::force, 0, 10), 9.81f, 0.2f);
    EXPECT_NEAR(debug_value(only_actor(falling), ColourBy::force, 0, 10), 0, 0.2f);
}

TEST(debug_value, colours_run_along_the_scale) {
    EXPECT_GT(colour_at(ColourBy::stretch, 0).z, colour_at(ColourBy::stretch, 0).x);
    EXPECT_GT(colour_at(ColourBy::stretch, 1).x, colour_at(ColourBy::stretch, 1).z);
    EXPECT_EQ(norm(colour_at(ColourBy::speed, 7) - colour_at(ColourBy::speed, 1)), 0);
}

class debug_picture : public PictureTest {
protected:
    static int count(const Image& image, bool (*is_wanted)(const std::uint8_t*)) {
        int out = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x) out += is_wanted(image.pixel(x, y));
        return out;
    }
    static bool is_red(const std::uint8_t* p) { return p[0] > 120 && p[1] < 90 && p[2] < 90; }
    static bool is_blue(const std::uint8_t* p) { return p[2] > p[0] + 40 && p[2] > p[1] + 10; }
};

TEST_F(debug_picture, marks_are_as_wide_as_they_say_and_hidden_by_bodies) {
    Picture picture;
    picture.camera = measuring_camera(100, 100);
    picture.settings.ground = false;
    picture.settings.background = {0.2f, 0.2f, 0.2f};
    picture.marks = {{{-0.3f, 0, 0}, {0.3f, 0, 0}, {1, 0, 0}, 1, 0, 4}};
    EXPECT_NEAR(count(draw(picture, 100, 100), is_red), 60 * 4, 12);
    picture.marks = {{{0.1f, 0.1f, 0}, {0.1f, 0.1f, 0}, {1, 0, 0}, 1, 0.2f, 0}};
    EXPECT_NEAR(count(draw(picture, 100, 100), is_red), 20 * 20, 45);
    const Mesh shield = ball(0.3f, {0.1f, 0.6f, 0.1f});
    picture.meshes = {{&shield, {}}};
    EXPECT_EQ(count(draw(picture, 100, 100), is_red), 0);
}

TEST_F(debug_picture, strands_show_what_they_are_asked_for) {
    Session session = opened({"render.background=[0.5,0.5,0.5]", "render.ground=false",
                              "render.hair_width=900", "render.colour_by=speed"});
    const auto blue = [&] { return count(draw(picture_of(session), 160, 120), is_blue); };
    SimState& state = only_actor(session).simulation().state();
    const int slow = blue();
    EXPECT_GT(slow, 50);
    for (int i = 0; i < 32; ++i) state.v.set_vec3(0, i, {0, 0, 9});
    EXPECT_LT(blue(), slow / 10);
    EXPECT_GT(count(draw(picture_of(session), 160, 120), is_red), 50);
}

TEST_F(debug_picture, grid_and_axes_are_drawn) {
    Session session = opened({"render.ground=false"});
    const Image plain = draw(picture_of(session), 160, 120);
    for (const char* look : {"render.grid=density", "render.grid=velocity", "render.strand_axes=true"}) {
        Session other = opened({"render.ground=false", look});
        for (int i = 0; i < 32; ++i)
            only_actor(other).simulation().state().v.set_vec3(0, i, {0, 3, 0});
        const Picture picture = picture_of(other);
        EXPECT_GT(picture.marks.size(), 10u) << look;
        EXPECT_GT(largest_difference(plain, draw(picture, 160, 120)), 25) << look;
    }
}

}  // namespace
}  // namespace ringlet
