// The pictures that material libraries name.
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
    // The texture of a material whose library lies in `folder`, by the name written there: where
    // the name says, with backslashes read as slashes; else under its last part beside the library.
    // Null, and a warning, where none can be read. A picture is read once however often it is
    // named; all together are limited, since an OBJ of a few lines can name any number.
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
