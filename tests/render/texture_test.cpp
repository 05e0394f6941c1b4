// Textures of meshes: position, colours and holes. Expected pixels come from the same mesh in plain
// colours, so lighting and tone mapping cancel out.
#include <cmath>

#include "picture_fixture.h"

namespace ringlet {
namespace {

constexpr int kWidth = 161, kHeight = 121;
constexpr float kScale = 400;  // pixels per metre at z = 0

class texture : public PictureTest {
protected:
    Image drawn(const Mesh& mesh) {
        Picture picture;
        picture.camera = measuring_camera(kHeight, kScale);
        picture.settings.ground = false;
        picture.meshes = {{&mesh}};
        return draw(picture, kWidth, kHeight);
    }
};

struct Bytes {
    int r, g, b, a = 255;
};
constexpr Bytes kRed{200, 60, 40}, kBlue{40, 90, 210}, kGreen{50, 180, 70}, kGrey{120, 120, 120};

Vec3f linear(Bytes c) {
    const auto channel = [](int byte) {
        const float x = static_cast<float>(byte) / 255;
        return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
    };
    return {channel(c.r), channel(c.g), channel(c.b)};
}

// Cells of `size` pixels a side, given in rows from the top.
std::shared_ptr<const Image> cells(const std::vector<std::vector<Bytes>>& rows, int size) {
    Image out{static_cast<int>(rows[0].size()) * size, static_cast<int>(rows.size()) * size, {}};
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            const Bytes c =
                rows[static_cast<std::size_t>(y / size)][static_cast<std::size_t>(x / size)];
            for (const int byte : {c.r, c.g, c.b, c.a})
                out.rgba.push_back(static_cast<std::uint8_t>(byte));
        }
    return std::make_shared<const Image>(std::move(out));
}

// A rectangle facing the camera, in the material put there last; its UVs run over it from low to
// high.
void add_rectangle(Mesh& mesh, float left, float right, float z, Vec2f low, Vec2f high) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const bool up : {false, true})
        for (const bool on_right : {false, true}) {
            mesh.positions.push_back({on_right ? right : left, up ? 0.08f : -0.08f, z});
            mesh.normals.push_back({0, 0, 1});
            mesh.uvs.push_back({on_right ? high.x : low.x, up ? high.y : low.y});
        }
    for (const std::uint32_t corner : {0u, 1u, 3u, 0u, 3u, 2u})
        mesh.indices.push_back(first + corner);
    const auto material = static_cast<std::int32_t>(mesh.materials.size()) - 1;
    mesh.triangle_material.insert(mesh.triangle_material.end(), 2, material);
    mesh.triangle_group.insert(mesh.triangle_group.end(), 2, -1);
}

Material painted(std::shared_ptr<const Image> image, Vec3f colour = {1, 1, 1}) {
    Material out{"painted", colour};
    out.texture = std::move(image);
    return out;
}

Mesh square(const Material& material, Vec2f low = {0, 0}, Vec2f high = {1, 1}, float z = 0) {
    Mesh mesh;
    mesh.materials.push_back(material);
    add_rectangle(mesh, -0.08f, 0.08f, z, low, high);
    return mesh;
}

Mesh plain_square(Bytes colour) { return square({"plain", linear(colour)}); }

const std::uint8_t* pixel(const Image& image, float x, float y) {
    return image.pixel(static_cast<int>(std::floor(x * kScale + kWidth / 2.0f)),
                       static_cast<int>(std::floor(kHeight / 2.0f - y * kScale)));
}

void expect_alike(const Image& image, const Image& expected, float x, float y, int tolerance = 2) {
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(pixel(image, x, y)[k], pixel(expected, x, y)[k], tolerance)
            << "channel " << k << " at " << x << ", " << y;
}

TEST_F(texture, is_drawn_upright_in_its_own_colours) {
    const Image image = drawn(square(painted(cells({{kRed, kBlue}, {kGreen, kGrey}}, 32))));
    expect_alike(image, drawn(plain_square(kRed)), -0.04f, 0.04f);
    expect_alike(image, drawn(plain_square(kBlue)), 0.04f, 0.04f);
    expect_alike(image, drawn(plain_square(kGreen)), -0.04f, -0.04f);
    expect_alike(image, drawn(plain_square(kGrey)), 0.04f, -0.04f);
    // The boundaries between cells are where they should be.
    expect_alike(image, drawn(plain_square(kRed)), -0.006f, 0.006f);
    expect_alike(image, drawn(plain_square(kGrey)), 0.006f, -0.006f);
}

TEST_F(texture, leaves_other_materials_of_the_mesh_alone) {
    // Tests both orders, because the parts of a mesh are drawn one after the other.
    const std::shared_ptr<const Image> checker = cells({{kRed, kBlue}, {kBlue, kRed}}, 16);
    const Image red = drawn(plain_square(kRed)), blue = drawn(plain_square(kBlue)),
                green = drawn(plain_square(kGreen));
    for (const bool textured_first : {true, false}) {
        Mesh mesh;
        for (const bool textured : {textured_first, !textured_first}) {
            mesh.materials.push_back(textured ? painted(checker)
                                              : Material{"plain", linear(kGreen)});
            // The left half has the checker texture, the right half is plain.
            add_rectangle(mesh, textured ? -0.08f : 0, textured ? 0 : 0.08f, 0, {0, 0}, {1, 1});
        }
        const Image image = drawn(mesh);
        expect_alike(image, red, -0.06f, 0.04f);
        expect_alike(image, blue, -0.02f, 0.04f);
        expect_alike(image, blue, -0.06f, -0.04f);
        expect_alike(image, red, -0.02f, -0.04f);
        for (const float y : {-0.07f, 0.0f, 0.07f})
            for (const float x : {0.01f, 0.07f}) expect_alike(image, green, x, y);
    }
}

TEST_F(texture, two_textures_on_one_mesh_stay_apart) {
    Mesh mesh;
    mesh.materials.push_back(painted(cells({{kRed}}, 4)));
    add_rectangle(mesh, -0.08f, 0, 0, {0, 0}, {1, 1});
    mesh.materials.push_back(painted(cells({{kBlue}}, 4)));
    add_rectangle(mesh, 0, 0.08f, 0, {0, 0}, {1, 1});
    const Image image = drawn(mesh);
    expect_alike(image, drawn(plain_square(kRed)), -0.04f, 0);
    expect_alike(image, drawn(plain_square(kBlue)), 0.04f, 0);
}

TEST_F(texture, is_multiplied_by_the_colour_of_the_material) {
    const Vec3f tint{0.25f, 1, 0.5f}, base = linear(kGrey);
    const Image image = drawn(square(painted(cells({{kGrey}}, 4), tint)));
    const Mesh expected = square({"plain", {base.x * tint.x, base.y * tint.y, base.z * tint.z}});
    expect_alike(image, drawn(expected), 0, 0);
}

// A texture of one colour equals that colour in every pixel, including edges and the diagonal
// between the two triangles.
TEST_F(texture, of_one_colour_equals_plain_colour) {
    const Image image = drawn(square(painted(cells({{kRed}}, 8)), {-0.3f, 0.1f}, {2.2f, 1.7f}));
    EXPECT_LE(largest_difference(image, drawn(plain_square(kRed))), 2);
}

// Where UVs restart at 0, the texture continues as it does inside a triangle.
TEST_F(texture, repeats_without_a_seam) {
    const Material material = painted(cells({{kRed, kBlue, kGreen, kGrey}}, 1));
    Mesh seam;
    seam.materials.push_back(material);
    add_rectangle(seam, -0.08f, 0, 0, {0, 0}, {1, 1});
    add_rectangle(seam, 0, 0.08f, 0, {0, 0}, {1, 1});
    const Image whole = drawn(square(material, {0, 0}, {2, 1}));
    // Interpolation weights have few bits, which is visible in dark colours.
    EXPECT_LE(largest_difference(drawn(seam), whole), 6);
    // The texture does vary.
    EXPECT_GT(std::abs(pixel(whole, -0.07f, 0)[0] - pixel(whole, -0.05f, 0)[0]), 40);
}

TEST_F(texture, is_scaled_and_moved_by_the_material) {
    const std::shared_ptr<const Image> image = cells({{kRed, kBlue}, {kGreen, kGrey}}, 16);
    Material material = painted(image);
    material.texture_scale = {3, 0.5f};
    material.texture_offset = {0.25f, -0.5f};
    const Image expected = drawn(square(painted(image), {0.25f, -0.5f}, {3.25f, 0.0f}));
    EXPECT_LE(largest_difference(drawn(square(material)), expected), 1);
    EXPECT_GT(mean_difference(drawn(square(painted(image))), expected), 1);
}

// A checker much finer than the pixels is drawn as its mean in linear light.
TEST_F(texture, much_finer_than_the_pixels_is_its_mean) {
    const Bytes white{255, 255, 255}, black{0, 0, 0};
    std::vector<std::vector<Bytes>> rows(256, std::vector<Bytes>(256));
    for (std::size_t y = 0; y < 256; ++y)
        for (std::size_t x = 0; x < 256; ++x) rows[y][x] = (x + y) % 2 ? white : black;
    const Image image = drawn(square(painted(cells(rows, 1)), {0, 0}, {3.37f, 3.71f}));
    const Image expected = drawn(square({"plain", {0.5f, 0.5f, 0.5f}}));
    EXPECT_LE(largest_difference(image, expected), 4);
}

TEST_F(texture, is_uploaded_again_when_it_or_its_uvs_change) {
    // Drawn first, because drawing another mesh uploads that one.
    const Image blue = drawn(plain_square(kBlue)), white = drawn(square({"white", {1, 1, 1}}));
    Mesh mesh = square(painted(cells({{kRed}}, 4)));
    drawn(mesh);
    mesh.materials[0].texture = cells({{kBlue}}, 4);
    expect_alike(drawn(mesh), blue, 0, 0);
    mesh.materials[0].texture = cells({{kRed, kBlue}}, 16);
    drawn(mesh);
    for (Vec2f& uv : mesh.uvs) uv.x = uv.x * 0.5f + 0.5f;
    expect_alike(drawn(mesh), blue, -0.04f, 0);
    mesh.materials[0].texture.reset();
    expect_alike(drawn(mesh), white, 0, 0);
}

TEST_F(texture, is_transparent_at_its_holes) {
    const Bytes hole{0, 0, 0, 0};
    Mesh mesh = plain_square(kGreen);
    mesh.materials.push_back(painted(cells({{hole, kRed}}, 32)));
    add_rectangle(mesh, -0.08f, 0.08f, 0.01f, {0, 0}, {1, 1});
    const Image image = drawn(mesh);
    EXPECT_GT(pixel(image, -0.04f, 0)[1], pixel(image, -0.04f, 0)[0]);
    EXPECT_GT(pixel(image, 0.04f, 0)[0], 2 * pixel(image, 0.04f, 0)[1]);
}

TEST_F(texture, holes_let_light_through) {
    const Bytes hole{255, 255, 255, 0}, solid{255, 255, 255};
    const auto wall_behind = [&](const Material& card) {
        Mesh mesh;
        mesh.materials.push_back({"wall", linear(kGrey)});
        add_rectangle(mesh, -0.2f, 0.2f, -0.05f, {0, 0}, {1, 1});
        mesh.materials.push_back(card);
        add_rectangle(mesh, -0.08f, 0.08f, 0, {0, 0}, {1, 1});
        return drawn(mesh);
    };
    // An invisible card still contributes to the light's bounds, so nothing else differs.
    Material invisible = painted(cells({{solid}}, 4));
    invisible.opacity = 0.4f;
    const Image open = wall_behind(invisible);
    // The light comes from the right, so the card's shadow is on the left.
    const float x = -0.1f, y = -0.05f;
    const int lit = pixel(open, x, y)[1];
    EXPECT_LT(pixel(wall_behind(painted(cells({{solid}}, 4))), x, y)[1], lit - 30);
    EXPECT_NEAR(pixel(wall_behind(painted(cells({{hole}}, 4))), x, y)[1], lit, 8);
}

// A card that lies flat a little above the ground, where its shadow is darkest below it.
TEST_F(texture, holes_cast_no_shadow_on_the_ground) {
    const auto ground_below = [&](float height, const Material& card) {
        Mesh mesh = square(card);
        // The bounds of a mesh without visible triangles are ignored, so this adds one.
        mesh.materials.push_back({"plain", linear(kGreen)});
        add_rectangle(mesh, 0.07f, 0.08f, 0, {0, 0}, {1, 1});
        Picture picture;
        picture.camera.eye = {0, 0.6f, 0.8f};
        picture.camera.target = {0, 0, 0};
        picture.meshes = {
            {&mesh, {quat_from_axis_angle(Vec3f{1, 0, 0}, -kPi / 2), {0, height, 0}}}};
        return draw(picture, kWidth, kHeight);
    };
    Material hole = painted(cells({{Bytes{255, 255, 255, 0}}}, 4)), invisible = hole;
    invisible.opacity = 0.4f;
    // Tests the contact shadow close to the ground and the cast shadow farther up.
    for (const float height : {0.005f, 0.2f})
        EXPECT_LE(largest_difference(ground_below(height, hole), ground_below(height, invisible)),
                  2)
            << height;
}

TEST_F(texture, shows_strands_through_holes) {
    const Bytes hole{0, 0, 0, 0};
    const Mesh card = square(painted(cells({{hole, kRed}}, 32)));
    const StrandSet strands =
        strand_set({{{{-0.1f, 0, -0.02f}, {0, 0, -0.02f}, {0.1f, 0, -0.02f}}, 0.004f}});
    Picture picture;
    picture.camera = measuring_camera(kHeight, kScale);
    picture.settings.flat = true;
    picture.meshes = {{&card}};
    picture.strands = view_of(strands);
    const Image image = draw(picture, kWidth, kHeight);
    EXPECT_EQ(pixel(image, -0.04f, 0)[0], 255);
    EXPECT_EQ(pixel(image, 0.04f, 0)[0], 0);
}

TEST_F(texture, materials_below_half_opacity_are_not_drawn) {
    Mesh mesh = plain_square(kGreen);
    mesh.materials.push_back({"glass", linear(kRed), 0.49f});
    add_rectangle(mesh, -0.08f, 0.08f, 0.01f, {0, 0}, {1, 1});
    EXPECT_GT(pixel(drawn(mesh), 0, 0)[1], pixel(drawn(mesh), 0, 0)[0]);
    mesh.materials[1].opacity = 0.51f;
    EXPECT_GT(pixel(drawn(mesh), 0, 0)[0], 2 * pixel(drawn(mesh), 0, 0)[1]);
}

TEST_F(texture, without_pixels_is_ignored) {
    for (const Image& broken : {Image{}, Image{4, 4, {1, 2, 3}}, Image{-1, -1, {1, 2, 3, 4}},
                                Image{1 << 20, 1, std::vector<std::uint8_t>(4 << 20)}}) {
        const Mesh mesh = square(painted(std::make_shared<const Image>(broken), linear(kRed)));
        expect_alike(drawn(mesh), drawn(plain_square(kRed)), 0, 0);
    }
}

}  // namespace
}  // namespace ringlet
