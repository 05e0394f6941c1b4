// What fur looks like: the two ways to draw one coat agree, layers do not show, nothing is seen of
// the mesh underneath.
#include "render/picture_fixture.h"
#include "ringlet/ringlet.h"
#include "session/draw.h"
#include "session/parts.h"

namespace ringlet {
namespace {

class FurPictures : public PictureTest {
protected:
    static Result<Session> open(const std::string& scene, std::vector<std::string> overrides) {
        Result<Session> session = Session::open(scene, {.overrides = std::move(overrides)});
        EXPECT_TRUE(session) << session.error().text();
        if (session) session->parts().advance_to(0);
        return session;
    }

    // Pixels more than half covered by fur, and their mean colour in the finished picture.
    struct Seen {
        double area = 0;
        double mean[3] = {0, 0, 0};
    };
    Seen look_at(const Session& session, int size) {
        Picture picture = picture_of(session);
        const Image image = draw(picture, size, size);
        picture.look.flat = true;
        const Image matte = draw(picture, size, size);
        Seen out;
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                if (matte.pixel(x, y)[0] < 40) continue;
                out.area += 1;
                for (int k = 0; k < 3; ++k) out.mean[k] += image.pixel(x, y)[k];
            }
        for (double& mean : out.mean) mean /= std::max(out.area, 1.0);
        return out;
    }
};

TEST_F(FurPictures, strands_and_shells_of_one_description_look_alike) {
    for (const char* scene : {"bunny"}) {
        Result<Session> shells = open(scene, {"fur.style=shells"});
        Result<Session> strands = open(scene, {"fur.style=strands"});
        ASSERT_TRUE(shells && strands);
        const Seen a = look_at(*shells, 360), b = look_at(*strands, 360);
        printf("%g %g | %g %g %g | %g %g %g\n", a.area, b.area, a.mean[0], a.mean[1], a.mean[2], b.mean[0], b.mean[1], b.mean[2]);
        EXPECT_NEAR(a.area / b.area, 1, 0.05) << scene;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.mean[k] / b.mean[k], 1, 0.05) << scene << k;
    }
}

}  // namespace
}  // namespace ringlet
