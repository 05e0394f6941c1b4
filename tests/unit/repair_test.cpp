// Repair of winding, repeated faces and normals.
#include "fit/repair.h"

#include <gtest/gtest.h>

#include "head_variants.h"
#include "io/mesh_format.h"
#include "test_paths.h"

namespace ringlet {
namespace {

const Mesh& bust() {
    static const Mesh mesh = [] {
        const Result<Mesh> read =
            read_mesh(std::filesystem::path(kSourceFolder) / "scenes/assets/bust.obj");
        return read ? *read : Mesh{};
    }();
    return mesh;
}

struct Repaired {
    Mesh mesh;
    Messages messages;
    std::string warning() const {
        return messages.warnings.empty() ? "" : messages.warnings.front().text;
    }
};

Repaired repair(Mesh mesh) {
    Repaired out{std::move(mesh), {}};
    const Result<void> done = repair_mesh(out.mesh, "head.obj", out.messages);
    EXPECT_TRUE(done) << (done ? "" : done.error().text());
    return out;
}

double volume_of(const Mesh& mesh) {
    double sum = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t)
        sum += static_cast<double>(
                   dot(mesh.corner(t, 0), cross(mesh.corner(t, 1), mesh.corner(t, 2)))) /
               6;
    return sum;
}

// Share of the triangles whose normals point to the side from which they are counter-clockwise.
double agreement(const Mesh& mesh) {
    int good = 0, all = 0;
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        const Vec3f n = area_normal(mesh, t);
        if (!(norm(n) > 0)) continue;
        ++all;
        Vec3f mean{0, 0, 0};
        for (std::size_t k = 0; k < 3; ++k)
            mean += mesh.normals[mesh.indices[static_cast<std::size_t>(t) * 3 + k]];
        good += dot(n, mean) > 0;
    }
    return static_cast<double>(good) / all;
}

TEST(repair, keeps_the_bits_of_a_sound_mesh) {
    const Repaired out = repair(bust());
    EXPECT_TRUE(out.messages.warnings.empty());
    EXPECT_EQ(out.mesh.indices, bust().indices);
    EXPECT_EQ(std::memcmp(out.mesh.normals.data(), bust().normals.data(),
                          bust().normals.size() * sizeof(Vec3f)),
              0);
}

TEST(repair, turns_an_inside_out_mesh_and_says_so) {
    const Repaired out = repair(with_flipped_winding(bust()));
    EXPECT_EQ(out.mesh.indices.size(), bust().indices.size());
    EXPECT_NEAR(volume_of(out.mesh), volume_of(bust()), 1e-6);
    EXPECT_GT(agreement(out.mesh), 0.99);
    const std::string count = std::to_string(bust().triangle_count());
    EXPECT_EQ(out.warning(),
              count + " of " + count + " faces were wound inside out and were turned around");
}

TEST(repair, turns_an_inside_out_mesh_whose_normals_point_inwards) {
    Mesh mesh = with_flipped_winding(bust());
    compute_smooth_normals(mesh);
    const Repaired out = repair(mesh);
    EXPECT_GT(volume_of(out.mesh), 0);
    EXPECT_GT(agreement(out.mesh), 0.99);
}

TEST(repair, turns_mirrored_and_damaged_heads) {
    EXPECT_NEAR(volume_of(repair(mirrored(bust())).mesh), volume_of(bust()), 1e-6);
    EXPECT_GT(agreement(repair(mirrored(bust())).mesh), 0.99);
    const Mesh holes = with_flipped_winding(without_a_fifth(bust()));
    const Repaired out = repair(holes);
    EXPECT_EQ(out.mesh.indices, without_a_fifth(bust()).indices);
}

TEST(repair, turns_single_faces) {
    Mesh mesh = bust();
    for (std::size_t t = 0; t < mesh.indices.size() / 3; t += 10)
        std::swap(mesh.indices[3 * t + 1], mesh.indices[3 * t + 2]);
    const Repaired out = repair(mesh);
    EXPECT_NEAR(volume_of(out.mesh), volume_of(bust()), 1e-6);
    EXPECT_GT(agreement(out.mesh), 0.99);
}

TEST(repair, collapses_doubled_faces) {
    const Mesh mesh = with_doubled_faces(bust());
    const Repaired out = repair(mesh);
    EXPECT_EQ(out.mesh.indices.size(), mesh.indices.size());
    EXPECT_NEAR(volume_of(out.mesh), volume_of(bust()), 1e-6);
    EXPECT_GT(agreement(out.mesh), 0.99);
    EXPECT_NE(out.warning().find("faces repeat another face"), std::string::npos);
}

// Readers compute missing normals from faces of both windings, whose areas cancel out.
TEST(repair, smooths_the_normals_of_doubled_faces) {
    Mesh mesh = with_doubled_faces(bust());
    compute_smooth_normals(mesh);
    const Mesh repaired = repair(mesh).mesh, wanted = with_smooth_normals(bust());
    ASSERT_EQ(repaired.normals.size(), wanted.normals.size());
    for (std::size_t v = 0; v < wanted.normals.size(); ++v)
        EXPECT_GT(dot(repaired.normals[v], wanted.normals[v]), 0.99f) << v;
}

TEST(repair, computes_normals_that_are_missing_or_against_the_winding) {
    Mesh mesh = bust();
    mesh.normals.clear();
    EXPECT_GT(agreement(repair(mesh).mesh), 0.99);
    mesh = bust();
    for (Vec3f& n : mesh.normals) n = -n;
    const Repaired out = repair(mesh);
    EXPECT_GT(agreement(out.mesh), 0.99);
    EXPECT_EQ(out.mesh.indices, bust().indices);
    EXPECT_NE(out.warning().find("normals pointed into the mesh"), std::string::npos);
}

TEST(repair, refuses_positions_that_are_not_finite_and_meshes_without_a_surface) {
    Mesh mesh = bust();
    mesh.positions[7].y = std::numeric_limits<float>::quiet_NaN();
    Messages messages;
    Result<void> done = repair_mesh(mesh, "head.obj", messages);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("vertex 7"), std::string::npos);
    EXPECT_NE(done.error().text().find("head.obj"), std::string::npos);
    mesh = scaled(bust(), 0);
    done = repair_mesh(mesh, "head.obj", messages);
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().text().find("no surface"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
