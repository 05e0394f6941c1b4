// Strands copied from the simulation's GPU memory give the same image as strands from the host.
#include <epoxy/gl.h>

#include "picture_fixture.h"
#include "session/draw.h"
#include "session/live/session_impl.h"
#include "strand/device_positions.h"

namespace ringlet {
namespace {

StrandSet wisps(float sway) {
    std::vector<TestStrand> strands;
    for (int s = 0; s < 90; ++s) {
        TestStrand strand{{}, 0.0004f, {0.8f, 0.4f, 0.2f}};
        const SinCos<float> angle = sin_cos(0.07f * static_cast<float>(s));
        for (int i = 0; i < 4 + s % 5; ++i) {
            const float down = 0.02f * static_cast<float>(i);
            strand.vertices.push_back(
                {0.08f * angle.sin + sway * down, 0.1f - down, 0.08f * angle.cos});
        }
        strands.push_back(strand);
    }
    return strand_set(strands);
}

// A fake device that copies positions from host memory into the buffer.
class FakeDevice final : public DevicePositions {
public:
    explicit FakeDevice(const StrandSet& strands) : strands_(strands) {}

    std::unique_ptr<DeviceTarget> open_target(unsigned buffer) override {
        struct Target final : DeviceTarget {};
        ++opened;
        buffer_ = buffer;
        return is_elsewhere ? nullptr : std::make_unique<Target>();
    }
    bool write_to(DeviceTarget&) override {
        if (fails) return false;
        const Channel<3>& x = strands_.position;
        glNamedBufferSubData(buffer_, 0, static_cast<GLsizeiptr>(x.byte_count()), x.block(0));
        return true;
    }
    void survey(float reach, int stride, StrandSurvey& out) override {
        out.low = {reach, reach, reach};
        out.high = -out.low;
        for (const Vec3f p : unpack(strands_.position)) {
            out.low = {min(out.low.x, p.x), min(out.low.y, p.y), min(out.low.z, p.z)};
            out.high = {max(out.high.x, p.x), max(out.high.y, p.y), max(out.high.z, p.z)};
        }
        out.sample.clear();
        for (int s = 0; s < strands_.strand_count(); s += stride)
            for (int i = 0; i < strands_.layout->vertex_count(s); ++i)
                out.sample.push_back(strands_.position.vec3(s, i));
    }
    void fetch() override { ++fetched; }

    bool is_elsewhere = false, fails = false;
    int opened = 0, fetched = 0;

private:
    const StrandSet& strands_;
    unsigned buffer_ = 0;
};

class from_device : public PictureTest {
protected:
    static Picture picture_with(const StrandSet& strands) {
        Picture picture;
        picture.strands = view_of(strands);
        return picture;
    }
};

TEST_F(from_device, strands_that_the_host_does_not_have_are_drawn) {
    const StrandSet truth = wisps(0.5f);
    const Image wanted = draw(picture_with(truth), 96, 96);
    EXPECT_FALSE(renderer_->drew_from_device());

    FakeDevice device(truth);
    StrandSet on_host = truth;
    on_host.position = wisps(9).position;  // with other bounds and curvature
    draw(picture_with(on_host), 96, 96);
    Picture picture = picture_with(on_host);
    picture.strands.deferred = &device;
    EXPECT_EQ(largest_difference(draw(picture, 96, 96), wanted), 0);
    EXPECT_TRUE(renderer_->drew_from_device());
    EXPECT_EQ(device.fetched, 0);
    draw(picture, 96, 96);
    EXPECT_EQ(device.opened, 1) << "the buffer is registered more than once";
}

TEST_F(from_device, strands_on_another_device_are_copied_through_the_host) {
    const StrandSet strands = wisps(0.2f);
    const Image wanted = draw(picture_with(strands), 96, 96);
    for (const bool fails_late : {false, true}) {
        const StrandSet other = wisps(0.2f);  // another layout, so the device is tried again
        FakeDevice device(other);
        (fails_late ? device.fails : device.is_elsewhere) = true;
        Picture picture = picture_with(other);
        picture.strands.deferred = &device;
        for (int frame = 1; frame <= 2; ++frame) {
            EXPECT_EQ(largest_difference(draw(picture, 96, 96), wanted), 0);
            EXPECT_FALSE(renderer_->drew_from_device());
            EXPECT_EQ(device.fetched, frame);
            EXPECT_EQ(device.opened, 1) << "the device is tried in every frame";
        }
    }
}

TEST_F(from_device, looks_are_sent_once_where_they_stay) {
    StrandSet strands = wisps(0);
    Picture picture = picture_with(strands);
    picture.strands.has_same_appearance = true;
    const Image first = draw(picture, 64, 64);
    for (int s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i)
            strands.colour.set_vec3(s, i, {0, 0, 1});
    EXPECT_EQ(largest_difference(draw(picture, 64, 64), first), 0);
    picture.strands.has_same_appearance = false;
    const Image blue = draw(picture, 64, 64);
    EXPECT_GT(largest_difference(blue, first), 10);
    picture.strands.has_same_appearance = true;
    EXPECT_EQ(largest_difference(draw(picture, 64, 64), blue), 0);
}

TEST_F(from_device, simulated_strands_look_the_same_by_both_ways) {
    if (const Result<void> there = check_backend(Backend::cuda); !there)
        GTEST_SKIP() << there.error().text();
    // Children that a shader computes differ by rounding.
    renderer_->compute_children(false);
    for (const std::string guides : {"groom.guides=0", "groom.guides=70"}) {
        SCOPED_TRACE(guides);
        const auto opened = [&](Backend backend) {
            Result<Session> session =
                Session::open("bob", {.overrides = {"groom.strands=900", "record.settle=0", guides},
                                      .backend = backend});
            EXPECT_TRUE(session) << session.error().text();
            return std::move(*session);
        };
        Session session = opened(Backend::cuda), on_cpu = opened(Backend::cpu);
        for (int frame = 0; frame < 4; ++frame) {
            session.impl().advance_to(0.022 * frame);
            on_cpu.impl().advance_to(0.022 * frame);
            Picture picture = picture_of(session);
            const Image straight = draw(picture, 320, 240);
            if (!renderer_->drew_from_device()) GTEST_SKIP() << "OpenGL is not on that GPU";
            Strands shown = session.impl().strands(When::displayed);
            shown.on_host();
            shown.deferred = nullptr;
            picture.strands = session.impl().view(shown);
            const Image by_host = draw(picture, 320, 240);
            EXPECT_FALSE(renderer_->drew_from_device());
            EXPECT_EQ(largest_difference(straight, by_host), 0) << "frame " << frame;
            const Image never_there = draw(picture_of(on_cpu), 320, 240);
            EXPECT_EQ(largest_difference(straight, never_there), 0) << "frame " << frame;
        }
    }
}

}  // namespace
}  // namespace ringlet
