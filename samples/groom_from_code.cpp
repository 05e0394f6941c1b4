// Grows curls on a mesh that the program makes, and simulates them: no scene file, no mesh file.
#include <ringlet/grow.h>

#include <cmath>
#include <cstdio>
#include <vector>

// A ball with a radius of 10 cm around the origin.
static void make_ball(std::vector<float>& positions, std::vector<std::uint32_t>& triangles) {
    const std::uint32_t rings = 24, around = 48;
    for (std::uint32_t i = 0; i <= rings; ++i)
        for (std::uint32_t k = 0; k < around; ++k) {
            const float up = 3.1415927f * static_cast<float>(i) / rings;
            const float turn = 6.2831853f * static_cast<float>(k) / around;
            positions.push_back(0.1f * std::sin(up) * std::sin(turn));
            positions.push_back(0.1f * std::cos(up));
            positions.push_back(0.1f * std::sin(up) * std::cos(turn));
        }
    for (std::uint32_t i = 0; i < rings; ++i)
        for (std::uint32_t k = 0; k < around; ++k) {
            const std::uint32_t a = i * around + k, b = i * around + (k + 1) % around;
            if (i > 0) triangles.insert(triangles.end(), {a, a + around, b});
            if (i + 1 < rings) triangles.insert(triangles.end(), {b, a + around, b + around});
        }
}

static int fail(const ringlet::Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 1;
}

int main() {
    std::vector<float> positions;
    std::vector<std::uint32_t> triangles;
    make_ball(positions, triangles);

    const auto grown = ringlet::grow_strands(
        {positions, triangles},
        {.settings = {"groom.strands=300", "groom.length=0.15", "groom.curl.radius=0.008",
                      "groom.scalp=''", "groom.clump.strength=0.5"}});
    if (!grown) return fail(grown.error());

    ringlet::SimCollider ball;
    ball.shape = ringlet::SimShape::mesh;
    ball.motion = ringlet::SimMotion::with_head;
    ball.mesh_positions = positions;
    ball.mesh_triangles = triangles;
    ringlet::StrandArrays strands{grown->positions, grown->vertex_counts};
    strands.widths = grown->widths;
    auto hair = ringlet::HairSim::create(strands, ringlet::scene_defaults(), {&ball, 1});
    if (!hair) return fail(hair.error());
    for (int frame = 0; frame < 30; ++frame)
        if (auto done = hair->step(1.0 / 60); !done) return fail(done.error());
    std::printf("%d strands of %.0f micrometres, tip of the first at a height of %.3f m\n",
                hair->strand_count(), static_cast<double>(1e6f * hair->widths().at(0, 0)),
                static_cast<double>(hair->positions()[0][hair->positions()[0].count - 1].y));
}
