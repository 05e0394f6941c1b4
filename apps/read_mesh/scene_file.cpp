#include "scene_file.h"

#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <sys/stat.h>

#include <assimp/DefaultIOSystem.h>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace ringlet {

namespace {

// A file may name others. Opening a named pipe would block, and a device has no end.
class RegularFiles : public Assimp::DefaultIOSystem {
public:
    Assimp::IOStream* Open(const char* file, const char* mode) override {
        struct stat status {};
        if (::stat(file, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
        return DefaultIOSystem::Open(file, mode);
    }
};

// The extensions of the importers that are used, and the name of the format. Assimp has fifty more,
// each with its own faults.
constexpr std::array<std::pair<const char*, const char*>, 2> kFormats{
    {{"glb", "gltf"}, {"fbx", "fbx"}}};

std::string format_of(const Assimp::Importer& importer, std::size_t index) {
    const aiImporterDesc* const description = importer.GetImporterInfo(index);
    const std::string extensions =
        description ? " " + std::string(description->mFileExtensions) + " " : "";
    for (const auto& [extension, format] : kFormats)
        if (extensions.find(" " + std::string(extension) + " ") != std::string::npos) return format;
    return {};
}

void keep_only_used_importers(Assimp::Importer& importer) {
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        if (!format_of(importer, i).empty()) continue;
        Assimp::BaseImporter* const unused = importer.GetImporter(i);
        importer.UnregisterLoader(unused);
    }
}

// An axis of FBX: 0, 1 or 2, with a sign.
void set_axis(const aiMetadata& data, const std::string& key, float* axis) {
    std::int32_t number = -1, sign = 1;
    if (!data.Get(key, number) || number < 0 || number > 2) return;
    data.Get(key + "Sign", sign);
    axis[number] = sign < 0 ? -1.0f : 1.0f;
}

// Assimp 5.2 misreads files that need these extensions of glTF, some of them without an error.
constexpr std::array<const char*, 3> kUnsupported{
    "EXT_meshopt_compression", "KHR_meshopt_compression", "KHR_mesh_quantization"};

// Throws if the JSON text of a glTF file requires an extension that is not supported.
void check_extensions(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 20> header{};
    in.read(header.data(), header.size());
    std::uint64_t size = 64 << 20;
    std::uint32_t chunk = 0;
    std::memcpy(&chunk, header.data() + 12, sizeof chunk);
    if (std::string_view(header.data(), 4) == "glTF")
        size = std::min(size, std::uint64_t{chunk});  // the JSON chunk comes first
    else
        in.seekg(0);
    std::string text(static_cast<std::size_t>(size), '\0');
    in.read(text.data(), static_cast<std::streamsize>(size));
    const std::size_t first = text.find("\"extensionsRequired\"");
    if (first == std::string::npos) return;
    const std::string required = text.substr(first, text.find(']', first) - first);
    for (const std::string name : kUnsupported)
        if (required.find("\"" + name + "\"") != std::string::npos)
            throw std::runtime_error("it uses the extension " + name +
                                     ", which is not supported: export it without");
}

}  // namespace

SceneFile::SceneFile(const std::string& path) {
    std::string lower = path;
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (lower.ends_with(".gltf") || lower.ends_with(".glb")) check_extensions(path);
    keep_only_used_importers(importer_);
    importer_.SetIOHandler(new RegularFiles);  // owned by the importer
    scene_ = importer_.ReadFile(path, aiProcess_Triangulate);
    if (!scene_ || !scene_->mRootNode) {
        const std::string cause = importer_.GetErrorString();
        throw std::runtime_error(cause.empty() ? "it has no content" : cause);
    }
    const int index = importer_.GetPropertyInteger("importerIndex", -1);
    if (index >= 0) format_ = format_of(importer_, static_cast<std::size_t>(index));
    // glTF defines vertex colours as linear. Programs write the colours they display to FBX.
    srgb_colours_ = format_ != "gltf";
}

FileUnits SceneFile::units() const {
    FileUnits out;
    if (format_ == "gltf") return {1, {0, 1, 0}, {0, 0, 1}};
    if (format_ != "fbx" || !scene_->mMetaData) return out;
    const aiMetadata& data = *scene_->mMetaData;
    float centimetres = 0;
    data.Get("UnitScaleFactor", centimetres);
    if (std::isfinite(centimetres) && centimetres > 0) out.metres = centimetres * 0.01f;
    set_axis(data, "UpAxis", out.up);
    set_axis(data, "FrontAxis", out.front);
    return out;
}

std::string animation_name(const aiScene& scene, unsigned index) {
    const std::string name = scene.mAnimations[index]->mName.C_Str();
    return name.empty() ? "animation " + std::to_string(index + 1) : name;
}

double ticks_per_second(const aiAnimation& animation) {
    // Assimp's value for files that state none.
    constexpr double kDefault = 25;
    const double ticks = animation.mTicksPerSecond;
    return std::isfinite(ticks) && ticks > 0 ? ticks : kDefault;
}

double seconds_of(const aiAnimation& animation) {
    const double seconds = animation.mDuration / ticks_per_second(animation);
    return std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

}  // namespace ringlet
