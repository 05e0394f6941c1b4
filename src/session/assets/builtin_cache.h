// Keeps what is computed from built-in meshes for the whole process. These meshes never change, and
// every session that shows one needs the same distance fields.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "collide/mesh_body.h"
#include "groom/skin.h"

namespace ringlet {

// Keeps the values that were added last. Thread-safe.
template <class Value>
class BuiltinCache {
public:
    std::optional<Value> find(const std::string& key) const {
        const std::scoped_lock lock(mutex_);
        for (const auto& [known, value] : kept_)
            if (known == key) return value;
        return std::nullopt;
    }
    void add(const std::string& key, Value value) {
        const std::scoped_lock lock(mutex_);
        kept_.emplace_back(key, std::move(value));
        if (kept_.size() > kMost) kept_.pop_front();
    }
    void clear() {
        const std::scoped_lock lock(mutex_);
        kept_.clear();
    }

private:
    static constexpr std::size_t kMost = 6;  // bodies of the built-in bust take 5 MB
    mutable std::mutex mutex_;
    std::deque<std::pair<std::string, Value>> kept_;
};

// The colliders of one mesh; `shoulders` is null unless the mesh is separated at the neck.
struct MeshBodies {
    std::shared_ptr<const MeshBody> body, shoulders;
};

BuiltinCache<std::shared_ptr<const Skin>>& builtin_skins();
BuiltinCache<MeshBodies>& builtin_bodies();

}  // namespace ringlet
