// Loads head meshes, each one once, however many actors use it.
#pragma once

#include <functional>
#include <map>

#include "session/live/actor.h"

namespace ringlet {

class HeadMeshes {
public:
    // `is_stopped` is polled while files are read. May be empty.
    explicit HeadMeshes(std::function<bool()> is_stopped = {})
        : is_stopped_(std::move(is_stopped)) {}

    const std::function<bool()>& is_stopped() const { return is_stopped_; }
    // Reuses the mesh of an existing actor.
    void add(const Actor& actor);
    // Loads the mesh of `scene` (groom.mesh), with the messages of the reader.
    Result<std::shared_ptr<HeadMesh>> load(const Scene& scene);

private:
    std::function<bool()> is_stopped_;
    std::map<std::string, std::shared_ptr<HeadMesh>> known_;  // by head_key()
};

// Loads the head mesh and the animated shapes of an actor's scene, and prepares the mesh to be
// displayed.
Result<void> load_assets(Actor& actor, HeadMeshes& meshes);

}  // namespace ringlet
