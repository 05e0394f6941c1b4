#include "materials.h"

#include <assimp/GltfMaterial.h>
#include <assimp/material.h>

#include <algorithm>
#include <cmath>

namespace ringlet {

namespace {

float from_0_to_1(float value) { return std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 1; }

int embedded_number(const aiScene& scene, const char* path) {
    const aiTexture* const found = scene.GetEmbeddedTexture(path);
    for (unsigned t = 0; t < scene.mNumTextures; ++t)
        if (scene.mTextures[t] == found) return static_cast<int>(t);
    return -1;
}

void set_texture(const aiScene& scene, const aiMaterial& from, aiTextureType type,
                 FileMaterial& out) {
    aiString path;
    if (from.GetTexture(type, 0, &path) != aiReturn_SUCCESS || path.length == 0) return;
    out.record.embedded_texture = embedded_number(scene, path.C_Str());
    if (out.record.embedded_texture < 0) out.texture_file = path.C_Str();
    from.Get(AI_MATKEY_UVWSRC(type, 0), out.uv_channel);
    aiUVTransform transform;
    if (from.Get(AI_MATKEY_UVTRANSFORM(type, 0), transform) != aiReturn_SUCCESS) return;
    const float numbers[4] = {transform.mScaling.x, transform.mScaling.y, transform.mTranslation.x,
                              transform.mTranslation.y};
    // Ringlet does not rotate textures.
    if (transform.mRotation != 0) return;
    if (!std::all_of(std::begin(numbers), std::end(numbers),
                     [](float n) { return std::isfinite(n); }))
        return;
    std::copy(numbers, numbers + 2, out.record.texture_scale);
    std::copy(numbers + 2, numbers + 4, out.record.texture_offset);
}

FileMaterial material_of(const aiScene& scene, const aiMaterial& from, const std::string& format) {
    FileMaterial out{{{0.8f, 0.8f, 0.8f}, 1, {1, 1}, {0, 0}, -1, 0}, from.GetName().C_Str(), {}};
    aiColor3D colour;
    if (from.Get(AI_MATKEY_COLOR_DIFFUSE, colour) == aiReturn_SUCCESS)
        for (unsigned k = 0; k < 3; ++k) out.record.colour[k] = from_0_to_1(colour[k]);
    float opacity = 1;
    if (from.Get(AI_MATKEY_OPACITY, opacity) == aiReturn_SUCCESS)
        out.record.opacity = from_0_to_1(opacity);
    aiString alpha_mode;
    if (from.Get(AI_MATKEY_GLTF_ALPHAMODE, alpha_mode) == aiReturn_SUCCESS &&
        std::string(alpha_mode.C_Str()) == "OPAQUE") {
        out.record.ignores_alpha = 1;
        out.record.opacity = 1;
    }
    for (const aiTextureType type : {aiTextureType_DIFFUSE, aiTextureType_BASE_COLOR})
        if (out.record.embedded_texture < 0 && out.texture_file.empty())
            set_texture(scene, from, type, out);
    // In FBX a texture replaces the colour. In glTF it is multiplied by it.
    const bool textured = out.record.embedded_texture >= 0 || !out.texture_file.empty();
    if (textured && format != "gltf") std::fill_n(out.record.colour, 3, 1.0f);
    return out;
}

}  // namespace

std::vector<FileMaterial> materials_of(const aiScene& scene, const std::string& format) {
    std::vector<FileMaterial> out;
    for (unsigned m = 0; m < scene.mNumMaterials; ++m) {
        out.push_back(material_of(scene, *scene.mMaterials[m], format));
        // The last material of glTF is the default one, which Assimp adds.
        const bool is_default = format == "gltf" && m + 1 == scene.mNumMaterials;
        if (out.back().name.empty() && !is_default)
            out.back().name = "material " + std::to_string(m + 1);
    }
    return out;
}

std::string texture_content(const aiTexture& texture) {
    std::string out;
    const bool compressed = texture.mHeight == 0;
    append_raw(out, std::uint32_t{compressed ? 0 : texture.mWidth});
    append_raw(out, std::uint32_t{compressed ? 0 : texture.mHeight});
    if (compressed) {
        // For an image file, mWidth is its size in bytes.
        out.append(reinterpret_cast<const char*>(texture.pcData), texture.mWidth);
        return out;
    }
    const std::size_t count = std::size_t{texture.mWidth} * texture.mHeight;
    for (std::size_t i = 0; i < count; ++i) {
        const aiTexel& t = texture.pcData[i];
        for (const unsigned char c : {t.r, t.g, t.b, t.a}) out += static_cast<char>(c);
    }
    return out;
}

}  // namespace ringlet
