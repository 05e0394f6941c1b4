// How the viewer's window was left, for the next time.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "ringlet/result.h"

namespace ringlet {

struct Layout {
    int width = 1280, height = 800;             // of the window, px
    float left_width = 320, right_width = 280;  // of the sides, px at scale 1
    bool show_panels = true;
    std::set<std::string> open{"Scene", "Groom", "Simulation", "Statistics", "Debug view"};
};

// What is not understood is left out: an old or broken file is no reason to complain.
Layout parse_layout(const std::string& text);
std::string format_layout(const Layout& layout);

// XDG_CONFIG_HOME/ringlet/viewer.txt, or below ~/.config; empty where there is neither.
std::filesystem::path layout_file();
Layout load_layout(const std::filesystem::path& file);
Result<void> save_layout(const std::filesystem::path& file, const Layout& layout);

}  // namespace ringlet
