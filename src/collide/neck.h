// The neck of a mesh: the head above it moves while the shoulders below it stay, and the skin in
// between follows both in part.
#pragma once

#include <span>

#include "base/parallel.h"
#include "collide/neck_bend.h"
#include "geom/mesh.h"

namespace ringlet {

// In the mesh's frame at rest, in metres. The height of a point is its y plus `tilt` times its z:
// the border between head and neck runs from below the chin up to the nape.
struct Neck {
    Vec3f pivot{0, 0, 0};  // about which the head turns
    float tilt = 0;
    float low = 0, high = 0;  // heights at which the shoulders end and the head begins

    float height_of(Vec3f p) const { return p.y + tilt * p.z; }
    // The share of the head's motion that the skin at this point follows, from 0 to 1.
    float head_share(Vec3f p) const {
        const float t = min(max((height_of(p) - low) / (high - low), 0.0f), 1.0f);
        return t * t * (3 - 2 * t);
    }
    NeckBend bend(const NeckPose& pose) const { return {pivot, pose}; }
};

// Neck::head_share of each point; empty if all are 1.
std::vector<float> head_shares(const Neck& neck, std::span<const Vec3f> points);

// The motion of the skin at points with these shares, from rest, in the head's frame.
std::vector<Rigidf> skin_motions(const NeckBend& bend, std::span<const float> head_shares,
                                 const TaskPool& pool);

// Moves the vertices and normals of `rest` with the neck. Writes them to `out`, which has as many,
// in the head's frame.
void bend_neck(const Neck& neck, const NeckPose& pose, const Mesh& rest, Mesh& out);

// The two parts of a mesh that a collider may move rigidly: the triangles with a corner that
// follows the head more than the shoulders, and those with one that does not. Triangles across the
// border belong to both, so there is no gap between the parts. Either may be empty.
struct NeckParts {
    Mesh head, shoulders;
};
NeckParts split_at_neck(const Neck& neck, const Mesh& mesh);

}  // namespace ringlet
