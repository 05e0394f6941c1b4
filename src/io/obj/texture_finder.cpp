#include "io/obj/texture_finder.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include "io/image/image_file.h"
#include "io/text.h"

namespace ringlet {

namespace {

constexpr std::size_t kMaxTextures = 256;
constexpr std::size_t kMaxTotalPixels = std::size_t{1} << 27;

// Folders, pipes and devices are not tried.
bool is_file(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

std::filesystem::path with_slashes(std::string written) {
    std::ranges::replace(written, '\\', '/');
    return written;
}

}  // namespace

std::shared_ptr<const Image> TextureFinder::find(const std::filesystem::path& folder,
                                                 const std::string& written,
                                                 const std::string& material) {
    const std::filesystem::path name = with_slashes(written);
    const std::string subject = "material " + in_quotes(material) + ": its texture ";
    for (const std::filesystem::path& path :
         {folder / written, folder / name, folder / name.filename()})
        if (is_file(path)) return read(path.lexically_normal(), subject);
    warnings.push_back(subject + in_quotes(name.filename().string()) + " is not in " +
                       (folder.empty() ? std::string("the working folder") : folder.string()) +
                       "; put it there");
    return nullptr;
}

std::shared_ptr<const Image> TextureFinder::read(const std::filesystem::path& path,
                                                 const std::string& subject) {
    const auto [entry, added] = found_.try_emplace(path);
    if (!added) return entry->second;
    if (found_.size() > kMaxTextures) {
        warnings.push_back(subject + path.string() + " is one too many; at most " +
                           std::to_string(kMaxTextures) + " are read");
        return nullptr;
    }
    Result<Image> image = read_image(path);
    if (!image) {
        warnings.push_back(subject + image.error().text());
        return nullptr;
    }
    total_pixels_ += image->rgba.size() / 4;
    if (total_pixels_ > kMaxTotalPixels) {
        total_pixels_ -= image->rgba.size() / 4;
        warnings.push_back(subject + path.string() +
                           " is skipped: the textures have more than 2^27 pixels in total");
        return nullptr;
    }
    entry->second = std::make_shared<const Image>(std::move(*image));
    return entry->second;
}

}  // namespace ringlet
