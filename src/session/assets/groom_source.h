// Loads or grows the hairstyle of a scene, with the images and files it names.
#pragma once

#include <memory>
#include <optional>

#include "base/messages.h"
#include "fit/landmarks.h"
#include "geom/placement.h"
#include "groom/maps.h"
#include "groom/skin.h"
#include "ringlet/result.h"
#include "scene/scene.h"
#include "strand/strand_set.h"

namespace ringlet {

// The mesh that hair grows on, shared by all actors that use it. The skin is slow to build, so it
// is built when hair first grows on the mesh.
struct HeadMesh {
    Mesh mesh;
    std::shared_ptr<const Skin> skin{};
    Messages messages{};  // about reading and placing the mesh
    std::optional<Landmarks>
        landmarks{};  // none for built-in meshes, whose scenes are framed already
    std::optional<Landmarks> body_landmarks{};  // of the whole mesh; found when first needed
    Placement placement{};  // from the coordinates of the file to those of `mesh`
};

// Loads the images that the groom keys name; an unnamed map is white.
Result<GroomMaps> load_maps(const Scene& scene);

// Grows or imports the strands at rest, in the head's frame. Grown strands have no appearance
// (groom/grow.h), and growing them again gives the same bits. Imported strands have the appearance
// of the file. Appends what was guessed and what looks wrong to `messages`.
Result<StrandSet> load_groom(const Scene& scene, const GroomMaps& maps, HeadMesh& head,
                             Messages& messages, const TaskPool& pool);
// True if the scene imports its groom from a file.
bool is_imported(const Scene& scene);

}  // namespace ringlet
