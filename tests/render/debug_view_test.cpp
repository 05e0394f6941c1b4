// Debug views: quantities of the simulation as numbers, as colours of strands and as marks.
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

TEST(debug_value, is_stretch_or_speed) {
    Session session = opened({});
    Actor& actor = only_actor(session);
    EXPECT_NEAR(debug_value(actor, ColourBy::stretch, 0, 5), 0, 1e-3f);
    SimState& state = actor.simulation().state();
    const Vec3f a = state.x.vec3(0, 5), b = state.x.vec3(0, 6);
    state.x.set_vec3(0, 6, a + (b - a) * 1.02f);
    // The strand is straight, so this stretches segment 5 and compresses segment 6 by 2 %.
    EXPECT_NEAR(debug_value(actor, ColourBy::stretch, 0, 5), 2, 1e-2f);
    EXPECT_NEAR(debug_value(actor, ColourBy::stretch, 0, 7), -2, 1e-2f);
    for (const int vertex : {4, 8})
        EXPECT_NEAR(debug_value(actor, ColourBy::stretch, 0, vertex), 0, 1e-3f) << vertex;
    state.v.set_vec3(0, 9, {0, 3, 4});
    EXPECT_NEAR(debug_value(actor, ColourBy::speed, 0, 9), 5, 1e-5f);
}

TEST(debug_value, is_the_distance_to_a_collider) {
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

// The model supports a hanging strand against gravity, but not one that falls freely.
TEST(debug_value, is_the_acceleration_beyond_gravity) {
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

TEST_F(debug_picture, marks_have_their_width_and_are_hidden_by_meshes) {
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

TEST_F(debug_picture, strands_show_the_selected_quantity) {
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

constexpr Vec3f kVelocity{0, 3, 0};  // m/s, of every vertex

// The pendulum with one debug view, in which every vertex has the same velocity.
Session with_view(const std::string& view) {
    Session session = opened({"render.ground=false", view});
    SimState& state = only_actor(session).simulation().state();
    for (int i = 0; i < state.v.layout().vertex_count(0); ++i) state.v.set_vec3(0, i, kVelocity);
    return session;
}

float largest_component(Vec3f a) { return std::max({std::abs(a.x), std::abs(a.y), std::abs(a.z)}); }

bool equal(Vec3f a, Vec3f b, float tolerance) { return largest_component(a - b) <= tolerance; }

// Expects marks at nodes of the grid next to vertices, and a mark next to every vertex.
void expect_on_grid(const std::vector<Vec3f>& nodes, Session& session) {
    const Actor& actor = only_actor(session);
    const float cell = actor.scene.sim.hair_hair.cell;
    const std::vector<Vec3f> vertices = unpack(actor.simulation().state().x);
    const auto is_near = [&](Vec3f a, const std::vector<Vec3f>& others) {
        return std::any_of(others.begin(), others.end(),
                           [&](Vec3f b) { return equal(a, b, 1.001f * cell); });
    };
    ASSERT_FALSE(nodes.empty());
    for (const Vec3f node : nodes) {
        const Vec3f in_cells = node * (1 / cell);
        EXPECT_NEAR(in_cells.x, std::round(in_cells.x), 1e-3f);
        EXPECT_NEAR(in_cells.y, std::round(in_cells.y), 1e-3f);
        EXPECT_NEAR(in_cells.z, std::round(in_cells.z), 1e-3f);
        EXPECT_TRUE(is_near(node, vertices)) << "no vertex near a node";
    }
    for (const Vec3f vertex : vertices)
        EXPECT_TRUE(is_near(vertex, nodes)) << "no node near a vertex";
}

TEST(debug_marks, of_the_density_are_squares_coloured_by_mass) {
    Session session = with_view("render.grid=density");
    const float cell = only_actor(session).scene.sim.hair_hair.cell;
    std::vector<Vec3f> nodes;
    float warmest = 0;
    for (const Mark& mark : picture_of(session).marks) {
        nodes.push_back(mark.a);
        EXPECT_TRUE(equal(mark.a, mark.b, 0)) << "a line";
        EXPECT_NEAR(mark.width, 0.8f * cell, 1e-6f);
        EXPECT_GT(mark.opacity, 0.08f);
        warmest = std::max(warmest, mark.colour.x);
    }
    expect_on_grid(nodes, session);
    EXPECT_NEAR(warmest, colour_at(ColourBy::speed, 1).x, 1e-3f) << "the densest node is not red";
}

TEST(debug_marks, of_the_velocity_are_lines_along_it) {
    Session session = with_view("render.grid=velocity");
    const float cell = only_actor(session).scene.sim.hair_hair.cell;
    const std::vector<Mark> marks = picture_of(session).marks;
    ASSERT_EQ(marks.size() % 2, 0u) << "a line and its end for each node";
    // 3 m/s are shown as 2 * 3 / (1 + 3) cells.
    const Vec3f reach{0, 1.5f * cell, 0};
    std::vector<Vec3f> nodes;
    for (std::size_t i = 0; i < marks.size(); i += 2) {
        const Mark &line = marks[i], &end = marks[i + 1];
        nodes.push_back(line.a);
        EXPECT_TRUE(equal(line.b - line.a, reach, 1e-3f * cell));
        EXPECT_TRUE(equal(line.colour, colour_at(ColourBy::speed, 1), 0)) << "off the scale";
        EXPECT_TRUE(equal(end.a, line.b, 0) && equal(end.b, line.b, 0));
    }
    expect_on_grid(nodes, session);
}

TEST(debug_marks, of_axes_are_orthogonal_with_blue_along_the_strand) {
    Session session = with_view("render.strand_axes=true");
    const Channel<3>& x = only_actor(session).simulation().state().x;
    const std::vector<Mark> marks = picture_of(session).marks;
    // A frame at every second vertex: at least a centimetre apart, and segments are 9.7 mm long.
    ASSERT_EQ(marks.size(), 3u * 16);
    EXPECT_TRUE(equal(marks[0].a, x.vec3(0, 0), 0)) << "the first frame is not at the root";
    for (std::size_t i = 0; i < marks.size(); i += 3) {
        Vec3f axis[3];
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_TRUE(equal(marks[i + k].a, marks[i].a, 0));
            axis[k] = (marks[i + k].b - marks[i + k].a) * (1 / 0.008f);
            EXPECT_NEAR(norm(axis[k]), 1, 1e-3f);
            const Vec3f c = marks[i + k].colour;
            const float channels[] = {c.x, c.y, c.z};
            EXPECT_EQ(std::max_element(channels, channels + 3) - channels, std::ptrdiff_t(k));
        }
        EXPECT_NEAR(dot(axis[0], axis[1]), 0, 1e-3f);
        EXPECT_NEAR(dot(axis[0], axis[2]), 0, 1e-3f);
        EXPECT_TRUE(equal(axis[2], {1, 0, 0}, 1e-3f)) << "the pendulum starts along +x";
    }
}

TEST_F(debug_picture, grid_and_axes_reach_the_image) {
    for (const char* view :
         {"render.grid=density", "render.grid=velocity", "render.strand_axes=true"}) {
        Session session = with_view(view);
        Picture picture = picture_of(session);
        const Image shown = draw(picture, 160, 120);
        picture.marks.clear();
        const Image plain = draw(picture, 160, 120);
        int changed = 0;
        for (std::size_t i = 0; i < shown.rgba.size(); i += 4)
            changed += std::abs(shown.rgba[i] - plain.rgba[i]) > 8 ||
                       std::abs(shown.rgba[i + 2] - plain.rgba[i + 2]) > 8;
        EXPECT_GT(changed, 25) << view;
        EXPECT_LT(changed, 160 * 120 / 10) << view;
    }
}

}  // namespace
}  // namespace ringlet
