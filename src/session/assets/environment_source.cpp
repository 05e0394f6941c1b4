#include "session/assets/environment_source.h"

#include <filesystem>

#include "io/image/linear_image_file.h"
#include "picture/environment_map.h"

namespace ringlet {

namespace fs = std::filesystem;

Result<std::shared_ptr<const EnvironmentMap>> load_environment(const Scene& scene) {
    const std::string& name = scene.light.environment;
    if (name.empty()) return std::shared_ptr<const EnvironmentMap>();
    if (name == kStudioEnvironment)
        return std::make_shared<const EnvironmentMap>(studio_environment());
    const fs::path path = fs::path(scene.folder) / name;
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return Error{"light.environment: no such file \"" + name + "\"; looked in " + scene.folder +
                         "/; give a .hdr or .exr file or \"studio\"",
                     scene.name};
    const Result<LinearImage> image = read_linear_image(path);
    if (!image) return Error{"light.environment: " + image.error().message, image.error().file};
    std::vector<Vec3f> texels(image->channels[0].values.size());
    for (std::size_t i = 0; i < texels.size(); ++i)
        texels[i] = {image->channels[0].values[i], image->channels[1].values[i],
                     image->channels[2].values[i]};
    return std::make_shared<const EnvironmentMap>(
        environment_of(image->width, image->height, std::move(texels)));
}

}  // namespace ringlet
