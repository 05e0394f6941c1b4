#include "viewer/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/files.h"

namespace ringlet {

Layout parse_layout(const std::string& text) {
    Layout out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string what;
        words >> what;
        float a = 0, b = 0;
        if (what == "open" || what == "closed") {
            std::string name;
            std::getline(words >> std::ws, name);
            what == "open" ? (void)out.open.insert(name) : (void)out.open.erase(name);
        } else if (what == "window" && words >> a >> b) {
            out.width = static_cast<int>(std::clamp(a, 320.0f, 16384.0f));
            out.height = static_cast<int>(std::clamp(b, 240.0f, 16384.0f));
        } else if ((what == "side_panels" || what == "sides") && words >> a >> b) {
            out.left_width = std::clamp(a, 160.0f, 1000.0f);
            out.right_width = std::clamp(b, 160.0f, 1000.0f);
        } else if (what == "panels" && words >> a) {
            out.show_panels = a != 0;
        }
    }
    return out;
}

std::string format_layout(const Layout& layout) {
    std::string out =
        fmt::format("window {} {}\nside_panels {} {}\npanels {}\n", layout.width, layout.height,
                    layout.left_width, layout.right_width, layout.show_panels ? 1 : 0);
    for (const std::string& name : Layout().open)
        if (!layout.open.contains(name)) out += "closed " + name + "\n";
    for (const std::string& name : layout.open) out += "open " + name + "\n";
    return out;
}

std::filesystem::path layout_file() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config && *config) return std::filesystem::path(config) / "ringlet" / "viewer.txt";
    const char* home = std::getenv("HOME");
    if (home && *home) return std::filesystem::path(home) / ".config" / "ringlet" / "viewer.txt";
    return {};
}

Layout load_layout(const std::filesystem::path& file) {
    const Result<std::string> text = read_file(file, 1 << 16);
    return text ? parse_layout(*text) : Layout{};
}

Result<void> save_layout(const std::filesystem::path& file, const Layout& layout) {
    return write_file(file, format_layout(layout));
}

}  // namespace ringlet
