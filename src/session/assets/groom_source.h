// Loads or grows the hairstyle of a scene, with the images and files it names.
#pragma once

#include "groom/maps.h"
#include "groom/skin.h"
#include "ringlet/result.h"
#include "scene/scene.h"
#include "strand/strand_set.h"

namespace ringlet {

// A mesh and its skin, shared by the heads that have the same. The skin takes long, so it is made
// when hair is first grown on it.
struct Body {
    Mesh mesh;
    std::unique_ptr<const Skin> skin{};
};

// Loads the images that the groom keys name; an unnamed map is white.
Result<GroomMaps> load_maps(const Scene& scene);

// At rest, in the head's own frame. What is grown has no looks (groom/grow.h) and is the same when
// it is grown again; what is imported has its own.
Result<StrandSet> load_groom(const Scene& scene, const GroomMaps& maps, Body& body,
                             const TaskPool& pool);
bool is_imported(const Scene& scene);

}  // namespace ringlet
