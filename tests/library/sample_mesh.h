// Small meshes for the tests of ringlet::sim.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sample_hair.h"

namespace ringlet {

struct SampleMesh {
    std::vector<float> positions;
    std::vector<std::uint32_t> triangles;

    static constexpr Vec3f kBallCentre{0, 0.9f, 0};
    static constexpr float kBallRadius = 0.06f;

    // A closed band around the roots of SampleHair, 20 cm wide and 4 cm high.
    static SampleMesh ring() {
        SampleMesh out;
        const std::uint32_t around = 24;
        for (std::uint32_t k = 0; k < around; ++k)
            for (const float y : {0.98f, 1.02f}) {
                const float angle = 6.2831853f * static_cast<float>(k) / around;
                out.add(0.1f * std::cos(angle), y, 0.1f * std::sin(angle));
            }
        for (std::uint32_t k = 0; k < around; ++k)
            out.add_quad(2 * k, 2 * k + 1, 2 * ((k + 1) % around) + 1, 2 * ((k + 1) % around));
        return out;
    }

    // A horizontal sheet at y = 1 below all roots of SampleHair.
    static SampleMesh sheet() {
        SampleMesh out;
        for (int z = 0; z < 5; ++z)
            for (int x = 0; x < 5; ++x)
                out.add(0.1f * static_cast<float>(x - 2), 1, 0.1f * static_cast<float>(z - 2));
        for (std::uint32_t k = 0; k < 20; ++k)
            if (k % 5 < 4) out.add_quad(k, k + 5, k + 6, k + 1);
        return out;
    }

    static SampleMesh ball(std::uint32_t rings = 12) {
        SampleMesh out;
        const std::uint32_t around = 2 * rings;
        for (std::uint32_t i = 0; i <= rings; ++i)
            for (std::uint32_t k = 0; k < around; ++k) {
                const float up = 3.1415927f * static_cast<float>(i) / static_cast<float>(rings);
                const float turn = 6.2831853f * static_cast<float>(k) / static_cast<float>(around);
                out.add(kBallCentre.x + kBallRadius * std::sin(up) * std::sin(turn),
                        kBallCentre.y + kBallRadius * std::cos(up),
                        kBallCentre.z + kBallRadius * std::sin(up) * std::cos(turn));
            }
        for (std::uint32_t i = 0; i < rings; ++i)
            for (std::uint32_t k = 0; k < around; ++k) {
                const std::uint32_t next = (k + 1) % around;
                out.add_quad(i * around + k, (i + 1) * around + k, (i + 1) * around + next,
                             i * around + next);
            }
        return out;
    }

    SimMesh arrays() const { return {positions, triangles}; }
    // The hair with this mesh as its skin. Refers to both.
    StrandArrays under(const SampleHair& hair) const {
        StrandArrays out = hair.arrays();
        out.head_mesh = arrays();
        return out;
    }
    // Refers to this mesh.
    SimCollider collider() const {
        SimCollider out;
        out.shape = SimShape::mesh;
        out.mesh_positions = positions;
        out.mesh_triangles = triangles;
        out.deforms = true;
        return out;
    }
    // All positions after a change of each.
    template <class Change>
    std::vector<float> changed(const Change& change) const {
        std::vector<float> out;
        for (std::size_t k = 0; k < positions.size(); k += 3) {
            const Vec3f p = change(Vec3f{positions[k], positions[k + 1], positions[k + 2]});
            out.insert(out.end(), {p.x, p.y, p.z});
        }
        return out;
    }

private:
    void add(float x, float y, float z) { positions.insert(positions.end(), {x, y, z}); }
    void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        triangles.insert(triangles.end(), {a, b, c, a, c, d});
    }
};

}  // namespace ringlet
