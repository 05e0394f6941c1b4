// Finds and reads the textures that material libraries name.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ringlet/image.h"

namespace ringlet {

class TextureFinder {
public:
    // The texture of a material, by the file name `written` in a library in `folder`: at that path
    // (backslashes count as slashes), otherwise by its last component in `folder`. Null, and a
    // warning, if none can be read. Each image is read once. Their number and total size are
    // limited, because a short OBJ can name any number of them.
    std::shared_ptr<const Image> find(const std::filesystem::path& folder,
                                      const std::string& written, const std::string& material);

    std::vector<std::string> warnings;  // one line each

private:
    std::shared_ptr<const Image> read(const std::filesystem::path& path,
                                      const std::string& subject);

    std::map<std::filesystem::path, std::shared_ptr<const Image>> found_;
    std::size_t total_pixels_ = 0;
};

}  // namespace ringlet
