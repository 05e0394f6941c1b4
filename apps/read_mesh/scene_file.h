// Opens a mesh file with Assimp.
#pragma once

#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <string>
#include <vector>

namespace ringlet {

// The unit and axes that the file states. Zeros: it states none.
struct FileUnits {
    float metres = 0;  // per unit
    float up[3]{}, front[3]{};
};

class SceneFile {
public:
    // Throws std::runtime_error with the cause if the file cannot be read.
    explicit SceneFile(const std::string& path);

    const aiScene& scene() const { return *scene_; }
    // "ply", "stl", "gltf" or "fbx": by content, not by name.
    const std::string& format() const { return format_; }
    FileUnits units() const;
    // Whether vertex colours are sRGB rather than linear.
    bool has_srgb_colours() const { return srgb_colours_; }

private:
    Assimp::Importer importer_;
    const aiScene* scene_ = nullptr;
    std::string format_;
    bool srgb_colours_ = true;
};

// The name of an animation, which a file may leave out.
std::string animation_name(const aiScene& scene, unsigned index);
double seconds_of(const aiAnimation& animation);
double ticks_per_second(const aiAnimation& animation);

}  // namespace ringlet
