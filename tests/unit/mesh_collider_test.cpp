// Ellipsoids and meshes as bodies: distances and normals against closed forms and exact searches.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <random>

#include "collide/collider.h"
#include "collide/mesh_body.h"
#include "geom/bvh.h"
#include "math/wide8.h"
#include "session/assets/scene_source.h"
#include "session/live/session_impl.h"
#include "unit/box_mesh.h"
#include "unit/sphere_mesh.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

using Wide = Wide8<IsaPortable>;

const TaskPool& pool() {
    static const TaskPool two(2);
    return two;
}

std::shared_ptr<const MeshBody> body_of(Mesh mesh, MeshBodySettings settings = {}) {
    Result<std::shared_ptr<const MeshBody>> made =
        MeshBody::make(std::move(mesh), settings, pool());
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    return made ? *made : nullptr;
}

PlacedCollider placed(const std::shared_ptr<const MeshBody>& body, Collider collider = {},
                      const Rigidf& head = {}) {
    collider.shape = ColliderShape::mesh;
    collider.body = body;
    return place(collider, head, head);
}

// Points all over a cube about the origin.
std::vector<Vec3f> points_in_cube(float half, int count, std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-half, half);
    std::vector<Vec3f> out;
    for (int k = 0; k < count; ++k)
        out.push_back({uniform(random), uniform(random), uniform(random)});
    return out;
}

double degrees_between(Vec3f a, Vec3f b) {
    return std::atan2(static_cast<double>(norm(cross(a, b))), static_cast<double>(dot(a, b))) *
           180 / std::acos(-1.0);
}

// By bisection in double (Eberly 2013).
double distance_to_ellipsoid(Vec3f radii, Vec3f point) {
    const double r[3] = {radii.x, radii.y, radii.z};
    const double y[3] = {std::abs(point.x), std::abs(point.y), std::abs(point.z)};
    const double least = std::min({r[0], r[1], r[2]});
    double low = -least * least, high = 10 * (y[0] + y[1] + y[2] + r[0] + r[1] + r[2]);
    const auto nearest = [&](int i, double t) { return r[i] * r[i] * y[i] / (t + r[i] * r[i]); };
    double inside = -1;
    for (int i = 0; i < 3; ++i) inside += y[i] * y[i] / (r[i] * r[i]);
    for (int k = 0; k < 200; ++k) {
        const double t = 0.5 * (low + high);
        double sum = -1;
        for (int i = 0; i < 3; ++i) sum += std::pow(nearest(i, t) / r[i], 2);
        (sum > 0 ? low : high) = t;
    }
    double squared = 0;
    for (int i = 0; i < 3; ++i) squared += std::pow(y[i] - nearest(i, high), 2);
    return (inside < 0 ? -1 : 1) * std::sqrt(squared);
}

TEST(ellipsoid, distance_is_the_closed_form_and_never_more) {
    for (const Vec3f radii : {Vec3f{0.1f, 0.05f, 0.2f}, Vec3f{0.3f, 0.02f, 0.02f},
                              Vec3f{0.1f, 0.1f, 0.1f}, Vec3f{0.2f, 0.2f, 0.01f}}) {
        // A thin disc needs more steps for its rim than there are.
        const bool is_disc = radii.z < 0.1f * radii.y;
        double least = 0, most = 0;
        for (const Vec3f p : points_in_cube(0.3f, 4000)) {
            const double want = distance_to_ellipsoid(radii, p);
            const double got = static_cast<double>(nearest_on_ellipsoid(radii, p).distance) - want;
            least = std::min(least, got);
            most = std::max(most, got);
        }
        EXPECT_GT(least, is_disc ? -1e-4 : -1e-6) << radii.z;
        EXPECT_LT(most, 1e-6) << radii.z;
        EXPECT_LT(least, most);  // something was compared
    }
}

TEST(ellipsoid, normal_leads_to_the_surface) {
    const Vec3f radii{0.1f, 0.05f, 0.2f};
    for (const Vec3f p : points_in_cube(0.3f, 2000)) {
        const SurfacePoint<float> at = nearest_on_ellipsoid(radii, p);
        const Vec3f q = p - at.normal * at.distance;
        const Vec3f relative{q.x / radii.x, q.y / radii.y, q.z / radii.z};
        EXPECT_NEAR(norm(relative), 1, 2e-3) << p.x << " " << p.y << " " << p.z;
        EXPECT_NEAR(norm(at.normal), 1, 1e-5);
    }
    // Even from its middle there is a way out, the shortest.
    const SurfacePoint<float> middle = nearest_on_ellipsoid(radii, Vec3f{0, 0, 0});
    EXPECT_NEAR(middle.distance, -0.05f, 1e-5f);
    EXPECT_NEAR(std::abs(middle.normal.y), 1, 1e-2);
}

TEST(ellipsoid, without_thickness_is_a_tenth_of_a_millimetre_thin) {
    Collider collider;
    collider.shape = ColliderShape::ellipsoid;
    collider.radii = {0.1f, 0, 0.1f};
    const PlacedCollider disc = place(collider, {}, {});
    const SurfacePoint<float> above = nearest_surface(disc, Vec3f{0.02f, 0.05f, 0});
    EXPECT_NEAR(above.distance, 0.05f - 1e-4f, 2e-5f);
    EXPECT_NEAR(above.normal.y, 1, 1e-3);
}

TEST(ellipsoid, is_placed_turned_and_moved_with_the_head) {
    Collider collider;
    collider.shape = ColliderShape::ellipsoid;
    collider.centre = {0.1f, 0.2f, 0};
    collider.radii = {0.3f, 0.1f, 0.1f};
    collider.rotate_degrees = {0, 0, 90};  // its long axis now points up
    const Rigidf head{quat_from_axis_angle(Vec3f{0, 1, 0}, kPi / 2), {1, 0, 0}};
    const PlacedCollider body = place(collider, {}, head);
    const Vec3f centre = apply(head, collider.centre);
    const SurfacePoint<float> above = nearest_surface(body, centre + Vec3f{0, 0.5f, 0});
    EXPECT_NEAR(above.distance, 0.2f, 1e-5f);
    EXPECT_NEAR(above.normal.y, 1, 1e-4);
    EXPECT_NEAR(nearest_surface(body, centre + Vec3f{0.5f, 0, 0}).distance, 0.4f, 1e-5f);
    EXPECT_LT(norm(apply(body.motion, collider.centre) - centre), 1e-6f);
    collider.attached = false;
    EXPECT_NEAR(nearest_surface(place(collider, {}, head), Vec3f{0.1f, 0.7f, 0}).distance, 0.2f,
                1e-5f);
}

struct Accuracy {
    double worst = 0, mean = 0;                  // of distances, in cells
    double worst_degrees = 0, mean_degrees = 0;  // of normals
    int count = 0;
};

// Errors of a body within `reach` of its surface; truth(p) is the exact distance and normal.
template <class Truth>
Accuracy accuracy_of(const MeshBody& body, const std::vector<Vec3f>& points, float reach,
                     Truth truth) {
    Accuracy out;
    for (const Vec3f p : points) {
        const SurfacePoint<float> want = truth(p);
        if (!(std::abs(want.distance) < reach)) continue;
        const SurfacePoint<float> got = sample_grid(body.grid(), p);
        const double error =
            std::abs(static_cast<double>((got.distance - want.distance) / body.cell()));
        const double turned = degrees_between(got.normal, want.normal);
        out.worst = std::max(out.worst, error);
        out.mean += error;
        out.worst_degrees = std::max(out.worst_degrees, turned);
        out.mean_degrees += turned;
        ++out.count;
    }
    out.mean /= std::max(out.count, 1);
    out.mean_degrees /= std::max(out.count, 1);
    testing::Test::RecordProperty("cell_mm",
                                  std::to_string(1e3 * static_cast<double>(body.cell())));
    testing::Test::RecordProperty("worst_cells", std::to_string(out.worst));
    testing::Test::RecordProperty("mean_cells", std::to_string(out.mean));
    testing::Test::RecordProperty("worst_degrees", std::to_string(out.worst_degrees));
    testing::Test::RecordProperty("mean_degrees", std::to_string(out.mean_degrees));
    return out;
}

TEST(mesh_body, of_a_ball_has_the_balls_distances_and_normals) {
    const auto body = body_of(sphere_mesh({0.02f, 0, -0.01f}, 0.1f, 64), {.cell = 0.004f});
    ASSERT_TRUE(body);
    EXPECT_EQ(body->thickness(), 0);
    const Accuracy got = accuracy_of(*body, points_in_cube(0.14f, 20000), 0.03f, [](Vec3f p) {
        const Vec3f out = p - Vec3f{0.02f, 0, -0.01f};
        return SurfacePoint<float>{norm(out) - 0.1f, unit_or(out, {0, 1, 0})};
    });
    EXPECT_GT(got.count, 3000);
    EXPECT_LT(got.worst, 0.05);
    EXPECT_LT(got.mean, 0.02);
    EXPECT_LT(got.worst_degrees, 3);
    EXPECT_LT(got.mean_degrees, 1);
}

TEST(mesh_body, of_a_box_has_the_boxs_distances) {
    const Vec3f half{0.1f, 0.05f, 0.07f};
    const auto body = body_of(box_mesh(half), {.cell = 0.004f});
    ASSERT_TRUE(body);
    const Accuracy got = accuracy_of(*body, points_in_cube(0.14f, 20000), 0.03f, [&](Vec3f p) {
        const Vec3f q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
        const Vec3f out{max(q.x, 0), max(q.y, 0), max(q.z, 0)};
        const float inside = min(max(max(q.x, q.y), q.z), 0);
        return SurfacePoint<float>{norm(out) + inside, {0, 1, 0}};
    });
    EXPECT_GT(got.count, 3000);
    EXPECT_LT(got.worst, 0.5);  // across its edges, where the truth has a crease
    EXPECT_LT(got.mean, 0.02);
    EXPECT_NEAR(sample_grid(body->grid(), Vec3f{0.11f, 0.01f, 0.02f}).distance, 0.01f, 1e-5f);
    EXPECT_NEAR(sample_grid(body->grid(), Vec3f{0, 0.04f, 0.02f}).distance, -0.01f, 1e-5f);
}

const Mesh& bust() {
    static const Mesh mesh = [] {
        Scene scene;
        scene.groom.mesh = "builtin:bust.obj";
        const Result<Mesh> read = load_head_mesh(scene);
        return read ? *read : Mesh{};
    }();
    return mesh;
}

std::vector<Vec3f> points_about_the_bust(int count) {
    const Bounds box = bounds_of(bust());
    std::vector<Vec3f> out = points_in_cube(1, count);
    for (Vec3f& p : out) {
        const Vec3f middle = (box.low + box.high) * 0.5f, size = box.high - box.low;
        p = middle + Vec3f{p.x * size.x, p.y * size.y, p.z * size.z} * 0.6f;
    }
    return out;
}

TEST(mesh_body, of_the_bust_is_near_the_exact_distance) {
    const auto body = body_of(bust());
    ASSERT_TRUE(body);
    EXPECT_EQ(body->thickness(), 0);
    EXPECT_LT(body->byte_count(), 5e6);
    const Bvh exact(bust());
    const Accuracy got = accuracy_of(*body, points_about_the_bust(20000), 0.03f, [&](Vec3f p) {
        const ClosestPoint at = exact.closest(p, 1);
        const float distance = norm(p - at.point);
        const float side = at.distance < 0 ? -1.0f : 1.0f;
        return SurfacePoint<float>{side * distance, unit_or((p - at.point) * side, at.normal)};
    });
    EXPECT_GT(got.count, 3000);
    EXPECT_LT(got.worst, 0.3);
    EXPECT_LT(got.mean, 0.02);
    EXPECT_LT(got.mean_degrees, 3);
}

TEST(mesh_body, coarse_distance_is_never_more_than_the_fine_one_nor_much_less) {
    const auto body = body_of(bust());
    ASSERT_TRUE(body);
    const DistanceGrid grid = body->grid();
    for (const Vec3f& p : points_in_cube(1, 5000)) {
        const float fine = sample_grid(grid, p).distance, coarse = sample_coarsely(grid, p);
        EXPECT_LE(coarse, fine);
        const Vec3f inside = cell_of(grid, (p - grid.low) * grid.per_cell).closest * grid.cell;
        const float beyond = norm(p - grid.low - inside);
        EXPECT_GT(coarse + beyond, fine - 3.6f * grid.cell);
    }
}

// The triangles of the bust above a height: a mesh with an opening across the neck.
Mesh open_head(float height) {
    Mesh out = bust();
    std::vector<std::uint32_t> kept;
    for (std::size_t k = 0; k < out.indices.size(); k += 3) {
        const auto is_above = [&](std::size_t corner) {
            return out.positions[out.indices[k + corner]].y > height;
        };
        if (is_above(0) && is_above(1) && is_above(2))
            for (std::size_t corner = 0; corner < 3; ++corner)
                kept.push_back(out.indices[k + corner]);
    }
    out.indices = kept;
    return out;
}

// Otherwise results on a CPU, which skips vertices by the coarse distance, differ from those on a
// GPU, which does not.
TEST(mesh_body, coarse_distance_is_never_more_than_the_fine_one_where_the_mesh_is_open) {
    constexpr float kNeck = 0.25f;
    const auto body = body_of(open_head(kNeck));
    ASSERT_TRUE(body);
    ASSERT_EQ(body->thickness(), 0);
    const DistanceGrid grid = body->grid();
    int inside = 0;
    for (const Vec3f& offset : points_in_cube(0.06f, 20000)) {
        const Vec3f p = offset + Vec3f{0, kNeck, 0};
        const float fine = sample_grid(grid, p).distance;
        EXPECT_LE(sample_coarsely(grid, p), fine);
        inside += fine < 0 ? 1 : 0;
    }
    EXPECT_GT(inside, 1000);
}

TEST(mesh_body, distance_far_away_is_never_too_large) {
    const auto body = body_of(bust());
    ASSERT_TRUE(body);
    const PlacedCollider collider = placed(body);
    const Bvh exact(bust());
    double least = 1, most = 0;
    int far = 0;
    for (const float half : {0.6f, 3.0f, 100.0f})
        for (const Vec3f p : points_in_cube(half, 3000)) {
            const double want = static_cast<double>(std::abs(exact.closest(p, 1e4f).distance));
            if (want < static_cast<double>(body->band()) + 0.02) continue;
            const SurfacePoint<float> got = nearest_surface(collider, p);
            if (got.distance < 0) continue;  // deep inside
            ++far;
            least = std::min(least, static_cast<double>(got.distance) / want);
            most = std::max(most, static_cast<double>(got.distance) / want);
            EXPECT_NEAR(norm(got.normal), 1, 1e-5);
        }
    EXPECT_GT(far, 5000);
    EXPECT_LT(most, 1 + 1e-6);
    EXPECT_GT(least, 0.7);
    testing::Test::RecordProperty("least_share", std::to_string(least));
}

TEST(mesh_body, is_found_where_it_is_placed_and_turned) {
    const auto body = body_of(box_mesh({0.1f, 0.05f, 0.07f}));
    Collider collider;
    collider.centre = {0.1f, 0.2f, 0.3f};
    collider.rotate_degrees = {0, 0, 90};
    const Rigidf head{quat_from_axis_angle(Vec3f{0, 1, 0}, 0.7f), {1, -2, 0.5f}};
    const PlacedCollider at = placed(body, collider, head);
    for (const Vec3f p : points_in_cube(0.15f, 500)) {
        const SurfacePoint<float> own = sample_grid(body->grid(), p);
        const Vec3f turned = rotate(quat_from_axis_angle(Vec3f{0, 0, 1}, kPi / 2), p);
        const SurfacePoint<float> there =
            nearest_surface(at, apply(head, turned + collider.centre));
        EXPECT_NEAR(there.distance, own.distance, 2e-6f);
        const Vec3f normal = rotate(
            head.rotation, rotate(quat_from_axis_angle(Vec3f{0, 0, 1}, kPi / 2), own.normal));
        EXPECT_LT(norm(there.normal - normal), 1e-3f);
    }
}

TEST(mesh_body, eight_lanes_give_the_bits_of_one) {
    const auto body = body_of(sphere_mesh({0, 0, 0}, 0.1f, 24), {.cell = 0.008f});
    Collider ellipsoid;
    ellipsoid.shape = ColliderShape::ellipsoid;
    ellipsoid.radii = {0.1f, 0.07f, 0.2f};
    ellipsoid.rotate_degrees = {20, 30, 40};
    std::vector<Vec3f> points = points_in_cube(0.3f, 800);
    points[3] = {NAN, 0, 0};
    points[9] = {0, INFINITY, 0};
    points[20] = {1e30f, -1e30f, 0};
    for (const PlacedCollider& collider : {placed(body), place(ellipsoid, {}, {})})
        for (std::size_t k = 0; k < points.size(); k += 8) {
            float lanes[3][8];
            for (std::size_t i = 0; i < 8; ++i) {
                lanes[0][i] = points[k + i].x;
                lanes[1][i] = points[k + i].y;
                lanes[2][i] = points[k + i].z;
            }
            const SurfacePoint<Wide> wide = nearest_surface(
                collider,
                Vec3<Wide>{load<Wide>(lanes[0]), load<Wide>(lanes[1]), load<Wide>(lanes[2])});
            float distance[8], normal[8];
            store(distance, wide.distance);
            store(normal, wide.normal.y);
            for (std::size_t i = 0; i < 8; ++i) {
                const SurfacePoint<float> one = nearest_surface(collider, points[k + i]);
                if (std::isnan(one.distance)) continue;  // which NaN is no one's business
                EXPECT_EQ(std::bit_cast<std::uint32_t>(distance[i]),
                          std::bit_cast<std::uint32_t>(one.distance));
                EXPECT_EQ(std::bit_cast<std::uint32_t>(normal[i]),
                          std::bit_cast<std::uint32_t>(one.normal.y));
            }
        }
}

TEST(mesh_body, of_a_sheet_is_as_thick_as_asked_on_both_sides) {
    const auto body = body_of(sheet_mesh(0.1f), {.thickness = 0.01f});
    ASSERT_TRUE(body);
    for (const float height : {0.02f, -0.02f, 0.006f, -0.006f}) {
        const SurfacePoint<float> at = sample_grid(body->grid(), Vec3f{0.03f, height, -0.02f});
        EXPECT_NEAR(at.distance, std::abs(height) - 0.005f, 1e-5f) << height;
        EXPECT_NEAR(at.normal.y, height > 0 ? 1 : -1, 1e-4) << height;
    }
    EXPECT_LT(sample_grid(body->grid(), Vec3f{0, 0, 0}).distance, -0.002f);
    EXPECT_NEAR(sample_grid(body->grid(), Vec3f{0.12f, 0, 0}).distance, 0.015f, 1e-3f);
}

TEST(mesh_body, without_an_inside_is_a_sheet_two_cells_thick) {
    const auto body = body_of(sheet_mesh(0.1f));
    ASSERT_TRUE(body);
    EXPECT_FLOAT_EQ(body->thickness(), 2 * body->cell());
    EXPECT_LT(sample_grid(body->grid(), Vec3f{0, 0, 0}).distance, 0);
    EXPECT_GT(sample_grid(body->grid(), Vec3f{0, 0.02f, 0}).distance, 0);
    EXPECT_GT(sample_grid(body->grid(), Vec3f{0, -0.02f, 0}).distance, 0);
}

TEST(mesh_body, tolerates_bad_meshes) {
    const Mesh ball = sphere_mesh({0, 0, 0}, 0.1f, 24);
    const auto whole = body_of(Mesh(ball), {.cell = 0.008f});
    ASSERT_TRUE(whole);
    const auto change = [&](const Mesh& damaged) {
        const auto body = body_of(Mesh(damaged), {.cell = 0.008f});
        if (!body || body->thickness() > 0) return 1e9;
        double most = 0;
        for (const Vec3f p : points_in_cube(0.13f, 4000))
            most = std::max(most,
                            static_cast<double>(std::abs(sample_grid(body->grid(), p).distance -
                                                         sample_grid(whole->grid(), p).distance)));
        return most;
    };
    const auto add = [](Mesh& mesh, std::initializer_list<std::uint32_t> triangle) {
        mesh.indices.insert(mesh.indices.end(), triangle);
        mesh.triangle_material.push_back(0);
        mesh.triangle_group.push_back(0);
    };
    Mesh doubled = ball;  // every tenth face twice
    for (std::size_t t = 0; t < ball.indices.size() / 3; t += 10)
        add(doubled, {ball.indices[3 * t], ball.indices[3 * t + 1], ball.indices[3 * t + 2]});
    EXPECT_LT(change(doubled), 1e-6);
    Mesh inside_out = ball;
    for (std::size_t t = 0; t < ball.indices.size() / 3; ++t)
        std::swap(inside_out.indices[3 * t], inside_out.indices[3 * t + 1]);
    EXPECT_LT(change(inside_out), 1e-6);
    Mesh degenerate = ball;  // no area
    for (std::uint32_t k = 0; k < 40; ++k) add(degenerate, {k, k, k + 1});
    EXPECT_LT(change(degenerate), 1e-6);
    Mesh finned = ball;  // an edge with three faces: a fin inside
    finned.positions.push_back({0, 0, 0});
    finned.normals.push_back({0, 1, 0});
    finned.uvs.push_back({0, 0});
    add(finned, {600, 601, static_cast<std::uint32_t>(ball.positions.size())});
    EXPECT_LT(
        sample_grid(body_of(Mesh(finned), {.cell = 0.008f})->grid(), Vec3f{-0.05f, 0, 0}).distance,
        -0.03f);
    Mesh open = ball;  // a hole at the bottom
    open.indices.resize(open.indices.size() - 3 * 48);
    open.triangle_material.resize(open.indices.size() / 3);
    open.triangle_group.resize(open.indices.size() / 3);
    EXPECT_LT(change(open), 0.03);  // at the hole
    EXPECT_LT(sample_grid(body_of(Mesh(open), {.cell = 0.008f})->grid(), Vec3f{0, 0, 0}).distance,
              -0.05f);
}

TEST(mesh_body, refuses_nonsense) {
    const auto complaint = [](Mesh mesh, MeshBodySettings settings = {}) {
        const auto made = MeshBody::make(std::move(mesh), settings, pool());
        return made ? std::string("none") : made.error().message;
    };
    EXPECT_EQ(complaint(Mesh{}), "the mesh has no surface");
    Mesh point = sphere_mesh({0, 0, 0}, 0, 4);
    EXPECT_EQ(complaint(point), "the mesh has no surface");
    Mesh broken = sphere_mesh({0, 0, 0}, 0.1f, 4);
    broken.positions[3].x = NAN;
    EXPECT_EQ(complaint(broken), "the mesh has coordinates that are not finite");
    const std::string fine = complaint(sphere_mesh({0, 0, 0}, 0.1f, 8), {.cell = 1e-4f});
    EXPECT_NE(fine.find("collider.cell must be at least 0.00"), std::string::npos) << fine;
    const std::string thin = complaint(sheet_mesh(0.1f), {.cell = 0.005f, .thickness = 0.002f});
    EXPECT_NE(thin.find("collider.thickness must be at least 0.01 m"), std::string::npos) << thin;
    const std::string huge = complaint(sphere_mesh({0, 0, 0}, 1e5f, 8));
    EXPECT_NE(huge.find("lower collider.scale"), std::string::npos) << huge;
    const auto part = part_of_mesh(bust(), "hat");
    ASSERT_FALSE(part);
    EXPECT_NE(part.error().message.find("it has skin, scalp"), std::string::npos)
        << part.error().message;
}

// A session of a scene in a folder, beside a ball.obj of 8 triangles.
Result<Session> open_scene(const TempFolder& folder, const std::string& text,
                           std::vector<std::string> overrides = {}) {
    std::ofstream(folder / "ball.obj")
        << "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
           "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    std::ofstream(folder / "scene.toml") << text;
    return Session::open((folder / "scene.toml").string(), {.overrides = std::move(overrides)});
}

TEST(mesh_collider, comes_from_a_file_beside_the_scene_scaled) {
    const TempFolder folder;
    const Result<Session> session =
        open_scene(folder, "[[collider]]\nshape = 'mesh'\nfile = 'ball.obj'\nscale = 0.2\n");
    ASSERT_TRUE(session) << session.error().text();
    const Simulation& simulation = session->impl().actors.front().simulation();
    const PlacedCollider body = simulation.colliders()[0];
    EXPECT_NEAR(nearest_surface(body, Vec3f{0, 0.3f, 0}).distance, 0.1f, 4e-3f);
    EXPECT_LT(nearest_surface(body, Vec3f{0, 0.1f, 0}).distance, -0.03f);
}

TEST(mesh_collider, has_units_and_axes_of_its_own) {
    const TempFolder folder;
    std::ofstream(folder / "tall.obj")
        << "v 10 0 0\nv -10 0 0\nv 0 10 0\nv 0 -10 0\nv 0 0 30\nv 0 0 -30\n"
           "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    const Result<Session> session = open_scene(
        folder, "[[collider]]\nshape = 'mesh'\nfile = 'tall.obj'\nunits = 'cm'\nup = '+z'\n");
    ASSERT_TRUE(session) << session.error().text();
    const PlacedCollider body = session->impl().actors.front().simulation().colliders()[0];
    EXPECT_NEAR(nearest_surface(body, Vec3f{0, 0.4f, 0}).distance, 0.1f, 6e-3f);
    EXPECT_NEAR(nearest_surface(body, Vec3f{0, 0, 0.2f}).distance, 0.1f, 6e-3f);
}

TEST(mesh_collider, without_a_file_is_the_mesh_hair_grows_on_or_a_group_of_it) {
    const TempFolder folder;
    const std::string text = "groom.mesh = 'builtin:bust.obj'\n[[collider]]\nshape = 'mesh'\n";
    for (const auto& [set, deep] :
         {std::pair{"collider.0.group=''", true}, std::pair{"collider.0.group=scalp", false}}) {
        const Result<Session> session = open_scene(folder, text, {set});
        ASSERT_TRUE(session) << session.error().text();
        const PlacedCollider body = session->impl().actors.front().simulation().colliders()[0];
        EXPECT_EQ(nearest_surface(body, Vec3f{0, 0.1f, 0}).distance < 0, deep) << set;
    }
}

TEST(mesh_collider, of_a_built_in_head_is_measured_once_for_all_sessions) {
    const auto open = [](std::vector<std::string> overrides) {
        overrides.insert(overrides.end(), {"groom.strands=2", "record.settle=0"});
        return Session::open("bob", {.overrides = overrides});
    };
    const Result<Session> first = open({}), second = open({}),
                          finer = open({"collider.0.cell=0.01"}), rigid = open({"head.neck=rigid"});
    ASSERT_TRUE(first && second && finer && rigid);
    const auto actor_of = [](const Result<Session>& session) -> const Actor& {
        return session->impl().actors.front();
    };
    const auto body_of = [&](const Result<Session>& session) {
        return actor_of(session).scene.world.colliders[0].body;
    };
    ASSERT_TRUE(body_of(first));
    EXPECT_EQ(body_of(first), body_of(second));
    EXPECT_EQ(actor_of(first).head_mesh->skin, actor_of(second).head_mesh->skin);
    EXPECT_NE(body_of(first), body_of(finer));
    EXPECT_NE(body_of(first), body_of(rigid));
}

TEST(mesh_collider, is_measured_once_for_all_who_name_it) {
    const TempFolder folder;
    const Result<Session> session = open_scene(
        folder,
        "[[collider]]\nshape = 'mesh'\nfile = 'ball.obj'\nscale = 0.1\n"
        "[[collider]]\nshape = 'mesh'\nfile = 'ball.obj'\nscale = 0.1\ncentre = [1, 0, 0]\n"
        "[[collider]]\nshape = 'mesh'\nfile = 'ball.obj'\nscale = 0.2\n"
        "[[actor]]\n[[actor]]\n");
    ASSERT_TRUE(session) << session.error().text();
    const auto& actors = session->impl().actors;
    const auto& first = actors[0].scene.world.colliders;
    EXPECT_EQ(first[0].body, first[1].body);
    EXPECT_NE(first[0].body, first[2].body);
    EXPECT_EQ(first[0].body, actors[1].scene.world.colliders[0].body);
}

TEST(mesh_collider, errors_name_file_line_and_remedy) {
    const TempFolder folder;
    const struct {
        std::string text, words;
        int line;
    } cases[] = {
        {"title = 'a'\n[[collider]]\nshape = 'mesh'\nfile = 'none.obj'\n",
         "no such file \"none.obj\"; looked in", 2},
        {"[[collider]]\n[[collider]]\nshape = 'mesh'\nfile = 'builtin:head.obj'\n",
         "no built-in mesh \"head.obj\"; the built-in meshes are bunny.obj, bust.obj", 2},
        {"[[collider]]\nshape = 'mesh'\n",
         "a mesh collider needs a mesh; set its file, or groom.mesh", 1},
        {"groom.mesh = 'builtin:bust.obj'\n[[collider]]\nshape = 'mesh'\nunits = 'cm'\n",
         "the mesh that hair grows on is placed by groom.mesh_units", 2},
        {"[[collider]]\nshape = 'mesh'\nfile = 'ball.obj'\nup = '+z'\nfacing = '-z'\n", "facing",
         1},
        {"\n\n[[collider]]\nshape = 'mesh'\nfile = 'ball.obj'\ngroup = 'ear'\n",
         "no group or material \"ear\"", 3},
        {"[[collider]]\nshape = 'mesh'\nfile = 'ball.obj'\ncell = 0.001\n",
         "ball.obj: cells of 0.001 m are too many", 1},
        {"[[collider]]\nshape = 'ellipsoid'\nradii = [0.1, -1, 0.1]\n", "out of range", 3},
    };
    for (const auto& one : cases) {
        const Result<Session> session = open_scene(folder, one.text);
        ASSERT_FALSE(session) << one.text;
        const Error& error = session.error();
        EXPECT_NE(error.message.find(one.words), std::string::npos) << error.text();
        EXPECT_TRUE(error.file.ends_with("scene.toml")) << error.text();
        EXPECT_EQ(error.line, one.line) << error.text();
    }
}

}  // namespace
}  // namespace ringlet
