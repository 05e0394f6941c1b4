// Guessing unit, up axis and facing of a head, with the line that says what was assumed.
#include "cpu_time.h"
#include "fit/choose_placement.h"
#include "head_variants.h"
#include "io/mesh_format.h"
#include "test_level.h"
#include "test_paths.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;

const PlacementNames kNames{"head.obj", "groom.mesh_units", "groom.mesh_scale", "groom.mesh_up",
                            "groom.mesh_facing"};

Mesh read(const fs::path& path) {
    Result<Mesh> mesh = read_mesh(path);
    EXPECT_TRUE(mesh) << (mesh ? "" : mesh.error().text());
    return mesh ? std::move(*mesh) : Mesh{};
}

const Mesh& bust() {
    static const Mesh mesh = read(fs::path(kSourceFolder) / "scenes/assets/bust.obj");
    return mesh;
}

const fs::path kSintel = fs::path(kSourceFolder).parent_path() / "shared/data/sintel_bust.obj";

struct Chosen {
    Placement placement;
    Messages messages;
    std::string assumption() const {
        return messages.assumptions.empty() ? "" : messages.assumptions.front();
    }
};

Chosen choose(const Mesh& mesh, const PlacementSettings& settings = {},
              const StatedAxes& stated = {}) {
    Chosen out;
    const Result<Placement> placement =
        choose_placement(mesh, {}, settings, stated, kNames, out.messages);
    EXPECT_TRUE(placement) << (placement ? "" : placement.error().text());
    if (placement) out.placement = *placement;
    return out;
}

// All 24 ways to align the axes.
template <class Use>
void for_each_orientation(const Use& use) {
    for (int u = 1; u <= 6; ++u)
        for (int f = 1; f <= 6; ++f) {
            const Vec3f up = vector_of(static_cast<SignedAxis>(u));
            const Vec3f facing = vector_of(static_cast<SignedAxis>(f));
            if (dot(up, facing) == 0) use(up, facing);
        }
}

// The placement takes the variant back to the original, up to `tolerance`.
void expect_back(const Mesh& variant, const Mesh& original, const Placement& placement,
                 float tolerance) {
    ASSERT_EQ(variant.positions.size(), original.positions.size());
    float worst = 0;
    for (std::size_t i = 0; i < variant.positions.size(); i += 7)
        worst = max(worst, norm(apply(placement, variant.positions[i]) - original.positions[i]));
    EXPECT_LT(worst, tolerance);
}

void expect_all_orientations_found(const Mesh& head) {
    for_each_orientation([&](Vec3f up, Vec3f facing) {
        SCOPED_TRACE(std::string(word_of(axis_near(up))) + " up, facing " +
                     std::string(word_of(axis_near(facing))));
        const Mesh turned = turned_to(head, up, facing);
        const Chosen chosen = choose(turned);
        EXPECT_TRUE(chosen.messages.warnings.empty());
        expect_back(turned, head, chosen.placement, 1e-4f);
    });
}

TEST(placement, leaves_a_plausible_head_alone_and_says_nothing) {
    const Chosen chosen = choose(bust());
    EXPECT_TRUE(chosen.placement.is_identity());
    EXPECT_TRUE(chosen.messages.assumptions.empty());
    EXPECT_TRUE(chosen.messages.warnings.empty());
    Mesh mesh = bust();
    place(chosen.placement, mesh);
    EXPECT_EQ(std::memcmp(mesh.positions.data(), bust().positions.data(),
                          mesh.positions.size() * sizeof(Vec3f)),
              0);
}

TEST(placement, finds_all_24_orientations_of_the_bust) { expect_all_orientations_found(bust()); }

TEST(placement, finds_all_24_orientations_of_a_foreign_bust) {
    if (!fs::exists(kSintel)) GTEST_SKIP() << "no ../shared/data: the foreign bust is not there";
    expect_all_orientations_found(scaled(read(kSintel), 0.01f));
}

TEST(placement, finds_units) {
    const struct {
        float metres;
        const char* text;
    } units[] = {{0.01f, "centimetres"},
                 {0.001f, "millimetres"},
                 {0.0254f, "inches"},
                 {0.3048f, "feet"},
                 {0.1f, "decimetres"}};
    for (const auto& unit : units) {
        const Mesh mesh = scaled(bust(), 1 / unit.metres);
        const Chosen chosen = choose(mesh);
        EXPECT_EQ(chosen.assumption(),
                  std::string("head.obj: taken as ") + unit.text +
                      ", +Y up, facing +Z (set groom.mesh_units, groom.mesh_up, "
                      "groom.mesh_facing)");
        expect_back(mesh, bust(), chosen.placement, 1e-4f);
    }
}

TEST(placement, says_unit_up_and_facing_of_a_file_from_a_z_up_program) {
    const Mesh mesh = turned_to(scaled(bust(), 100), {0, 0, 1}, {0, -1, 0});
    EXPECT_EQ(choose(mesh).assumption(),
              "head.obj: taken as centimetres, +Z up, facing -Y (set groom.mesh_units, "
              "groom.mesh_up, groom.mesh_facing)");
    // A key that the scene sets is not mentioned, and wins.
    const Chosen chosen = choose(mesh, {.units = LengthUnit::millimetre});
    EXPECT_EQ(chosen.assumption(),
              "head.obj: taken as millimetres, +Z up, facing -Y (set groom.mesh_up, "
              "groom.mesh_facing)");
    EXPECT_EQ(chosen.placement.scale, 0.001f);
}

TEST(placement, scales_a_head_of_no_common_unit_to_a_usual_size) {
    const Chosen chosen = choose(scaled(bust(), 5.6f));
    EXPECT_NEAR(chosen.placement.scale, 1 / 5.6f, 0.01f);
    EXPECT_NE(chosen.assumption().find("so that the head is 23 cm tall"), std::string::npos);
}

TEST(placement, works_on_damaged_heads) {
    const Mesh file = turned_to(scaled(bust(), 100), {0, 0, 1}, {0, -1, 0});
    const auto check = [&](const char* what, const Mesh& mesh) {
        SCOPED_TRACE(what);
        const Chosen chosen = choose(mesh);
        EXPECT_EQ(chosen.placement.scale, 0.01f);
        EXPECT_GT(dot(chosen.placement.row[1], Vec3f{0, 0, 1}), 0.9f);
        EXPECT_GT(dot(chosen.placement.row[2], Vec3f{0, -1, 0}), 0.9f);
        EXPECT_TRUE(chosen.messages.warnings.empty());
    };
    check("a fifth of the faces missing", without_a_fifth(file));
    check("faces doubled", with_doubled_faces(file));
    check("mirrored", mirrored(file));
    check("inside out", with_flipped_winding(file));
    check("decimated", decimated(file, 2));
    check("head alone",
          without(file, [&](std::size_t t) { return file.corner(static_cast<int>(t), 0).z < 24; }));
    check("subdivided", subdivided(file, 1));
}

TEST(placement, is_fast_with_two_million_triangles) {
    RINGLET_TEST_FROM(full);
    const Mesh fine = subdivided(scaled(bust(), 100), 4);
    ASSERT_GT(fine.triangle_count(), 2'000'000);
    const double start = cpu_seconds();
    EXPECT_EQ(choose(fine).placement.scale, 0.01f);
    EXPECT_LT(cpu_seconds() - start, 8);
}

TEST(placement, uses_what_the_file_states_only_if_it_is_plausible) {
    // States metres, but is in centimetres.
    Chosen chosen = choose(scaled(bust(), 100), {}, {1, {0, 1, 0}, {0, 0, 1}});
    EXPECT_EQ(chosen.placement.scale, 0.01f);
    // A large stylised head whose stated unit is plausible.
    chosen = choose(scaled(bust(), 1.3f / 0.0254f), {}, {0.0254f, {}, {}});
    EXPECT_EQ(chosen.placement.scale, 0.0254f);
}

TEST(placement, leaves_meshes_without_a_head_in_metres) {
    Mesh box = without(bust(), [](std::size_t) { return true; });
    box.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    box.indices = {0, 2, 1};
    EXPECT_TRUE(choose(box).placement.is_identity());
    // Unless that is absurd: 300 m.
    const Chosen chosen = choose(scaled(box, 300));
    EXPECT_EQ(chosen.placement.scale, 0.001f);
    ASSERT_EQ(chosen.messages.warnings.size(), 1u);
    EXPECT_NE(chosen.messages.warnings[0].text.find("no head was recognised"), std::string::npos);
    EXPECT_NE(chosen.messages.warnings[0].remedy.find("set groom.mesh_units"), std::string::npos);
}

TEST(placement, refuses_axes_that_are_parallel) {
    Messages messages;
    const Result<Placement> placement =
        choose_placement(bust(), {}, {.up = SignedAxis::plus_z, .facing = SignedAxis::minus_z}, {},
                         kNames, messages);
    ASSERT_FALSE(placement);
    EXPECT_NE(placement.error().message.find("perpendicular"), std::string::npos);
}

TEST(placement, rotates_and_shifts_after_turning_upright) {
    const Chosen chosen = choose(bust(), {.units = LengthUnit::metre,
                                          .up = SignedAxis::plus_y,
                                          .facing = SignedAxis::plus_z,
                                          .rotate_degrees = {0, 90, 0},
                                          .offset = {1, 2, 3}});
    const Vec3f p = apply(chosen.placement, {0, 0, 1});  // +Z becomes +X
    EXPECT_NEAR(norm(p - Vec3f{2, 2, 3}), 0, 1e-6f);
}

}  // namespace
}  // namespace ringlet
