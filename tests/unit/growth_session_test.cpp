// Growth weights that a scene takes from files.
#include <gtest/gtest.h>

#include "base/files.h"
#include "session/assets/groom_source.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

TEST(painted_growth, is_loaded_from_beside_the_scene) {
    const TempFolder folder;
    GrowthPaint paint(0.01f);
    paint.dab({{0, 0.45f, 0}, 0.05f, 1, BrushMode::shave});
    ASSERT_TRUE(write_file(folder / "mine.growth", paint.text()));
    Scene scene;
    scene.folder = (folder / "").string();
    scene.groom.painted = "mine.growth";
    const Result<GroomMaps> maps = load_maps(scene);
    ASSERT_TRUE(maps) << maps.error().text();
    EXPECT_EQ(maps->painted, paint);
}

TEST(painted_growth, that_is_missing_or_damaged_is_an_error_with_key_and_line) {
    const TempFolder folder;
    Scene scene;
    scene.folder = (folder / "").string();
    scene.groom.painted = "mine.growth";
    const Result<GroomMaps> missing = load_maps(scene);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().text().find("groom.painted"), std::string::npos);
    ASSERT_TRUE(write_file(folder / "mine.growth", "ringlet growth 1\n0.003\n1 2 3\n"));
    const Result<GroomMaps> damaged = load_maps(scene);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().line, 3);
    EXPECT_NE(damaged.error().text().find("mine.growth"), std::string::npos);
}

}  // namespace
}  // namespace ringlet
