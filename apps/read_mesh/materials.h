// The materials of a file, as the message describes them.
#pragma once

#include <assimp/scene.h>

#include <string>
#include <vector>

#include "io/foreign/mesh_message.h"

namespace ringlet {

struct FileMaterial {
    MaterialRecord record;
    std::string name, texture_file;
    int uv_channel = 0;
};

std::vector<FileMaterial> materials_of(const aiScene& scene, const std::string& format);

// The content of a texture block.
std::string texture_content(const aiTexture& texture);

}  // namespace ringlet
