// A triangulated sphere for tests, whose inside and outside are known analytically.
#pragma once

#include "geom/mesh.h"
#include "math/elementary.h"

namespace ringlet {

// `rings` bands from pole to pole, twice as many segments around; counter-clockwise seen from
// outside. One material "skin", one group "ball".
inline Mesh sphere_mesh(Vec3f centre, float radius, int rings) {
    Mesh mesh;
    const int around = 2 * rings;
    for (int i = 0; i <= rings; ++i)
        for (int k = 0; k < around; ++k) {
            const auto up = sin_cos(kPi * static_cast<float>(i) / static_cast<float>(rings));
            const auto turn = sin_cos(2 * kPi * static_cast<float>(k) / static_cast<float>(around));
            const bool pole = i == 0 || i == rings;
            const Vec3f n = pole ? Vec3f{0, i == 0 ? 1.0f : -1.0f, 0}
                                 : Vec3f{up.sin * turn.sin, up.cos, up.sin * turn.cos};
            mesh.positions.push_back(centre + n * radius);
            mesh.normals.push_back(n);
            mesh.uvs.push_back({static_cast<float>(k) / static_cast<float>(around),
                                static_cast<float>(i) / static_cast<float>(rings)});
        }
    const auto at = [&](int i, int k) {
        return static_cast<std::uint32_t>(i * around + k % around);
    };
    for (int i = 0; i < rings; ++i)
        for (int k = 0; k < around; ++k) {
            if (i > 0)
                mesh.indices.insert(mesh.indices.end(), {at(i, k), at(i + 1, k), at(i, k + 1)});
            if (i + 1 < rings)
                mesh.indices.insert(mesh.indices.end(),
                                    {at(i, k + 1), at(i + 1, k), at(i + 1, k + 1)});
        }
    mesh.triangle_material.assign(mesh.indices.size() / 3, 0);
    mesh.triangle_group.assign(mesh.indices.size() / 3, 0);
    mesh.materials.push_back({"skin", {1, 1, 1}});
    mesh.groups.push_back("ball");
    return mesh;
}

}  // namespace ringlet
