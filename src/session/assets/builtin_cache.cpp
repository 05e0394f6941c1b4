#include "session/assets/builtin_cache.h"

namespace ringlet {

BuiltinCache<std::shared_ptr<const Skin>>& builtin_skins() {
    static BuiltinCache<std::shared_ptr<const Skin>> skins;
    return skins;
}

BuiltinCache<MeshBodies>& builtin_bodies() {
    static BuiltinCache<MeshBodies> bodies;
    return bodies;
}

}  // namespace ringlet
