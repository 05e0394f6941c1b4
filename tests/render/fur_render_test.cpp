// Images of fur: shells and strands of one coat agree, curves match their formulas, shells are not
// visible at silhouettes, and seams of the mesh are not visible at all.
#include <deque>
#include <fstream>

#include "fur/shell_curve.h"
#include "render/picture_fixture.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "test_level.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

class FurPictures : public PictureTest {
protected:
    static Result<Session> open(const std::string& scene, std::vector<std::string> overrides) {
        Result<Session> session = Session::open(scene, {.overrides = std::move(overrides)});
        EXPECT_TRUE(session) << session.error().text();
        if (session) session->impl().advance_to(0);
        return session;
    }

    Image matte_of(Picture picture, int size) {
        picture.settings.flat = true;
        return draw(picture, size, size);
    }

    // The number of pixels covered by fur, their mean colour, and their mean light.
    struct Coverage {
        double area = 0;
        double mean[3] = {0, 0, 0};
        double light = 0;  // linear, all channels
    };
    // A pixel belongs to the fur if its own colour without light is at least `least`.
    Coverage coverage_of(const Picture& picture, int size, int least = 40) {
        const Image image = draw(picture, size, size), matte = matte_of(picture, size);
        Coverage out;
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                if (matte.pixel(x, y)[0] < least) continue;
                out.area += 1;
                for (int k = 0; k < 3; ++k) {
                    out.mean[k] += image.pixel(x, y)[k];
                    out.light += std::pow(image.pixel(x, y)[k] / 255.0, 2.2);
                }
            }
        for (double& mean : out.mean) mean /= std::max(out.area, 1.0);
        out.light /= std::max(out.area, 1.0);
        return out;
    }
    static double brightness(const Coverage& c) { return c.mean[0] + c.mean[1] + c.mean[2]; }
    Coverage coverage_of(const Session& session, int size, int least = 40) {
        return coverage_of(picture_of(session), size, least);
    }
};

TEST_F(FurPictures, strands_and_shells_of_one_coat_agree) {
    RINGLET_TEST_FROM(all);
    Result<Session> shells = open("bunny", {"fur.style=shells"});
    Result<Session> strands = open("bunny", {"fur.style=strands"});
    ASSERT_TRUE(shells && strands);
    Picture of_shells = picture_of(*shells), of_strands = picture_of(*strands);
    const auto compare = [&](const char* part) {
        const Coverage a = coverage_of(of_shells, 260), b = coverage_of(of_strands, 260);
        ASSERT_GT(b.area, 5000) << part;
        EXPECT_NEAR(a.area / b.area, 1, 0.05) << part;
        EXPECT_NEAR(a.light / b.light, 1, 0.05) << part;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.mean[k] / b.mean[k], 1, 0.05) << part << ' ' << k;
        RecordProperty(std::string(part) + "_light_ratio", std::to_string(a.light / b.light));
    };
    compare("body");
    // The short fur of the face and the ears is seen along the strands, between whose ribbons the
    // skin would show. Pixels are as small as in the scene's own picture.
    for (Picture* picture : {&of_shells, &of_strands}) {
        picture->camera.target = {0.03f, 0.28f, 0.03f};
        picture->camera.field_of_view_degrees = 12;
    }
    compare("head");
}

// A ball of the given radius (m) as a scene in `folder`.
std::string ball_scene(const TempFolder& folder, float radius) {
    constexpr int kRings = 32, kAround = 64;
    std::ofstream mesh(folder / "ball.obj");
    for (int i = 0; i <= kRings; ++i)
        for (int k = 0; k < kAround; ++k) {
            const SinCos<float> up = sin_cos(kPi * static_cast<float>(i) / kRings);
            const SinCos<float> turn = sin_cos(2 * kPi * static_cast<float>(k) / kAround);
            mesh << "v " << radius * up.sin * turn.sin << ' ' << radius * up.cos << ' '
                 << radius * up.sin * turn.cos << '\n';
        }
    const auto at = [](int i, int k) { return i * kAround + k % kAround + 1; };
    for (int i = 0; i < kRings; ++i)
        for (int k = 0; k < kAround; ++k) {
            if (i + 1 < kRings)
                mesh << "f " << at(i, k) << ' ' << at(i + 1, k) << ' ' << at(i + 1, k + 1) << '\n';
            if (i > 0)
                mesh << "f " << at(i, k) << ' ' << at(i + 1, k + 1) << ' ' << at(i, k + 1) << '\n';
        }
    std::ofstream(folder / "ball.toml")
        << "[groom]\nmesh = 'ball.obj'\nscalp = ''\nlength_variation = 0.2\n"
        << "colour = { root = [0.4, 0.29, 0.21], tip = [1.0, 0.94, 0.86], variation = 0.2 }\n"
        << "[fur]\nstyle = 'shells'\n[sim]\nmodel = 'rod'\n[camera]\neye = [" << 2 * radius << ", "
        << 2 * radius << ", " << 6 * radius << "]\ntarget = [0, 0, 0]\nfield_of_view = 28\n"
        << "[record]\nsettle = 0.6\n";
    return (folder / "ball.toml").string();
}

// Shadows scale with the body, so the unit of its mesh does not change the picture.
TEST_F(FurPictures, strands_look_the_same_on_a_body_of_any_size) {
    RINGLET_TEST_FROM(all);
    Coverage first;
    for (const float radius : {0.03f, 0.3f, 3.0f}) {
        const TempFolder folder;
        const std::string scene = ball_scene(folder, radius);
        Result<Session> shells = open(scene, {"fur.style=shells"});
        Result<Session> strands = open(scene, {"fur.style=strands"});
        ASSERT_TRUE(shells && strands);
        const Coverage a = coverage_of(*shells, 160), b = coverage_of(*strands, 160);
        ASSERT_GT(b.area, 5000);
        if (first.area == 0) first = b;
        EXPECT_NEAR(a.area / b.area, 1, 0.05) << radius;
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(b.mean[k] / first.mean[k], 1, 0.01) << radius << " " << k;
            EXPECT_NEAR(a.mean[k] / b.mean[k], 1, 0.05) << radius << " " << k;
        }
    }
}

// A square of skin of side 1 m in the plane y = 0, whose fur is combed towards +x.
std::string patch_scene(const TempFolder& folder) {
    constexpr int kSide = 30;
    std::ofstream mesh(folder / "patch.obj");
    for (int i = 0; i <= kSide; ++i)
        for (int k = 0; k <= kSide; ++k)
            mesh << "v " << static_cast<float>(i) / kSide - 0.5f << " 0 "
                 << static_cast<float>(k) / kSide - 0.5f << '\n';
    const auto at = [](int i, int k) { return i * (kSide + 1) + k + 1; };
    for (int i = 0; i < kSide; ++i)
        for (int k = 0; k < kSide; ++k)
            mesh << "f " << at(i, k) << ' ' << at(i, k + 1) << ' ' << at(i + 1, k + 1) << "\nf "
                 << at(i, k) << ' ' << at(i + 1, k + 1) << ' ' << at(i + 1, k) << '\n';
    std::ofstream(folder / "patch.toml")
        << "[groom]\nmesh = 'patch.obj'\nmesh_units = 'm'\nmesh_up = '+y'\nscalp = ''\n"
        << "length_variation = 0.2\ncomb = { direction = [1.2, 0, 0] }\n"
        << "[fur]\nstyle = 'shells'\ngravity = 0\n[sim]\nmodel = 'rod'\n"
        << "[render]\nground = false\n[record]\nsettle = 0.6\n";
    return (folder / "patch.toml").string();
}

// Colours as overrides of a scene; mattes are linear.
struct FurColour {
    const char* root;
    const char* tip;
    int least;  // of a pixel that belongs to the fur
    std::vector<std::string> overrides(const char* style) const {
        return {"groom.colour.root=" + std::string(root), "groom.colour.tip=" + std::string(tip),
                "groom.colour.variation=0.2", "fur.style=" + std::string(style)};
    }
};
constexpr FurColour kLight{"[0.4,0.29,0.21]", "[1,0.94,0.86]", 40};
constexpr FurColour kBrown{"[0.06,0.035,0.02]", "[0.25,0.15,0.09]", 12};
constexpr FurColour kDark{"[0.01,0.008,0.006]", "[0.03,0.022,0.017]", 2};

// On a flat skin light, view and strands have the same angles everywhere, so a highlight fills the
// picture or is absent, and the average over directions hides no difference.
TEST_F(FurPictures, strands_and_shells_of_a_flat_skin_are_equally_bright) {
    RINGLET_TEST_FROM(full);
    const TempFolder folder;
    const std::string scene = patch_scene(folder);
    constexpr int kSize = 64;
    const std::vector<FurColour> colours =
        test_level() == TestLevel::all ? std::vector{kLight, kBrown, kDark} : std::vector{kBrown};
    for (const FurColour& colour : colours) {
        Result<Session> shells = open(scene, colour.overrides("shells"));
        Result<Session> strands = open(scene, colour.overrides("strands"));
        ASSERT_TRUE(shells && strands);
        Picture of_shells = picture_of(*shells), of_strands = picture_of(*strands);
        for (const Vec3f light :
             {Vec3f{-0.8f, 0.5f, 0.2f}, Vec3f{-0.4f, 0.8f, 0.3f}, Vec3f{0.6f, 0.7f, 0.4f}})
            for (const Vec3f eye : {Vec3f{0.2f, 1.35f, 0.2f}, Vec3f{0.2f, 1, 1}}) {
                for (Picture* picture : {&of_shells, &of_strands}) {
                    picture->light.direction = light;
                    picture->camera.eye = eye;
                    picture->camera.target = {0, 0.04f, 0};
                    picture->camera.field_of_view_degrees = 14;
                }
                const Coverage a = coverage_of(of_shells, kSize, 0);
                const Coverage b = coverage_of(of_strands, kSize, 0);
                EXPECT_NEAR(brightness(b) / brightness(a), 1, 0.05)
                    << colour.tip << " light " << light.x << " eye " << eye.z;
            }
    }
}

// Both are lit by one model, so neither the colour of the fur nor the size of its strands in pixels
// makes a difference.
TEST_F(FurPictures, strands_and_shells_of_any_colour_are_equally_bright) {
    RINGLET_TEST_FROM(all);
    const TempFolder folder;
    const std::string scene = ball_scene(folder, 0.3f);
    for (const FurColour& colour : {kBrown, kDark}) {
        Result<Session> shells = open(scene, colour.overrides("shells"));
        Result<Session> strands = open(scene, colour.overrides("strands"));
        ASSERT_TRUE(shells && strands);
        for (const int size : {160, 320}) {
            const Coverage a = coverage_of(*shells, size, colour.least);
            const Coverage b = coverage_of(*strands, size, colour.least);
            EXPECT_NEAR(a.area / b.area, 1, 0.05) << colour.tip << " " << size;
            EXPECT_NEAR(brightness(a) / brightness(b), 1, 0.05) << colour.tip << " " << size;
        }
    }
}

// The picture before a black backdrop, with black eyes and horns. These are many times as bright as
// dark fur and show through the outline of a coat.
Picture with_black_around(Picture picture, std::deque<Mesh>& meshes) {
    picture.settings.background = {0, 0, 0};
    picture.settings.ground = false;
    for (DrawnMesh& drawn : picture.meshes) {
        if (!drawn.mesh) continue;
        Mesh& mesh = meshes.emplace_back(*drawn.mesh);
        for (Material& material : mesh.materials) {
            material.colour = {0, 0, 0};
            material.vertex_colours = 0;
        }
        drawn.mesh = &mesh;
    }
    return picture;
}

// The coats of the table in docs/fur.md: with RINGLET_TEST_LEVEL=all every one, at a small size and
// at that of the scenes. Ratios are properties of the test: --gtest_output=xml.
TEST_F(FurPictures, strands_and_shells_are_equally_bright_on_any_mesh) {
    RINGLET_TEST_FROM(full);
    const TempFolder folder;
    const std::string ball = ball_scene(folder, 0.3f);
    const std::vector<int> sizes =
        test_level() == TestLevel::all ? std::vector{160, 640} : std::vector{160};
    for (const std::string& scene : {std::string("bunny"), std::string("creature"), ball})
        for (const auto& [name, coat] :
             {std::pair{"light", kLight}, std::pair{"brown", kBrown}, std::pair{"dark", kDark}}) {
            // Each mesh with one colour is enough to notice a change.
            const bool is_few = (scene == "bunny" && coat.least == kLight.least) ||
                                (scene == "creature" && coat.least == kBrown.least) ||
                                (scene == ball && coat.least == kDark.least);
            if (test_level() < TestLevel::all && !is_few) continue;
            const auto& colour = coat;  // clang 14 captures no structured binding
            const auto open_as = [&](const char* style) {
                std::vector<std::string> overrides = colour.overrides(style);
                overrides.push_back("groom.colour.image=");
                return open(scene, std::move(overrides));
            };
            Result<Session> shells = open_as("shells"), strands = open_as("strands");
            ASSERT_TRUE(shells && strands);
            for (const int size : sizes) {
                std::deque<Mesh> meshes;  // addresses remain valid
                const Picture of_shells = with_black_around(picture_of(*shells), meshes);
                const Picture of_strands = with_black_around(picture_of(*strands), meshes);
                const Coverage a = coverage_of(of_shells, size, colour.least);
                const Coverage b = coverage_of(of_strands, size, colour.least);
                const std::string what =
                    (scene == ball ? "ball" : scene) + "_" + name + "_" + std::to_string(size);
                EXPECT_NEAR(b.area / a.area, 1, 0.05) << what;
                EXPECT_NEAR(brightness(b) / brightness(a), 1, 0.05) << what;
                RecordProperty(what, std::to_string(brightness(b) / brightness(a)) + " linear " +
                                         std::to_string(b.light / a.light) + " area " +
                                         std::to_string(b.area / a.area));
            }
        }
}

// A strip of fur one metre long around the origin, facing up. Its blades are 0.2 m long and
// inclined by `bend` radians from the vertical towards +x.
struct Lawn {
    Pelt pelt;
    std::vector<PackedTip> tips;

    FurView view(FurStyle style) const {
        FurView out;
        out.pelt = &pelt;
        out.pelt_number = number;
        out.tips = tips;
        out.settings.style = style;
        out.settings.length = 0.2f;
        out.unit = 1;
        out.root_colour = out.tip_colour = {1, 1, 1};
        return out;
    }

    // `split` gives every triangle its own texture coordinates.
    Lawn(float bend, bool split, std::uint64_t made) : number(made) {
        constexpr int kSide = 20, kDeep = 3;
        Mesh mesh;
        const auto vertex = [](int i, int k) {
            return Vec3f{static_cast<float>(i) / kSide - 0.5f, 0,
                         0.1f * (static_cast<float>(k) / kDeep - 0.5f)};
        };
        for (int i = 0; i < kSide; ++i)
            for (int k = 0; k < kDeep; ++k)
                for (const auto& [u, v] :
                     {std::pair{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {1, 0}}) {
                    mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
                    mesh.positions.push_back(vertex(i + u, k + v));
                    mesh.uvs.push_back(split ? Vec2f{static_cast<float>(mesh.uvs.size() % 7), 0.3f}
                                             : Vec2f{0, 0});
                }
        pelt = *make_pelt(mesh, "");
        const SinCos<float> turn = sin_cos(bend);
        tips.assign(pelt.positions.size(), {static_cast<std::int16_t>(turn.sin * 32767),
                                            static_cast<std::int16_t>(turn.cos * 32767), 0, 0});
    }

    std::uint64_t number;
};

// The height of the fur above the ground in metres.
float height_of(const Image& matte, float pixels_per_metre) {
    for (int y = 0; y < matte.height; ++y) {
        int covered = 0;
        for (int x = 0; x < matte.width; ++x) covered += matte.pixel(x, y)[0] > 20;
        if (covered > matte.width / 100)
            return (static_cast<float>(matte.height) / 2 - static_cast<float>(y)) /
                   pixels_per_metre;
    }
    return 0;
}

TEST_F(FurPictures, blades_are_drawn_along_the_curves_of_the_formulas) {
    constexpr int kSize = 300;
    constexpr float kScale = 600;  // px per metre
    std::uint64_t number = 1000;
    for (const FurStyle style : {FurStyle::shells, FurStyle::original})
        for (const float degrees : {0.0f, 40.0f, 75.0f}) {
            // The upper shells of the style `original` are too thin to see from the side unless
            // the fur is strongly bent.
            if (style == FurStyle::original && degrees < 75) continue;
            const float bend = degrees * kPi / 180;
            const Lawn lawn(bend, false, number++);
            Picture picture;
            picture.camera = measuring_camera(kSize, kScale);
            picture.camera.eye.y = 0.1f * picture.camera.eye.z;  // shells are not edge-on
            picture.furs = {lawn.view(style)};
            picture.furs[0].settings.density = 0.4f;
            const float drawn = height_of(matte_of(picture, kSize), kScale);
            const SinCos<float> turn = sin_cos(bend);
            const Vec3f root{0, 0, 0}, up{0, 1, 0}, towards{turn.sin, turn.cos, 0};
            float highest = 0;
            for (int i = 0; i <= 32; ++i)
                highest = max(highest,
                              style == FurStyle::shells
                                  ? arc_shell_point(root, up, 0.2f, towards, 32, i).y
                                  : original_shell_point(root, up, 0.2f, towards * 0.2f, 32, i).y);
            EXPECT_NEAR(drawn / highest, 1, 0.09)
                << degrees << " degrees, style " << static_cast<int>(style);
        }
}

TEST_F(FurPictures, seams_of_the_mesh_are_not_visible) {
    Picture picture;
    picture.camera.eye = {0.2f, 1.2f, 0.5f};
    picture.camera.target = {0, 0, 0};
    const Lawn whole(0.3f, false, 2000), split(0.3f, true, 2001);
    picture.furs = {whole.view(FurStyle::shells)};
    const Image one = draw(picture, 200, 200);
    picture.furs = {split.view(FurStyle::shells)};
    EXPECT_EQ(largest_difference(one, draw(picture, 200, 200)), 0);
}

// Shells seen nearly edge-on are stripes without fins.
TEST_F(FurPictures, shells_are_not_visible_at_the_silhouette) {
    constexpr int kSize = 300;
    const auto picture_of_few = [&](FurStyle style, float fins) {
        const Lawn lawn(0, false, 3000 + static_cast<std::uint64_t>(fins));
        Picture picture;
        picture.camera = measuring_camera(kSize, 700);
        picture.camera.eye.y = 0.04f * picture.camera.eye.z;
        picture.furs = {lawn.view(style)};
        picture.furs[0].settings.shells = 12;  // 15 px apart
        picture.furs[0].settings.fins = fins;
        return matte_of(picture, kSize);
    };
    // The relative change of coverage from row to row.
    const auto unevenness = [&](const Image& matte) {
        double sum = 0, change = 0;
        const auto row = [&](int y) {
            double total = 0;
            for (int x = 20; x < kSize - 20; ++x) total += matte.pixel(x, y)[0];
            return total;
        };
        for (int y = kSize / 2 - 110; y < kSize / 2 - 10; ++y) {
            sum += row(y);
            change += std::abs(row(y + 1) - row(y));
        }
        return change / std::max(sum, 1.0);
    };
    const double bare = unevenness(picture_of_few(FurStyle::original, 0));
    const double finned = unevenness(picture_of_few(FurStyle::shells, 1));
    EXPECT_LT(finned, 0.15);
    EXPECT_GT(bare, 3 * finned);
}

// A square in the plane y = 0 that receives the shadow of the ball.
Mesh table() {
    Mesh mesh;
    mesh.materials.push_back({"table", {0.6f, 0.6f, 0.6f}});
    for (const Vec2f at : {Vec2f{-1, -1}, Vec2f{-1, 1}, Vec2f{1, 1}, Vec2f{1, -1}}) {
        mesh.positions.push_back({0.375f + 0.25f * at.x, 0, 0.25f * at.y});
        mesh.normals.push_back({0, 1, 0});
        mesh.uvs.push_back({0, 0});
    }
    mesh.indices = {0, 1, 2, 0, 2, 3};
    mesh.triangle_material.assign(2, 0);
    mesh.triangle_group.assign(2, -1);
    return mesh;
}

// Measures the width in metres, at half of its largest darkness, of the shadow that a ball of 10 cm
// radius with upright fur casts on the ground or on a mesh. The ball itself is outside the image.
class FurShadow : public FurPictures {
protected:
    float width_with(float length, bool on_mesh) {
        constexpr int kSize = 240;
        const Mesh skin = ball(0.1f, {0.5f, 0.5f, 0.5f});
        const Pelt pelt = *make_pelt(skin, "");
        std::vector<PackedTip> tips;
        for (const Vec3f n : pelt.normals) tips.push_back(packed(n));
        Picture picture;
        picture.light.direction = {-1, 0.8f, 0};
        picture.camera.eye = {0.375f, 2, 0.02f};
        picture.camera.target = {0.375f, 0, 0};
        picture.camera.field_of_view_degrees = 15;
        const Mesh below = table();
        if (on_mesh) picture.meshes = {{&below}};
        const Image bare = draw(picture, kSize, kSize);
        const Rigidf transform{{0, 0, 0, 1}, {0, 0.3f, 0}};
        picture.meshes.push_back({&skin, transform});
        if (length > 0) {
            FurView fur;
            fur.pelt = &pelt;
            fur.pelt_number = 4000;
            fur.tips = tips;
            fur.transform = transform;
            fur.settings.style = FurStyle::shells;
            fur.settings.length = length;
            picture.furs = {fur};
        }
        const Image shaded = draw(picture, kSize, kSize);
        const auto darkness = [&](int y) {
            return bare.pixel(kSize / 2, y)[1] - shaded.pixel(kSize / 2, y)[1];
        };
        const int middle = darkness(kSize / 2);
        EXPECT_GT(middle, 20);
        int wide = 0;
        for (int y = 0; y < kSize; ++y) wide += 2 * darkness(y) > middle ? 1 : 0;
        const float shown = 2 * 2.0f * std::tan(7.5f * kPi / 180);  // m of the ground
        return static_cast<float>(wide) * shown / kSize;
    }

    static PackedTip packed(Vec3f n) {
        return {static_cast<std::int16_t>(n.x * 32767), static_cast<std::int16_t>(n.y * 32767),
                static_cast<std::int16_t>(n.z * 32767), 0};
    }
};

TEST_F(FurShadow, is_wider_by_about_the_length_of_the_fur) {
    RINGLET_TEST_FROM(full);
    for (const bool on_mesh : {false, true}) {
        const float bare = width_with(0, on_mesh);
        EXPECT_NEAR(bare, 0.2f, 0.02f);
        for (const float length : {0.04f, 0.08f}) {
            // Tips are thin, so half of the light is blocked only some distance below them.
            const float wider = (width_with(length, on_mesh) - bare) / (2 * length);
            EXPECT_GT(wider, 0.5f) << length << " " << on_mesh;
            EXPECT_LT(wider, 1.0f) << length << " " << on_mesh;
        }
    }
}

}  // namespace
}  // namespace ringlet
