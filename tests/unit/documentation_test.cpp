// docs/scene_keys.md is generated; this test fails when the table of parameters has changed since.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "scene/parameters.h"
#include "test_paths.h"

namespace ringlet {
namespace {

std::string read_page(const std::string& name) {
    std::ifstream in(std::string(kSourceFolder) + "/docs/" + name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

TEST(documentation, scene_keys_page_is_the_table_of_parameters) {
    const std::string page = read_page("scene_keys.md");
    const std::size_t table = page.find("| key |");
    ASSERT_NE(table, std::string::npos);
    EXPECT_EQ(page.substr(table), describe_keys())
        << "Run tools/update_scene_keys to write the page again.";
}

}  // namespace
}  // namespace ringlet
