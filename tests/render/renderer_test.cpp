// Properties of every image: meshes and strands are where they should be, hidden by what is in
// front of them, and the same every time.
#include <epoxy/gl.h>

#include <algorithm>
#include <limits>

#include "collide/collider.h"
#include "picture_fixture.h"
#include "render_gl/gl_objects.h"
#include "test_level.h"

namespace ringlet {
namespace {

constexpr int kWidth = 161, kHeight = 121;
constexpr float kScale = 400;  // pixels per metre at z = 0

class renderer : public PictureTest {};

Picture measuring_picture() {
    Picture picture;
    picture.camera = measuring_camera(kHeight, kScale);
    picture.settings.ground = false;
    return picture;
}

// The pixel of a point in the plane z = 0.
int pixel_x(float x) { return static_cast<int>(std::floor(x * kScale + kWidth / 2.0f)); }
int pixel_y(float y) { return static_cast<int>(std::floor(kHeight / 2.0f - y * kScale)); }

bool is_red(const Image& image, float x, float y) {
    const std::uint8_t* p = image.pixel(pixel_x(x), pixel_y(y));
    return p[0] > 2 * p[1] && p[0] > 2 * p[2];
}

Rigidf moved(float x, float z) {
    Rigidf transform;
    transform.translation = {x, 0, z};
    return transform;
}

TEST_F(renderer, draws_a_mesh_where_it_is_and_nowhere_else) {
    const Mesh mesh = ball(0.08f, {0.9f, 0.02f, 0.02f});
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    const Image image = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(is_red(image, 0, 0));
    // Perspective makes the ball's outline 0.3 pixels larger than its radius.
    EXPECT_TRUE(is_red(image, 0.077f, 0));
    EXPECT_TRUE(is_red(image, 0, -0.077f));
    EXPECT_FALSE(is_red(image, 0.085f, 0));
    EXPECT_FALSE(is_red(image, 0, 0.085f));
    EXPECT_FALSE(is_red(image, -0.19f, 0.14f));
}

TEST_F(renderer, moves_a_mesh_by_its_transform) {
    Mesh mesh = ball(0.03f, {0.9f, 0.02f, 0.02f});
    for (Vec3f& p : mesh.positions) p.x += 0.1f;
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    EXPECT_TRUE(is_red(draw(picture, kWidth, kHeight), 0.1f, 0));
    // Rotates +x to +y about z, then moves 4 cm down.
    picture.meshes[0].transform = {quat_from_axis_angle(Vec3f{0, 0, 1}, kPi / 2), {0, -0.04f, 0}};
    const Image image = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(is_red(image, 0, 0.06f));
    EXPECT_FALSE(is_red(image, 0.1f, 0));
}

TEST_F(renderer, draws_every_mesh_at_its_position_in_its_colour) {
    const Mesh red = ball(0.05f, {0.9f, 0.02f, 0.02f}), green = ball(0.05f, {0.02f, 0.9f, 0.02f});
    Picture picture = measuring_picture();
    picture.meshes = {{&red, moved(-0.1f, 0)}, {nullptr}, {&green, moved(0.1f, 0)}};
    const auto green_at = [](const Image& image, float x) {
        const std::uint8_t* p = image.pixel(pixel_x(x), pixel_y(0));
        return p[1] > 2 * p[0] && p[1] > 2 * p[2];
    };
    const Image both = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(is_red(both, -0.1f, 0));
    EXPECT_TRUE(green_at(both, 0.1f));
    std::swap(picture.meshes[0].mesh, picture.meshes[2].mesh);
    const Image swapped = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(green_at(swapped, -0.1f));
    EXPECT_TRUE(is_red(swapped, 0.1f, 0));
    picture.meshes.pop_back();
    const Image one = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(green_at(one, -0.1f));
    EXPECT_FALSE(is_red(one, 0.1f, 0)) << "a removed mesh is still drawn";
}

TEST_F(renderer, lets_distant_meshes_shadow_each_other) {
    const Mesh mesh = ball(0.05f, {0.6f, 0.6f, 0.6f});
    Picture picture = measuring_picture();
    picture.light.direction = {-1, 0, 0.15f};
    // The middle ball is lit until a distant third one blocks the light.
    picture.meshes = {{&mesh}, {&mesh, moved(0.14f, 0)}};
    const auto brightness = [&] {
        return static_cast<int>(
            draw(picture, kWidth, kHeight).pixel(pixel_x(-0.025f), pixel_y(0))[1]);
    };
    const int lit = brightness();
    picture.meshes.push_back({&mesh, moved(-0.9f, 0.135f)});
    EXPECT_LT(brightness(), lit - 25);
}

TEST_F(renderer, draws_spheres_capsules_and_planes) {
    Picture picture = measuring_picture();
    const Vec3f red{0.9f, 0.02f, 0.02f};
    const auto shape = [&](const Collider& collider, float radius) {
        DrawnShape out = drawn_shape(place(collider, {}, {}), {});
        out.radius = radius;
        out.colour = red;
        return out;
    };
    picture.shapes = {
        shape({.centre = {-0.12f, 0, 0}}, 0.03f),
        shape({.shape = ColliderShape::capsule,
               .centre = {0.12f, -0.06f, 0},
               .end = {0.12f, 0.06f, 0}},
              0.02f),
        shape({.shape = ColliderShape::plane, .centre = {0, -0.1f, 0}, .normal = {0, 0, 3}},
              0.03f)};
    const Image image = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(is_red(image, -0.12f, 0.025f));
    EXPECT_FALSE(is_red(image, -0.12f, 0.04f));
    EXPECT_TRUE(is_red(image, 0.12f, 0.075f));
    EXPECT_FALSE(is_red(image, 0.12f, 0.09f));
    EXPECT_TRUE(is_red(image, 0.025f, -0.12f));
    EXPECT_FALSE(is_red(image, 0.04f, -0.1f));
}

TEST_F(renderer, gives_each_triangle_its_material) {
    Mesh mesh = ball(0.1f, {0.9f, 0.02f, 0.02f});
    mesh.materials.push_back({"green", {0.02f, 0.9f, 0.02f}});
    for (int t = 0; t < mesh.triangle_count(); ++t)
        if (mesh.corner(t, 0).x + mesh.corner(t, 1).x + mesh.corner(t, 2).x > 0)
            mesh.triangle_material[static_cast<std::size_t>(t)] = 1;
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    const Image image = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(is_red(image, -0.05f, 0));
    const std::uint8_t* p = image.pixel(pixel_x(0.05f), pixel_y(0));
    EXPECT_GT(p[1], 2 * p[0]);
}

TEST_F(renderer, uploads_a_mesh_again_when_its_contents_change) {
    Mesh mesh = ball(0.08f, {0.9f, 0.02f, 0.02f});
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    EXPECT_TRUE(is_red(draw(picture, kWidth, kHeight), 0, 0));
    mesh.materials[0].colour = {0.02f, 0.02f, 0.9f};
    EXPECT_FALSE(is_red(draw(picture, kWidth, kHeight), 0, 0));
    mesh.materials[0].colour = {0.9f, 0.02f, 0.02f};
    for (Vec3f& p : mesh.positions) p = p * 0.5f;
    const Image image = draw(picture, kWidth, kHeight);
    EXPECT_TRUE(is_red(image, 0, 0));
    EXPECT_FALSE(is_red(image, 0.06f, 0));
    renderer_->forget_meshes();
    EXPECT_TRUE(is_red(draw(picture, kWidth, kHeight), 0, 0));
}

TEST_F(renderer, hides_strands_behind_a_mesh_and_shows_those_in_front) {
    const Mesh mesh = ball(0.05f, {1, 1, 1});
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    picture.settings.flat = true;
    for (const float z : {-0.1f, 0.1f}) {
        const StrandSet strands =
            strand_set({{{{-0.15f, 0, z}, {-0.05f, 0, z}, {0.05f, 0, z}, {0.15f, 0, z}}, 0.004f}});
        picture.strands = view_of(strands);
        const Image image = draw(picture, kWidth, kHeight);
        EXPECT_EQ(image.pixel(pixel_x(0), pixel_y(0))[0], z > 0 ? 255 : 0);
        EXPECT_EQ(image.pixel(pixel_x(0.1f), pixel_y(0))[0], 255);
    }
}

std::vector<TestStrand> tangle(int count, float radius) {
    std::vector<TestStrand> strands;
    for (int s = 0; s < count; ++s) {
        const auto number = [s](std::uint32_t channel) {
            return counter_uniform(3, static_cast<std::uint32_t>(s), channel) * 2 - 1;
        };
        const Vec3f a{number(0) * 0.15f, number(1) * 0.12f, number(2) * 0.1f};
        const Vec3f d{number(3) * 0.1f, number(4) * 0.1f, number(5) * 0.1f};
        TestStrand strand{{}, radius, {0.5f + number(6) / 2, 0.5f + number(7) / 2, 0.5f}};
        for (int i = 0; i < 6; ++i) {
            const float t = static_cast<float>(i) / 5;
            strand.vertices.push_back(a + d * t + Vec3f{0, t * t * 0.05f, 0});
        }
        strands.push_back(strand);
    }
    return strands;
}

TEST_F(renderer, blends_nearer_strands_over_farther_ones) {
    const TestStrand near{{{-0.1f, 0, 0.05f}, {0.1f, 0, 0.05f}}, 0.01f, {1, 0, 0}};
    const TestStrand far{{{0, -0.1f, -0.05f}, {0, 0.1f, -0.05f}}, 0.01f, {0, 1, 0}};
    Picture picture = measuring_picture();
    picture.settings.flat = true;
    for (const auto& order : {std::vector{near, far}, std::vector{far, near}}) {
        const StrandSet strands = strand_set(order);
        picture.strands = view_of(strands);
        const Image image = draw(picture, kWidth, kHeight);
        const std::uint8_t* p = image.pixel(pixel_x(0), pixel_y(0));
        EXPECT_EQ(p[0], 255);
        EXPECT_EQ(p[1], 0);
    }
}

TEST_F(renderer, does_not_depend_on_the_order_of_strands) {
    std::vector<TestStrand> strands = tangle(60, 0.003f);
    const StrandSet forward = strand_set(strands);
    std::reverse(strands.begin(), strands.end());
    const StrandSet backward = strand_set(strands);
    Picture picture = measuring_picture();
    picture.settings.flat = true;
    picture.strands = view_of(forward);
    const Image a = draw(picture, kWidth, kHeight);
    picture.strands = view_of(backward);
    const Image b = draw(picture, kWidth, kHeight);
    EXPECT_LE(largest_difference(a, b), 1);
    EXPECT_GT(*std::max_element(a.rgba.begin(), a.rgba.end() - 4), 100);
}

TEST_F(renderer, gives_the_same_bytes_for_the_same_picture) {
    RINGLET_TEST_FROM(full);
    const Mesh mesh = ball(0.06f, {0.8f, 0.6f, 0.5f});
    const StrandSet strands = strand_set(tangle(200, 0.0004f));
    Picture picture = measuring_picture();
    picture.settings.ground = true;
    picture.settings.ground_height = -0.1f;
    picture.meshes = {{&mesh}};
    picture.strands = view_of(strands);
    const Image first = draw(picture, kWidth, kHeight);
    // Neither another image in between nor another renderer may change the result.
    draw(measuring_picture(), 64, 48);
    EXPECT_EQ(draw(picture, kWidth, kHeight).rgba, first.rgba);
    auto other = RendererGl::create();
    ASSERT_TRUE(other) << other.error().text();
    auto again = other->draw_to_image(picture, kWidth, kHeight);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->rgba, first.rgba);
}

// Only the pixels of meshes are cleared, so the samples around them are those of earlier frames.
TEST_F(renderer, shows_nothing_of_earlier_frames) {
    const Mesh mesh = ball(0.03f, {0.8f, 0.6f, 0.5f}), large = ball(0.3f, {0.1f, 0.9f, 0.2f});
    const auto picture_at = [&](const Mesh& shown, Vec3f at) {
        Picture picture = measuring_picture();
        picture.meshes = {{&shown, {Quatf{0, 0, 0, 1}, at}}};
        return picture;
    };
    for (const Vec3f at : {Vec3f{0, 0, 0}, Vec3f{-0.12f, 0.06f, 0}, Vec3f{0.5f, 0, 0},
                           Vec3f{0, 0, 10}, Vec3f{0, 0, measuring_picture().camera.eye.z}}) {
        const Picture picture = picture_at(mesh, at);
        auto fresh = RendererGl::create();
        ASSERT_TRUE(fresh) << fresh.error().text();
        const auto expected = fresh->draw_to_image(picture, kWidth, kHeight);
        ASSERT_TRUE(expected);
        draw(picture_at(large, {0, 0, 0}), kWidth, kHeight);
        EXPECT_EQ(draw(picture, kWidth, kHeight).rgba, expected->rgba) << at.x << ' ' << at.z;
    }
}

TEST_F(renderer, lets_strands_shadow_a_mesh) {
    const Mesh mesh = ball(0.08f, {0.6f, 0.6f, 0.6f});
    // A curtain of strands between the ball and a light from the left, outside the image.
    std::vector<TestStrand> curtain;
    for (int i = 0; i < 400; ++i) {
        const float z = -0.1f + 0.2f * static_cast<float>(i) / 399;
        curtain.push_back({{{-0.16f, -0.1f, z}, {-0.16f, 0, z}, {-0.16f, 0.1f, z}}, 0.0003f});
    }
    const StrandSet strands = strand_set(curtain);
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    picture.light.direction = {-1, 0, 0.2f};
    const auto brightness = [&] {
        return static_cast<int>(
            draw(picture, kWidth, kHeight).pixel(pixel_x(-0.04f), pixel_y(0))[1]);
    };
    const int bare = brightness();
    picture.strands = view_of(strands);
    const int shaded = brightness();
    EXPECT_LT(shaded, bare - 25);
    picture.settings.shadows = false;
    EXPECT_GT(brightness(), shaded + 25);
}

TEST_F(renderer, survives_degenerate_strands) {
    RINGLET_TEST_FROM(full);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    const Vec3f p{0.02f, 0.03f, 0};
    const std::vector<std::vector<TestStrand>> cases = {
        {},
        {{{p}, 0.001f}},
        {{{p, p, p}, 0.001f}},
        {{{{nan, 0, 0}, {0.1f, 0, 0}}, 0.001f}},
        {{{p, {0, nan, 0}, {0, inf, 0}, {1e30f, 0, 0}}, 0.001f}},
        {{{p, {0.1f, 0, 0}}, nan}, {{p, {0, 0.1f, 0}}, -1}, {{p, {0, 0, 0.1f}}, inf}},
        {{{p, {0.1f, 0.1f, 0}}, 0.001f, {nan, -1, inf}}},
        {{{p, {0, 0, 1e3f}}, 0.001f}, {{{0, 0, -50}, {0, 0, 50}}, 0.001f}},
    };
    for (const auto& strands : cases) {
        const StrandSet set = strand_set(strands);
        Picture picture = measuring_picture();
        picture.strands = view_of(set);
        const Image image = draw(picture, kWidth, kHeight);
        // NaN pixels would be black; the backdrop is not.
        for (const int x : {0, kWidth / 4, kWidth - 1})
            for (const int y : {0, kHeight / 4, kHeight - 1})
                EXPECT_GT(image.pixel(x, y)[2], 40) << "case " << &strands - cases.data();
        for (std::size_t i = 3; i < image.rgba.size(); i += 4) ASSERT_EQ(image.rgba[i], 255);
    }
}

TEST_F(renderer, ignores_a_strand_of_one_vertex) {
    std::vector<TestStrand> strands = tangle(20, 0.001f);
    const StrandSet without = strand_set(strands);
    strands.push_back({{{0, 0, 0}}, 0.02f});
    const StrandSet with = strand_set(strands);
    Picture picture = measuring_picture();
    picture.settings.flat = true;
    picture.strands = view_of(without);
    const Image a = draw(picture, kWidth, kHeight);
    picture.strands = view_of(with);
    EXPECT_EQ(draw(picture, kWidth, kHeight).rgba, a.rgba);
}

TEST_F(renderer, draws_any_size_and_fails_on_impossible_ones) {
    const Mesh mesh = ball(0.06f, {0.8f, 0.6f, 0.5f});
    const StrandSet strands = strand_set(tangle(20, 0.001f));
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    picture.strands = view_of(strands);
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 7}, {641, 1}, {1, 479}, {33, 17}}) {
        const Image image = draw(picture, width, height);
        EXPECT_EQ(image.width, width);
        EXPECT_EQ(image.height, height);
        ASSERT_EQ(image.rgba.size(), static_cast<std::size_t>(width * height * 4));
        EXPECT_GT(image.pixel(width / 2, height / 2)[0], 20);
        EXPECT_EQ(image.pixel(width - 1, height - 1)[3], 255);
    }
    for (const auto& [width, height] : {std::pair{0, 10}, {10, -1}, {2'000'000'000, 10}})
        EXPECT_FALSE(renderer_->draw_to_image(picture, width, height));
}

TEST_F(renderer, survives_any_camera_and_light) {
    const Mesh mesh = ball(0.06f, {0.8f, 0.6f, 0.5f});
    const StrandSet strands = strand_set(tangle(20, 0.001f));
    Picture picture;
    picture.meshes = {{&mesh}};
    picture.strands = view_of(strands);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Camera cameras[] = {{{0, 0, 0}, {0, 0, 0}, 27},
                              {{0, 2, 0}, {0, 0, 0}, 0},
                              {{0, 0, 0.05f}, {0, 0, 0}, 400},
                              {{nan, 0, 1}, {0, 0, 0}, nan}};
    for (const Camera& camera : cameras)
        for (const Vec3f direction : {Vec3f{0, 0, 0}, {0, 1, 0}, {0, -5, 0}, {nan, 0, 0}}) {
            picture.camera = camera;
            picture.light.direction = direction;
            const Image image = draw(picture, 40, 30);
            EXPECT_EQ(image.pixel(20, 15)[3], 255);
        }
}

TEST_F(renderer, measures_the_time_of_every_pass) {
    const Mesh mesh = ball(0.06f, {0.8f, 0.6f, 0.5f});
    const StrandSet strands = strand_set(tangle(200, 0.001f));
    Picture picture = measuring_picture();
    picture.meshes = {{&mesh}};
    picture.strands = view_of(strands);
    for (int frame = 0; frame < 6; ++frame) draw(picture, kWidth, kHeight);
    std::vector<std::string> names;
    double cpu = 0, gpu = 0;
    for (const PassTime& pass : renderer_->pass_times()) {
        names.push_back(pass.name);
        cpu += pass.cpu_ms;
        gpu += pass.gpu_ms;
        EXPECT_GE(pass.gpu_ms, 0);
    }
    const std::vector<std::string> all = {"upload", "grid",  "shadows", "meshes",  "edges",
                                          "sort",   "shade", "bin",     "strands", "tone"};
    EXPECT_EQ(names, all);
    EXPECT_GT(cpu, 0);
    EXPECT_GT(gpu, 0);
}

TEST_F(renderer, reports_driver_errors) {
    auto other = RendererGl::create();
    ASSERT_TRUE(other) << other.error().text();
    EXPECT_TRUE(other->messages().empty());
    constexpr unsigned kNoSuchFramebuffer = 12345;
    other->draw(Picture{}, 8, 8, kNoSuchFramebuffer);
    EXPECT_FALSE(other->messages().empty());
}

TEST_F(renderer, separates_messages_about_speed) {
    auto other = RendererGl::create();
    ASSERT_TRUE(other) << other.error().text();
    const std::size_t before = other->performance_messages().size();
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_PERFORMANCE, 1,
                         GL_DEBUG_SEVERITY_MEDIUM, -1, "slow");
    EXPECT_EQ(other->performance_messages().size(), before + 1);
    EXPECT_TRUE(other->messages().empty());
}

// Textures are written without a copy; pixels outside the picture are left alone.
TEST_F(renderer, draws_the_same_into_textures_and_renderbuffers) {
    constexpr int kAcross = 21, kUp = 13, kSide = 40;
    constexpr std::uint8_t kBefore[4] = {1, 2, 3, 4};
    Picture picture;
    const StrandSet strands = strand_set({{{{-0.1f, 0, 0}, {0.1f, 0.05f, 0}}, 0.01f, {1, 0, 0}}});
    picture.strands = view_of(strands);
    const Texture texture = make_texture_2d(GL_RGBA8, kSide, kSide);
    const Renderbuffer buffer = make_renderbuffer(GL_RGBA8, kSide, kSide, 0);
    const Framebuffer into_texture = make_colour_target(texture), into_buffer = make_framebuffer();
    glNamedFramebufferRenderbuffer(into_buffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    const auto drawn = [&](GLuint target) {
        const float before[4] = {kBefore[0] / 255.0f, kBefore[1] / 255.0f, kBefore[2] / 255.0f,
                                 kBefore[3] / 255.0f};
        glClearNamedFramebufferfv(target, GL_COLOR, 0, before);
        renderer_->draw(picture, kAcross, kUp, target);
        std::vector<std::uint8_t> bytes(kSide * kSide * 4);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target);
        glReadPixels(0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
        glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
        return bytes;
    };
    const std::vector<std::uint8_t> pixels = drawn(into_texture);
    EXPECT_EQ(pixels, drawn(into_buffer));
    EXPECT_NE(pixels[0], kBefore[0]);
    for (int k = 0; k < 4; ++k)
        EXPECT_EQ(pixels[static_cast<std::size_t>(kAcross * 4 + k)], kBefore[k]);
}

}  // namespace
}  // namespace ringlet
