// Choosing the part of a mesh that hair grows on, and preparing the head of a scene.
#include "fit/head_parts.h"

#include <gtest/gtest.h>

#include "groom/roots.h"
#include "head_variants.h"
#include "session/assets/head_source.h"
#include "session/assets/scene_source.h"

namespace ringlet {
namespace {

Mesh bust() {
    const Result<Mesh> read = load_mesh({}, "groom.mesh", "builtin:bust.obj");
    Mesh out = read ? *read : Mesh{};
    out.parts.clear();
    out.triangle_part.clear();
    return out;
}

// Appends `more` as a part of its own.
void append(const Mesh& more, const std::string& name, Mesh& mesh) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    const auto part = static_cast<std::int32_t>(mesh.parts.size());
    mesh.positions.insert(mesh.positions.end(), more.positions.begin(), more.positions.end());
    mesh.normals.insert(mesh.normals.end(), more.normals.begin(), more.normals.end());
    mesh.uvs.resize(mesh.positions.size(), {0, 0});
    for (const std::uint32_t i : more.indices) mesh.indices.push_back(first + i);
    mesh.triangle_part.resize(mesh.indices.size() / 3, part);
    mesh.triangle_material.resize(mesh.indices.size() / 3, -1);
    mesh.triangle_group.resize(mesh.indices.size() / 3, -1);
    mesh.parts.push_back(name);
}

Mesh shifted(Mesh mesh, float scale, Vec3f offset) {
    for (Vec3f& p : mesh.positions) p = p * scale + offset;
    return mesh;
}

// A head among eyes, which are small copies of it, and a large flat floor.
Mesh scene_of_parts(const std::string& head_name) {
    Mesh out, floor = without(bust(), [](std::size_t) { return true; });
    floor.positions = {{-2, 0, -2}, {2, 0, -2}, {0, 0, 2}};
    floor.normals.assign(3, {0, 1, 0});
    floor.indices = {0, 2, 1};
    append(shifted(bust(), 0.05f, {0.03f, 0.38f, 0.07f}), "Eye_L", out);
    append(floor, "ground", out);
    append(bust(), head_name, out);
    append(shifted(bust(), 0.05f, {-0.03f, 0.38f, 0.07f}), "Eye_R", out);
    return out;
}

TEST(head_parts, are_found_by_name_and_by_shape) {
    for (const char* name : {"Head", "CC_Base_Body", "mesh.003"}) {
        Messages messages;
        const Result<std::vector<bool>> parts = choose_head_parts(
            scene_of_parts(name), "auto", "groom.mesh_part", "girl.glb", messages);
        ASSERT_TRUE(parts);
        EXPECT_EQ(*parts, (std::vector<bool>{false, false, true, false})) << name;
        ASSERT_EQ(messages.assumptions.size(), 1u);
        EXPECT_EQ(messages.assumptions[0], std::string("girl.glb: hair grows on the part \"") +
                                               name + "\" of 4 (set groom.mesh_part)");
    }
}

TEST(head_parts, can_be_chosen_and_a_wrong_name_gets_a_suggestion) {
    const Mesh mesh = scene_of_parts("Head_geo");
    Messages messages;
    const auto choose = [&](const std::string& wanted) {
        return choose_head_parts(mesh, wanted, "groom.mesh_part", "girl.glb", messages);
    };
    EXPECT_TRUE(choose("all")->empty());
    EXPECT_EQ(*choose("eye_l"), (std::vector<bool>{true, false, false, false}));
    EXPECT_TRUE(messages.assumptions.empty());
    const Result<std::vector<bool>> wrong = choose("head");
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().text().find("did you mean \"Head_geo\"?"), std::string::npos);
    EXPECT_NE(choose("nose").error().text().find("the parts are Eye_L, ground"), std::string::npos);
}

TEST(head_parts, that_share_vertices_are_one_surface) {
    Mesh mesh = bust();
    mesh.parts = {"scalp", "skin"};
    for (int t = 0; t < mesh.triangle_count(); ++t)
        mesh.triangle_part.push_back(mesh.corner(t, 0).y > 0.4f ? 0 : 1);
    Messages messages;
    const auto parts = choose_head_parts(mesh, "auto", "groom.mesh_part", "head.obj", messages);
    ASSERT_TRUE(parts);
    EXPECT_TRUE(parts->empty());
    EXPECT_TRUE(messages.assumptions.empty());
}

TEST(prepared_head, grows_no_hair_on_its_eyes) {
    Scene scene;
    scene.groom.mesh = "girl.glb";
    HeadMesh head{scaled(scene_of_parts("Head"), 100)};
    ASSERT_TRUE(prepare_head(scene, head));
    EXPECT_EQ(head.placement.scale, 0.01f);
    EXPECT_EQ(head.messages.assumptions.size(), 2u);
    EXPECT_NEAR(bounds_of(head.mesh).high.y, 0.5f, 0.001f);
    const Result<std::vector<Root>> roots =
        scatter_roots(head.mesh, {.scalp = "", .facing_up = -1}, 500);
    ASSERT_TRUE(roots);
    for (const Root& root : *roots)
        EXPECT_TRUE(head.mesh.may_grow_hair(root.triangle)) << root.triangle;
}

TEST(prepared_head, of_a_built_in_mesh_keeps_its_bits) {
    Scene scene;
    scene.groom.mesh = "builtin:bust.obj";
    HeadMesh head{bust()};
    ASSERT_TRUE(prepare_head(scene, head));
    EXPECT_TRUE(head.messages.empty());
    EXPECT_TRUE(head.placement.is_identity());
    EXPECT_EQ(head.mesh.indices, bust().indices);
}

TEST(prepared_head, places_the_shapes_of_its_sequence_alike) {
    const Placement placement = rotate_and_move({0, 0, 90}, {1, 0, 0});
    auto shapes = std::make_shared<MeshSequence>();
    shapes->frames = {{{1, 0, 0}}};
    const auto placed = placed_shapes(shapes, placement);
    EXPECT_LT(norm(placed->frames[0][0] - Vec3f{1, 1, 0}), 1e-6f);
    EXPECT_EQ(placed_shapes(shapes, {}).get(), shapes.get());
}

}  // namespace
}  // namespace ringlet
