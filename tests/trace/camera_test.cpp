// Depth of field and motion blur, against closed forms.
#include "io/image/linear_image_file.h"
#include "ringlet/ringlet.h"
#include "trace_fixture.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

constexpr int kSize = 64;

// The centre and the variance per axis, in pixels, of the covered part of an image.
struct Spot {
    double area = 0, x = 0, y = 0, variance_x = 0, variance_y = 0;

    explicit Spot(const TracedImage& image) {
        double xx = 0, yy = 0;
        for (int row = 0; row < image.height; ++row)
            for (int column = 0; column < image.width; ++column) {
                const auto alpha = static_cast<double>(image.at(column, row).alpha);
                area += alpha;
                x += alpha * column;
                y += alpha * row;
                xx += alpha * column * column;
                yy += alpha * row * row;
            }
        x /= area;
        y /= area;
        variance_x = xx / area - x * x;
        variance_y = yy / area - y * y;
    }
};

// A ball 0.5 m in front of a camera that looks at a point 1 m away.
class depth_of_field : public testing::Test {
protected:
    depth_of_field() {
        picture.meshes = {{&mesh, {{0, 0, 0, 1}, {0, 0, 0.5f}}}};
        picture.camera.eye = {0, 0, 1};
        picture.camera.target = {0, 0, 0};
        picture.camera.field_of_view_degrees = 20;
        picture.settings.flat = true;
        picture.settings.ground = false;
        picture.settings.samples = 1024;
    }
    Spot spot() const { return Spot(traced(picture, kSize, kSize)); }

    Mesh mesh = ball(0.005f, {1, 1, 1});
    Picture picture;
};

TEST_F(depth_of_field, blurs_by_the_circle_of_confusion) {
    const Spot sharp = spot();
    picture.camera.f_stop = 2;
    const Spot blurred = spot();
    // A lens of radius r in front of a sensor 24 mm high blurs a point at distance z, in the plane
    // at distance D that is in focus, to a disc of radius r (D - z) / z.
    const double half = std::tan(10 * 3.14159265 / 180), focal_length = 0.012 / half;
    const double radius = focal_length / 2 / 2 * (1 - 0.5) / 0.5;
    const double pixels = radius / half * kSize / 2;
    EXPECT_GT(pixels, 2.5);
    for (const double grown :
         {blurred.variance_x - sharp.variance_x, blurred.variance_y - sharp.variance_y})
        EXPECT_NEAR(grown / (pixels * pixels / 4), 1, 0.05);
    EXPECT_NEAR(blurred.area / sharp.area, 1, 0.03);
    EXPECT_NEAR(blurred.x, sharp.x, 0.1);
}

TEST_F(depth_of_field, is_sharp_at_the_target_or_at_the_focus) {
    const Spot near = spot();
    picture.camera.f_stop = 2;
    picture.camera.focus = 0.5f;
    EXPECT_NEAR(spot().variance_x, near.variance_x, 0.03);
    picture.camera.focus = 0;
    picture.meshes[0].transform.translation = {0, 0, 0};
    const Spot far = spot();
    picture.camera.f_stop = 0;
    EXPECT_NEAR(far.variance_x, spot().variance_x, 0.03);
}

// A white strand upright at x = 0 m, and where it was when the shutter opened.
Picture moving_strand(const StrandSet& strands, Vec3f from) {
    Picture picture;
    picture.strands = view_of(strands);
    picture.camera = measuring_camera(kSize, kSize / 0.064f);
    picture.settings.flat = true;
    picture.settings.samples = 256;
    const auto open = std::make_shared<OpenShutter>();
    open->positions = strands.position;
    for (int i = 0; i < strands.layout->vertex_count(0); ++i)
        open->positions.set_vec3(0, i, strands.position.vec3(0, i) + from);
    open->camera = picture.camera;
    picture.open_shutter = open;
    return picture;
}

StrandSet upright_strand(float radius) {
    return strand_set({{{{0, -0.02f, 0}, {0, -0.005f, 0}, {0, 0.005f, 0}, {0, 0.02f, 0}}, radius}});
}

TEST(motion_blur, spreads_a_strand_evenly_over_its_way) {
    const StrandSet strands = upright_strand(1e-3f);
    Picture picture = moving_strand(strands, {-0.02f, 0, 0});
    picture.settings.samples = 1024;
    const TracedImage image = traced(picture, kSize, kSize);
    // One pixel is 1 mm: the strand is two wide and moves by 20.
    for (int x = kSize / 2 - 18; x < kSize / 2 - 2; ++x)
        EXPECT_NEAR(image.at(x, kSize / 2).alpha, 0.1f, 0.04f) << x;
    EXPECT_EQ(image.at(kSize / 2 + 2, kSize / 2).alpha, 0);
    EXPECT_EQ(image.at(kSize / 2 - 23, kSize / 2).alpha, 0);
    Picture still = moving_strand(strands, {0, 0, 0});
    still.open_shutter = nullptr;
    EXPECT_NEAR(mean_alpha(image) / mean_alpha(traced(still, kSize, kSize)), 1, 0.02);
}

TEST(motion_blur, turns_tangents_and_normals_with_time) {
    const StrandSet strands = upright_strand(1e-3f);
    const Mesh mesh = ball(0.01f, {1, 1, 1});
    Picture picture = moving_strand(strands, {0, 0, 0});
    const auto open = std::make_shared<OpenShutter>(*picture.open_shutter);
    for (int i = 0; i < 4; ++i)
        open->positions.set_vec3(0, i, {strands.position.vec3(0, i).y, 0, 0});
    picture.meshes = {{&mesh, {{0, 0, 0, 1}, {0.5f, 0, 0}}}};
    open->meshes = {{{{0, 0, 0, 1}, {0.5f, 0.01f, 0}}, mesh.positions}};
    picture.open_shutter = open;
    const Result<RayScene> scene = RayScene::build(picture);
    ASSERT_TRUE(scene);
    const auto at = [&](float x, float time) {
        Ray ray{{x, 0, 1}, {0, 0, -1}};
        ray.time = time;
        return scene->hit(ray);
    };
    EXPECT_NEAR(std::abs(at(0, 0).tangent.x), 1, 1e-3f);
    EXPECT_NEAR(std::abs(at(0, 1).tangent.y), 1, 1e-3f);
    EXPECT_NEAR(at(0, 0.5f).tangent.x, at(0, 0.5f).tangent.y, 1e-3f);
    EXPECT_EQ(at(0, 0.25f).time, 0.25f);
    // The ray passes below the centre at first.
    EXPECT_NEAR(at(0.5f, 1).distance, 1 - 0.01f, 1e-4f);
    EXPECT_NEAR(at(0.5f, 0.5f).distance, 1 - 0.01f * std::sqrt(0.75f), 1e-4f);
    EXPECT_NEAR(at(0.5f, 0.5f).normal.y, -0.5f, 0.05f);
}

TEST(motion_blur, moves_meshes_and_the_camera) {
    const Mesh mesh = ball(0.002f, {1, 1, 1});
    Picture picture;
    picture.meshes = {{&mesh, {}}};
    picture.camera = measuring_camera(kSize, kSize / 0.064f);
    picture.settings.flat = true;
    picture.settings.samples = 256;
    const Spot still(traced(picture, kSize, kSize));
    const auto open = std::make_shared<OpenShutter>();
    open->camera = picture.camera;
    open->meshes = {{{{0, 0, 0, 1}, {0.02f, 0, 0}}, mesh.positions}};
    picture.open_shutter = open;
    const Spot moved(traced(picture, kSize, kSize));
    EXPECT_NEAR(moved.x - still.x, 10, 0.2);
    EXPECT_NEAR(moved.variance_x - still.variance_x, 20 * 20 / 12.0, 1.5);
    EXPECT_NEAR(moved.variance_y, still.variance_y, 0.1);
    const auto panned = std::make_shared<OpenShutter>();
    panned->camera = picture.camera;
    panned->camera.eye.y += 0.01f;
    panned->camera.target.y += 0.01f;
    picture.open_shutter = panned;
    const Spot shaken(traced(picture, kSize, kSize));
    EXPECT_NEAR(shaken.y - still.y, 5, 0.2);
    EXPECT_NEAR(shaken.variance_y - still.variance_y, 10 * 10 / 12.0, 0.5);
}

// The mean motion over the covered part of an image.
Vec2f mean_motion(const TracedImage& image) {
    float alpha = 0;
    Vec2f sum{0, 0};
    for (const TracedPixel& pixel : image.pixels) {
        alpha += pixel.alpha;
        sum.x += pixel.alpha * pixel.motion.x;
        sum.y += pixel.alpha * pixel.motion.y;
    }
    return {sum.x / alpha, sum.y / alpha};
}

TEST(motion_layer, is_the_way_on_screen_during_a_frame) {
    const StrandSet strands = upright_strand(1e-3f);
    // Three pixels to the right and one up in a quarter of a frame.
    Picture picture = moving_strand(strands, {-0.003f, -0.001f, 0});
    picture.settings.samples = 16;
    picture.settings.shutter = 0.25f;
    const auto expect_motion = [&](float x, float y) {
        const TracedImage image = traced(picture, kSize, kSize);
        const Vec2f motion = mean_motion(image);
        EXPECT_NEAR(motion.x, x, 0.1f);
        EXPECT_NEAR(motion.y, y, 0.1f);
    };
    expect_motion(12, -4);
    const auto panned = std::make_shared<OpenShutter>(*picture.open_shutter);
    panned->camera.eye.x -= 0.003f;
    panned->camera.target.x -= 0.003f;
    picture.open_shutter = panned;
    expect_motion(0, -4);
    // A ball that comes from below the centre.
    const Mesh mesh = ball(0.002f, {1, 1, 1});
    const auto thrown = std::make_shared<OpenShutter>();
    thrown->camera = picture.camera;
    thrown->meshes = {{{{0, 0, 0, 1}, {0, -0.005f, 0}}, mesh.positions}};
    picture.strands = {};
    picture.meshes = {{&mesh, {}}};
    picture.open_shutter = thrown;
    expect_motion(0, -20);
    picture.open_shutter = nullptr;
    expect_motion(0, 0);
}

TEST(motion_layer, exists_where_the_shutter_takes_time) {
    const auto has_motion = [](float shutter) {
        RenderSettings settings;
        settings.shutter = shutter;
        return std::ranges::any_of(layers_of({}, settings).channels,
                                   [](const auto& channel) { return channel.name == "motion.X"; });
    };
    EXPECT_TRUE(has_motion(0.5f));
    EXPECT_FALSE(has_motion(0));
}

// The last of three frames of a head that shakes.
std::string rendered(const std::string& shutter, const std::string& path) {
    SessionOptions options;
    options.overrides = {"groom.strands=60", "render.samples=4", "render.shutter=" + shutter};
    Result<Session> session = Session::open("shake", options, {});
    EXPECT_TRUE(session) << session.error().text();
    RenderOptions render_options;
    render_options.output = path;
    render_options.frames = 3;
    render_options.width = render_options.height = 32;
    render_options.fps = 12;
    render_options.renderer = "trace";
    const Result<void> done = render(*session, render_options, {});
    EXPECT_TRUE(done) << done.error().text();
    return session->hash();
}

TEST(motion_blur, comes_from_the_simulation_and_does_not_change_it) {
    const TempFolder folder;
    const auto image = [&](const std::string& shutter) {
        const std::string path = (folder / (shutter + ".exr")).string();
        const std::string state = rendered(shutter, path);
        const Result<LinearImage> read = read_linear_image(path);
        EXPECT_TRUE(read) << read.error().text();
        return std::pair(state, read ? read->channels[0].values : std::vector<float>{});
    };
    const auto sharp = image("0"), blurred = image("0.5");
    EXPECT_EQ(sharp.first, blurred.first);
    EXPECT_NE(sharp.second, blurred.second);
}

}  // namespace
}  // namespace ringlet
