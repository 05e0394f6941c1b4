// The window layout, stored between runs of the viewer.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "ringlet/result.h"

namespace ringlet {

struct Layout {
    int width = 1280, height = 800;             // window size, px at scale 1
    float left_width = 320, right_width = 280;  // side panels, px at scale 1
    bool show_panels = true;
    std::set<std::string> open{"Scene", "Statistics", "Debug view"};  // open panels
};

// Ignores lines it does not recognize, so an old or damaged file never causes an error.
Layout parse_layout(const std::string& text);
std::string format_layout(const Layout& layout);

// XDG_CONFIG_HOME/ringlet/viewer.txt, else ~/.config/ringlet/viewer.txt. Empty if neither variable
// is set.
std::filesystem::path layout_file();
Layout load_layout(const std::filesystem::path& file);
Result<void> save_layout(const std::filesystem::path& file, const Layout& layout);

}  // namespace ringlet
