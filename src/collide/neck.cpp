#include "collide/neck.h"

#include <algorithm>

namespace ringlet {

std::vector<float> head_shares(const Neck& neck, std::span<const Vec3f> points) {
    std::vector<float> out;
    for (const Vec3f& p : points) out.push_back(neck.head_share(p));
    if (std::ranges::all_of(out, [](float share) { return share >= 1; })) out.clear();
    return out;
}

std::vector<Rigidf> skin_motions(const NeckBend& bend, std::span<const float> head_shares,
                                 const TaskPool& pool) {
    std::vector<Rigidf> out(head_shares.size());
    pool.for_each(static_cast<int>(out.size()), [&](int k) {
        const auto at = static_cast<std::size_t>(k);
        if (head_shares[at] < 1) out[at] = bend.skin_motion(head_shares[at]);
    });
    return out;
}

void bend_neck(const Neck& neck, const NeckPose& pose, const Mesh& rest, Mesh& out) {
    const NeckBend bend = neck.bend(pose);
    for (std::size_t k = 0; k < rest.positions.size(); ++k) {
        const Vec3f p = rest.positions[k];
        const Rigidf motion = bend.skin_motion(neck.head_share(p));
        out.positions[k] = apply(motion, p);
        out.normals[k] = rotate(motion.rotation, rest.normals[k]);
    }
}

NeckParts split_at_neck(const Neck& neck, const Mesh& mesh) {
    Mesh empty = mesh;
    empty.indices.clear();
    empty.triangle_material.clear();
    empty.triangle_group.clear();
    empty.triangle_part.clear();
    empty.parts.clear();
    empty.grows_hair.clear();
    NeckParts out{empty, empty};
    for (int t = 0; t < mesh.triangle_count(); ++t) {
        float least = 1, most = 0;
        for (int k = 0; k < 3; ++k) {
            const float share = neck.head_share(mesh.corner(t, k));
            least = min(least, share);
            most = max(most, share);
        }
        const auto first = mesh.indices.begin() + static_cast<std::ptrdiff_t>(t) * 3;
        const auto add_to = [&](Mesh& part) {
            part.indices.insert(part.indices.end(), first, first + 3);
        };
        if (most > 0.5f) add_to(out.head);
        if (least <= 0.5f) add_to(out.shoulders);
    }
    return out;
}

}  // namespace ringlet
