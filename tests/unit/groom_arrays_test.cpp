// Grooms as arrays (ringlet/grooms.h) and pictures in memory.
#include <gtest/gtest.h>

#include "ringlet/ringlet.h"
#include "unit/temp_folder.h"

namespace ringlet {
namespace {

GroomArrays two_strands() {
    GroomArrays out;
    out.vertex_counts = {2, 3};
    for (int k = 0; k < 15; ++k) {
        out.positions.push_back(0.125f * static_cast<float>(k));
        out.colours.push_back(0.0625f * static_cast<float>(k));
    }
    out.widths = {1, 2, 3, 4, 5};
    return out;
}

TEST(groom_arrays, are_read_as_they_were_written) {
    const TempFolder folder;
    const std::string path = (folder / "strands.hair").string();
    const GroomArrays groom = two_strands();
    const Result<void> written = write_groom_file(path, groom);
    ASSERT_TRUE(written) << written.error().text();
    const Result<GroomArrays> read = read_groom_file(path);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->positions, groom.positions);
    EXPECT_EQ(read->vertex_counts, groom.vertex_counts);
    EXPECT_EQ(read->widths, groom.widths);
    EXPECT_EQ(read->colours, groom.colours);
    EXPECT_TRUE(read->root_uv.empty());
    const Result<GroomArrays> scaled = read_groom_file(path, {.scale = 2, .z_up = true});
    ASSERT_TRUE(scaled) << scaled.error().text();
    EXPECT_EQ(scaled->positions[1], 2 * groom.positions[2]);
    EXPECT_EQ(scaled->positions[2], -2 * groom.positions[1]);
}

TEST(groom_arrays, that_do_not_fit_each_other_are_refused_and_nothing_is_written) {
    const TempFolder folder;
    const std::string path = (folder / "strands.hair").string();
    const auto refused = [&](auto change) {
        GroomArrays groom = two_strands();
        change(groom);
        const Result<void> written = write_groom_file(path, groom);
        return written ? std::string() : written.error().message;
    };
    EXPECT_EQ(refused([](GroomArrays& g) { g.positions.pop_back(); }),
              "positions has 14 numbers instead of 15");
    EXPECT_EQ(refused([](GroomArrays& g) { g.widths.pop_back(); }),
              "widths has 4 numbers instead of 5");
    EXPECT_EQ(refused([](GroomArrays& g) { g.root_uv.push_back(0); }),
              "root_uv has 1 numbers instead of 4");
    EXPECT_NE(refused([](GroomArrays& g) { g.vertex_counts[1] = 0; }).find("strand 1"),
              std::string::npos);
    EXPECT_NE(refused([](GroomArrays& g) {
                  g.positions[4] = std::numeric_limits<float>::quiet_NaN();
              }).find("strand 0"),
              std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(groom_arrays, of_a_scene_at_rest_stay_while_it_moves) {
    Result<Session> session = Session::open("pendulum");
    ASSERT_TRUE(session) << session.error().text();
    const Result<GroomArrays> before = groom_at_rest(*session);
    ASSERT_TRUE(before) << before.error().text();
    EXPECT_EQ(before->positions, session->positions());
    for (int step = 0; step < 5; ++step) session->step();
    EXPECT_NE(before->positions, session->positions());
    EXPECT_EQ(groom_at_rest(*session)->positions, before->positions);
}

TEST(render_image, cancels_and_names_unknown_renderers) {
    Result<Session> session = Session::open("pendulum");
    ASSERT_TRUE(session) << session.error().text();
    EXPECT_FALSE(render_image(*session, {.renderer = "crayon"}));
    Listener listener;
    listener.stop_requested = [] { return true; };
    const Result<Image> image = render_image(*session, {}, listener);
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().message, "stopped");
}

}  // namespace
}  // namespace ringlet
