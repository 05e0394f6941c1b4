// The scalp "auto": roots on heads without groups or UVs, compared with masks of their scalps.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "groom/grow.h"
#include "groom/roots.h"
#include "io/mesh_format.h"
#include "test_level.h"
#include "test_paths.h"
#include "unit/scalp_mask.h"

namespace ringlet {
namespace {

const std::filesystem::path kSource = kSourceFolder;
constexpr int kRoots = 6000;

// A head without materials, groups and UVs, in metres.
Mesh bare_head(const std::filesystem::path& path, float scale) {
    Result<Mesh> mesh = read_mesh(path);
    EXPECT_TRUE(mesh) << path;
    if (!mesh) return {};
    for (Vec3f& p : mesh->positions) p = p * scale;
    mesh->materials.clear();
    mesh->groups.clear();
    mesh->uvs.assign(mesh->uvs.size(), {0, 0});
    mesh->triangle_material.assign(mesh->indices.size() / 3, -1);
    mesh->triangle_group.assign(mesh->indices.size() / 3, -1);
    return *mesh;
}

Mesh bust_head() { return bare_head(kSource / "scenes/assets/bust.obj", 1); }

const std::filesystem::path kSintel = kSource.parent_path() / "shared/data/sintel_bust.obj";
Mesh sintel() { return bare_head(kSintel, 0.01f); }

ScalpFit fit_of(const Mesh& mesh, const std::string& mask) {
    const Result<std::vector<Root>> roots = scatter_roots(mesh, {.scalp = "auto"}, kRoots);
    EXPECT_TRUE(roots) << roots.error().message;
    if (!roots) return {};
    std::vector<Vec3f> positions;
    for (const Root& root : *roots) positions.push_back(root.position);
    return measure_scalp(load_scalp_mask(mask), positions);
}

void expect_good(const Mesh& mesh, const std::string& mask) {
    const ScalpFit fit = fit_of(mesh, mask);
    EXPECT_GE(fit.inside, 0.95) << mask;
    EXPECT_GE(fit.covered, 0.90) << mask;
}

// Keeps the triangles for which `keeps` is true.
template <class Keep>
Mesh with_triangles(Mesh mesh, const Keep& keeps) {
    Mesh out = mesh;
    out.indices.clear();
    for (int t = 0; t < mesh.triangle_count(); ++t)
        if (keeps(t))
            for (int k = 0; k < 3; ++k)
                out.indices.push_back(
                    mesh.indices[static_cast<std::size_t>(t) * 3 + static_cast<std::size_t>(k)]);
    out.triangle_material.assign(out.indices.size() / 3, -1);
    out.triangle_group.assign(out.indices.size() / 3, -1);
    return out;
}

// Adds each triangle again with the opposite winding.
Mesh doubled(Mesh mesh) {
    const std::vector<std::uint32_t> once = mesh.indices;
    for (std::size_t i = 0; i < once.size(); i += 3)
        mesh.indices.insert(mesh.indices.end(), {once[i], once[i + 2], once[i + 1]});
    mesh.triangle_material.assign(mesh.indices.size() / 3, -1);
    mesh.triangle_group.assign(mesh.indices.size() / 3, -1);
    compute_smooth_normals(mesh);
    return mesh;
}

// Splits each triangle into four, without smoothing.
Mesh subdivided(const Mesh& mesh) {
    Mesh out = mesh;
    out.indices.clear();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [found, is_new] = middles.try_emplace(
            std::minmax(a, b), static_cast<std::uint32_t>(out.positions.size()));
        if (is_new) {
            out.positions.push_back((mesh.positions[a] + mesh.positions[b]) * 0.5f);
            out.normals.push_back(unit_or(mesh.normals[a] + mesh.normals[b], Vec3f{0, 1, 0}));
            out.uvs.push_back({0, 0});
        }
        return found->second;
    };
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
        const std::uint32_t a = mesh.indices[i], b = mesh.indices[i + 1], c = mesh.indices[i + 2];
        const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        out.indices.insert(out.indices.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
    }
    out.triangle_material.assign(out.indices.size() / 3, -1);
    out.triangle_group.assign(out.indices.size() / 3, -1);
    return out;
}

void expect_good_variants(const Mesh& head, const std::string& mask) {
    expect_good(head, mask);
    expect_good(with_triangles(head, [](int t) { return t * 7 % 5 != 0; }), mask);
    expect_good(doubled(head), mask);
}

TEST(scalp_mask, tells_a_scalp_from_a_face) {
    const ScalpMask mask = load_scalp_mask("bust");
    ASSERT_GT(mask.size(), 300u);
    const ScalpFit same = measure_scalp(mask, mask);
    EXPECT_EQ(same.inside, 1);
    EXPECT_EQ(same.covered, 1);
    const Result<std::vector<Root>> everywhere = scatter_roots(bust_head(), {.scalp = ""}, kRoots);
    ASSERT_TRUE(everywhere);
    std::vector<Vec3f> positions;
    for (const Root& root : *everywhere) positions.push_back(root.position);
    EXPECT_LT(measure_scalp(mask, positions).inside, 0.5);
}

TEST(auto_scalp, finds_the_scalp_of_the_bust) { expect_good_variants(bust_head(), "bust"); }

TEST(auto_scalp, finds_the_scalp_of_another_head) {
    if (!std::filesystem::exists(kSintel)) GTEST_SKIP() << "no ../shared/data";
    expect_good_variants(sintel(), "sintel");
}

TEST(auto_scalp, ignores_parts_on_which_no_hair_grows) {
    Mesh mesh = bust_head();
    // A hat: a triangle above the head, as a part of its own.
    mesh.triangle_part.assign(mesh.indices.size() / 3, 0);
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const float x : {-0.2f, 0.0f, 0.2f}) {
        mesh.positions.push_back({x, 0.6f + std::abs(x), 0});
        mesh.normals.push_back({0, 1, 0});
        mesh.uvs.push_back({0, 0});
    }
    mesh.indices.insert(mesh.indices.end(), {first, first + 1, first + 2});
    mesh.triangle_material.push_back(-1);
    mesh.triangle_group.push_back(-1);
    mesh.triangle_part.push_back(1);
    mesh.parts = {"head", "hat"};
    mesh.grows_hair = {true, false};
    expect_good(mesh, "bust");
}

TEST(auto_scalp, finds_the_scalp_in_a_million_triangles) {
    RINGLET_TEST_FROM(full);
    Mesh fine = bust_head();
    while (fine.triangle_count() < 1600000) fine = subdivided(fine);
    expect_good(fine, "bust");
}

TEST(auto_scalp, is_symmetric_and_soft_at_its_edge) {
    const Skull skull = find_skull(bust_head());
    const Hairline line(skull);
    const Vec3f front = skull.centre + Vec3f{0, 0.3f, 0.9f} * (0.5f * skull.length);
    for (const float x : {0.01f, 0.04f, 0.07f})
        EXPECT_EQ(line.depth({skull.centre.x + x, front.y, front.z}),
                  line.depth({skull.centre.x - x, front.y, front.z}));
    // Towards the crown the weight rises from 0 to 1 within about a centimetre.
    float first = 0, full = 0;
    for (float angle = 0; angle < 1.5f; angle += 0.001f) {
        const SinCos<float> at = sin_cos(angle);
        const Vec3f out{0, at.sin, at.cos};
        const float weight = line.weight(skull.centre + out * 0.1f, out);
        if (weight > 0 && first == 0) first = angle;
        if (weight >= 1 && full == 0) full = angle;
    }
    EXPECT_NEAR((full - first) * 0.1f, Hairline::kSoftEdge, 0.003f);
}

TEST(auto_scalp, grows_short_hair_at_its_edge_and_outwards_on_doubled_faces) {
    GroomSettings settings;
    settings.scalp = "auto";
    settings.strands = 3000;
    settings.vertices = 4;
    settings.length = 0.02f;
    settings.length_variation = 0;
    const Mesh head = doubled(bust_head());
    const Result<std::vector<Root>> roots = scatter_roots(head, root_rules(settings, {}), 3000);
    ASSERT_TRUE(roots);
    const Skull skull = find_skull(head);
    int edge = 0;
    for (const Root& root : *roots) {
        EXPECT_GE(dot(root.normal, root.position - skull.centre), 0);
        edge += root.soft < 0.5f;
    }
    EXPECT_GT(edge, 10);
    const Result<StrandSet> grown = grow(settings, {}, bust_head(), TaskPool(1));
    ASSERT_TRUE(grown);
    float shortest = 1;
    for (int s = 0; s < grown->strand_count(); ++s)
        shortest =
            std::min(shortest, norm(grown->position.vec3(s, 3) - grown->position.vec3(s, 0)));
    EXPECT_LT(shortest, 0.6f * settings.length);
}

}  // namespace
}  // namespace ringlet
