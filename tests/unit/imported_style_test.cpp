// Imported grooms in a session: the style stays with every model, and strands that pass through a
// collider are moved out of it.
#include <fstream>

#include "io/groom_file.h"
#include "ringlet/session.h"
#include "session/live/session_impl.h"
#include "sim/models/registry.h"
#include "temp_folder.h"
#include "validate/lab.h"

namespace ringlet {
namespace {

double mean_distance(const Channel<3>& a, const Channel<3>& b) {
    double sum = 0, count = 0;
    for (int s = 0; s < a.layout().strand_count(); ++s)
        for (int i = 0; i < a.layout().vertex_count(s); ++i, ++count)
            sum += static_cast<double>(norm(a.vec3(s, i) - b.vec3(s, i)));
    return sum / count;
}

class ImportedStyle : public testing::Test {
protected:
    // Strands that leave a ball of 10 cm sideways and fall beside it, and with `through` one that
    // falls through it.
    void write_groom_file(bool through) const {
        std::vector<std::vector<Vec3f>> lines;
        for (int k = 0; k < 8; ++k) {
            const SinCos<float> turn = sin_cos(0.8f * static_cast<float>(k));
            std::vector<Vec3f> line;
            for (int i = 0; i < 16; ++i) {
                const float s = 0.02f * static_cast<float>(i), out = 0.1f + min(s, 0.05f);
                line.push_back({out * turn.cos, -max(s - 0.05f, 0.0f), out * turn.sin});
            }
            lines.push_back(std::move(line));
        }
        if (through) lines.push_back(lab::straight_line({0.02f, 0.1f, 0}, {0, -1, 0}, 0.3f, 16));
        ASSERT_TRUE(write_groom(folder_ / "style.hair", lab::strands_of(lines), ""));
        std::ofstream(folder_ / "scene.toml")
            << "[groom]\nfile = 'style.hair'\n[[collider]]\nradius = 0.1\n";
    }
    Result<Session> open(const std::string& model, std::vector<std::string> more = {}) const {
        more.push_back("sim.model=" + model);
        return Session::open((folder_ / "scene.toml").string(),
                             {.overrides = std::move(more), .threads = 1});
    }
    static double drift(Session& session) {
        const Session::Impl& impl = session.impl();
        const Channel<3> before = *impl.strands(When::now).position;
        for (int k = 0; k < 120; ++k) session.step();
        return mean_distance(before, *impl.strands(When::now).position);
    }

    static bool says(const Session& session, std::string_view words) {
        for (const std::string& text : session.impl().actors.front().messages.assumptions)
            if (text.find(words) != std::string::npos) return true;
        return false;
    }

    TempFolder folder_;
};

TEST_F(ImportedStyle, stays_with_every_model_by_default) {
    write_groom_file(false);
    for (const ModelEntry& model : all_models()) {
        Result<Session> session = open(model.name);
        ASSERT_TRUE(session) << session.error().text();
        EXPECT_LT(drift(*session), 0.002) << model.name;
        EXPECT_FALSE(says(*session, "start inside"));
    }
    Result<Session> falls = open("pbd", {"sim.keep_style=never"});
    ASSERT_TRUE(falls) << falls.error().text();
    EXPECT_GT(drift(*falls), 0.01) << "a pbd chain falls";
}

TEST_F(ImportedStyle, strands_inside_a_collider_are_moved_out_and_counted) {
    write_groom_file(true);
    for (const ModelEntry& model : all_models()) {
        Result<Session> session = open(model.name);
        ASSERT_TRUE(session) << session.error().text();
        const Session::Impl& impl = session->impl();
        EXPECT_TRUE(says(*session, "1 of 9 strands start inside"));
        const Channel<3>& rest = *impl.strands(When::at_rest).position;
        for (int i = 1; i < 16; ++i) EXPECT_GT(norm(rest.vec3(8, i)), 0.0999f) << i;
        EXPECT_LT(drift(*session), 0.002) << model.name;
    }
}

}  // namespace
}  // namespace ringlet
