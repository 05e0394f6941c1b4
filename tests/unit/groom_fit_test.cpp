// Moving an imported groom onto a head.
#include "fit/groom_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "fit/similarity.h"
#include "fit/strip_wrap.h"
#include "head_variants.h"
#include "io/mesh_format.h"
#include "session/assets/head_source.h"
#include "session/assets/import_placement.h"
#include "session/assets/scene_source.h"
#include "test_paths.h"

namespace ringlet {
namespace {

namespace fs = std::filesystem;
const fs::path kData = fs::path(kSourceFolder).parent_path() / "shared/data";

struct Head {
    Mesh mesh;
    Landmarks marks;
    Mesh scalp;
};

const Head& bust() {
    static const Head head = [] {
        Head out;
        const Result<Mesh> read = load_mesh({}, "groom.mesh", "builtin:bust.obj");
        if (read) out.mesh = *read;
        out.marks = find_landmarks(out.mesh);
        out.scalp = scalp_patch(out.mesh, out.marks);
        return out;
    }();
    return head;
}

// Roots on the bust's scalp whose strands stand off it and hang a little, in the coordinates of a
// file: `to_file` applied.
std::vector<GroomRoot> groom_on_bust(const Placement& to_file) {
    std::vector<GroomRoot> out;
    const Vec3f middle = bust().marks.centre;
    for (const Vec3f& p : sample_surface(bust().scalp, 600)) {
        const Vec3f direction = unit_or(p - middle, Vec3f{0, 1, 0}) + Vec3f{0, -0.3f, -0.2f};
        out.push_back({apply(to_file, p), unit_or(turned(to_file, direction), Vec3f{0, 1, 0})});
    }
    return out;
}

TEST(groom_fit, takes_a_groom_back_to_the_scalp_it_came_from) {
    Placement z_up_inches = turn_upright({0, 0, -1}, {0, 1, 0});  // inverse: +Z up, facing -Y
    z_up_inches.scale = 1 / 0.0254f;
    z_up_inches.offset = {3, -20, 55};
    const std::vector<GroomRoot> roots = groom_on_bust(z_up_inches);
    const FittedGroom fitted = fit_groom(roots, bust().scalp, {});
    EXPECT_EQ(fitted.unit, 0.0254f);
    EXPECT_GT(fitted.up.z, 0.5f);
    EXPECT_LT(fitted.facing.y, -0.5f);
    EXPECT_NEAR(fitted.placement.scale, 0.0254f, 0.0254f * 0.02f);
    const std::vector<GroomRoot> wanted = groom_on_bust({});
    float worst = 0;
    for (std::size_t k = 0; k < roots.size(); ++k)
        worst = max(worst, norm(apply(fitted.placement, roots[k].position) - wanted[k].position));
    EXPECT_LT(worst, 0.004f);
}

TEST(groom_fit, keeps_a_scale_that_is_given) {
    Placement larger;
    larger.scale = 1.05f;
    const FittedGroom fitted = fit_groom(groom_on_bust(larger), bust().scalp, {.scale = 1});
    EXPECT_NEAR(fitted.placement.scale, 1, 1e-6f);
}

TEST(fitted_similarity, recovers_rotation_scale_and_shift) {
    Placement truth = rotate_and_move({20, -35, 50}, {1, 2, 3});
    truth.scale = 1.7f;
    std::vector<Vec3f> from, to;
    for (const Vec3f& p : sample_surface(bust().scalp, 100)) {
        from.push_back(p);
        to.push_back(apply(truth, p));
    }
    const Placement fitted = fit_similarity(from, to, 0.1f, 10);
    for (std::size_t k = 0; k < from.size(); ++k)
        EXPECT_LT(norm(apply(fitted, from[k]) - to[k]), 1e-5f);
}

TEST(fitted_sphere, recovers_centre_and_radius_from_a_cap) {
    std::vector<Vec3f> cap;
    for (int k = 0; k < 200; ++k) {
        const float a = 2.4f * static_cast<float>(k), r = static_cast<float>(k) / 250;
        cap.push_back(Vec3f{1, 2, 3} +
                      Vec3f{r * std::cos(a), r * std::sin(a), std::sqrt(1 - r * r)} * 0.1f);
    }
    const FittedSphere sphere = fit_sphere(cap);
    EXPECT_NEAR(sphere.radius, 0.1f, 0.002f);
    EXPECT_LT(norm(sphere.centre - Vec3f{1, 2, 3}), 0.002f);
}

struct Imported {
    HeadMesh head;
    StrandSet strands;
    Messages messages;
    std::vector<Vec3f> roots() const {
        std::vector<Vec3f> out;
        for (int s = 0; s < strands.strand_count(); ++s) out.push_back(strands.position.vec3(s, 0));
        return out;
    }
};

Imported import_on(const std::string& mesh, const std::string& groom,
                   const std::function<void(Scene&)>& edit = {}) {
    Scene scene;
    scene.folder = kData.string();
    scene.groom.mesh = mesh;
    scene.groom.import.file = groom;
    scene.groom.import.max_strands = 2000;
    if (edit) edit(scene);
    Imported out;
    Result<Mesh> read = load_head_mesh(scene);
    EXPECT_TRUE(read);
    if (!read) return out;
    out.head.mesh = std::move(*read);
    EXPECT_TRUE(prepare_head(scene, out.head));
    Result<StrandSet> strands = load_groom(scene, {}, out.head, out.messages, TaskPool(1));
    EXPECT_TRUE(strands) << (strands ? "" : strands.error().text());
    if (strands) out.strands = std::move(*strands);
    return out;
}

void expect_on_scalp(const Imported& imported, float mean, float most) {
    const Mesh& mesh = imported.head.mesh;
    const RootDistances left =
        measure_roots(imported.roots(), scalp_patch(mesh, find_landmarks(mesh)));
    EXPECT_LT(left.mean, mean);
    EXPECT_LT(left.worst, most);
    ASSERT_EQ(imported.messages.assumptions.size(), 1u);
    EXPECT_NE(imported.messages.assumptions[0].find("mm from the skin on average"),
              std::string::npos)
        << imported.messages.assumptions[0];
}

TEST(imported_groom, in_metres_lands_on_its_own_bust_in_centimetres) {
    if (!fs::exists(kData)) GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    const Imported imported = import_on("sintel_bust.obj", "sintel_hair.tfx");
    ASSERT_FALSE(imported.head.messages.assumptions.empty());
    EXPECT_EQ(imported.head.messages.assumptions[0],
              "sintel_bust.obj: taken as centimetres, +Y up, facing +Z (set groom.mesh_units, "
              "groom.mesh_up, groom.mesh_facing)");
    expect_on_scalp(imported, 0.001f, 0.03f);
    EXPECT_EQ(imported.messages.assumptions[0].find("sintel_hair.tfx: taken as metres, +Y up"), 0u);
}

TEST(imported_groom, in_the_coordinates_of_the_head_s_file_is_placed_like_the_head) {
    if (!fs::exists(kData)) GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    const Imported imported = import_on("sintel_bust.obj", "sintel_guides.tfx");
    ASSERT_EQ(imported.messages.assumptions.size(), 1u);
    EXPECT_NE(imported.messages.assumptions[0].find("unit and axes of groom.mesh"),
              std::string::npos);
    EXPECT_LT(measure_roots(imported.roots(), imported.head.mesh).worst, 0.02f);
}

TEST(imported_groom, lands_on_another_head) {
    if (!fs::exists(kData)) GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    expect_on_scalp(import_on("builtin:bust.obj", "sintel_hair.tfx"), 0.006f, 0.05f);
}

// The share of the roots within `reach` metres of a point.
float share_near(const std::vector<Vec3f>& roots, Vec3f point, float reach) {
    const auto near =
        std::ranges::count_if(roots, [&](Vec3f root) { return norm(root - point) < reach; });
    return static_cast<float>(near) / static_cast<float>(roots.size());
}

// A mane that runs down the back of a creature. A rigid fit would put it at the back of the head.
TEST(imported_groom, of_a_mane_is_laid_over_the_head_from_hairline_to_nape) {
    if (!fs::exists(kData)) GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    const Imported imported = import_on("builtin:bust.obj", "ratboy_mohawk.tfx");
    ASSERT_EQ(imported.messages.assumptions.size(), 1u);
    EXPECT_NE(imported.messages.assumptions[0].find("laid over the middle of the scalp"),
              std::string::npos);
    const std::vector<Vec3f> roots = imported.roots();
    EXPECT_LT(measure_roots(roots, imported.head.mesh).worst, 1e-3f);
    EXPECT_GT(share_near(roots, bust().marks.crown, 0.05f), 0.1f);
    const auto by_z = [](Vec3f a, Vec3f b) { return a.z < b.z; };
    const auto [back, front] = std::ranges::minmax_element(roots, by_z);
    EXPECT_GT(front->z - back->z, 0.8f * bust().marks.head_depth);
    const auto wide = std::ranges::count_if(
        roots, [](Vec3f root) { return std::abs(root.x - bust().marks.centre.x) > 0.06f; });
    EXPECT_LT(wide, std::ssize(roots) / 10);
}

// A strip in a vertical plane, of any unit, with strands that point backwards.
TEST(strip_wrap, lays_a_straight_strip_over_the_scalp) {
    std::vector<Vec3f> roots;
    for (int k = 0; k < 400; ++k)
        roots.push_back({static_cast<float>(k % 8) - 3.5f, 100 - 0.2f * static_cast<float>(k), 5});
    std::vector<Vec3f> round = sample_surface(bust().scalp, 400);
    EXPECT_FALSE(find_strip(round)) << "a whole scalp is no strip";
    const std::optional<Midline> strip = find_strip(roots), over = find_midline(bust().scalp);
    ASSERT_TRUE(strip && over);
    EXPECT_NEAR(strip->length(), 80, 3);
    EXPECT_GT(over->length(), 0.2f);
    EXPECT_LT(over->length(), 0.42f);
    StrandSet strands{StrandLayout(std::vector<int>(400, 2), roots)};
    for (int s = 0; s < 400; ++s) {
        const Vec3f root = roots[static_cast<std::size_t>(s)];
        strands.position.set_vec3(s, 0, root);
        strands.position.set_vec3(s, 1, root + Vec3f{0, 0, -10});
    }
    const float scale = over->length() / strip->length();
    wrap_strip(*strip, *over, bust().scalp, scale, Placement{}, strands);
    for (int s = 0; s < 400; ++s) {
        const Vec3f root = strands.position.vec3(s, 0);
        const Vec3f strand = strands.position.vec3(s, 1) - root;
        EXPECT_NEAR(norm(strand), 10 * scale, 1e-4f);
        EXPECT_GT(dot(strand, root - bust().marks.centre), 0) << "outwards, strand " << s;
    }
    EXPECT_GT(strands.position.vec3(0, 0).z, bust().marks.centre.z);
    EXPECT_LT(strands.position.vec3(399, 0).z, bust().marks.centre.z);
}

TEST(imported_groom, made_for_another_head_has_its_roots_on_the_scalp) {
    if (!fs::exists(kData)) GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    const auto worst_root = [](GroomFit fit) {
        const Imported imported = import_on("builtin:bust.obj", "sintel_hair.tfx",
                                            [&](Scene& scene) { scene.groom.import.fit = fit; });
        Scene scene;
        return measure_roots(imported.roots(), scalp_of(scene, imported.head.mesh)).worst;
    };
    EXPECT_LT(worst_root(GroomFit::automatic), 1e-4f);
    EXPECT_GT(worst_root(GroomFit::rigid), 0.01f);
}

TEST(imported_groom, snaps_to_the_scalp) {
    if (!fs::exists(kData)) GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    const Imported imported = import_on("builtin:bust.obj", "sintel_hair.tfx",
                                        [](Scene& scene) { scene.groom.import.snap = true; });
    Scene scene;
    EXPECT_LT(measure_roots(imported.roots(), scalp_of(scene, imported.head.mesh)).worst, 1e-4f);
}

TEST(imported_groom, keeps_its_place_and_its_bits_where_a_fit_is_not_wanted) {
    if (!fs::exists(kData)) GTEST_SKIP() << "no ../shared/data: the real groom is not there";
    const Imported imported = import_on("builtin:bust.obj", "sintel_hair.tfx", [](Scene& scene) {
        scene.groom.import.fit = GroomFit::none;
    });
    EXPECT_TRUE(imported.messages.empty());
    EXPECT_GT(imported.roots()[0].y, 1.4f);
}

}  // namespace
}  // namespace ringlet
