// Grooms so far away or so large that no model can move them are refused where they are loaded.
#include <gtest/gtest.h>

#include <fstream>

#include "io/groom_file.h"
#include "ringlet/session.h"
#include "temp_folder.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

std::string error_of(const std::string& scene) {
    const Result<Session> opened = Session::open(scene, {.overrides = {}, .threads = 1});
    return opened ? "" : opened.error().text();
}

void expect_words(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << text;
}

TEST(groom_extent, imported_strand_beyond_the_limit_is_named_with_its_value) {
    const TempFolder folder;
    const std::string scene = (folder / "scene.toml").string();
    std::ofstream(scene) << "[groom]\nfile = 'far.hair'\n";
    for (const float far : {9e3f, 1e5f, 1e30f}) {
        const StrandSet strands =
            lab::strands_of({{{0, 0, 0}, {0, -0.1f, 0}}, {{0, 0, 0}, {far, 0, 0}}});
        ASSERT_TRUE(write_groom(folder / "far.hair", strands, ""));
        const std::string error = error_of(scene);
        if (far < 1e4f)
            EXPECT_EQ(error, "");
        else
            expect_words(error, {"far.hair: ", "strand 1, vertex 1",
                                 far > 1e6f ? "1e+30" : "100000", "10000 m", "groom.file_scale"});
    }
}

TEST(groom_extent, groom_on_a_mesh_beyond_the_limit_is_refused) {
    const TempFolder folder;
    const std::string scene = (folder / "scene.toml").string();
    std::ofstream(folder / "large.obj") << "v 1e30 0 0\nv 1e30 1 0\nv 1e30 0 1\nf 1 2 3\n";
    std::ofstream(scene) << "[groom]\nmesh = 'large.obj'\nscalp = ''\nstrands = 8\n";
    expect_words(error_of(scene), {"scene.toml", "strand 0, vertex 0", "10000 m"});
}

}  // namespace
}  // namespace ringlet
