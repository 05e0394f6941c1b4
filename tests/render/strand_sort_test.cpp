// The GPU sorts segments like a stable sort on the CPU and omits hidden ones.
#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "picture_fixture.h"
#include "render_gl/shader_constants.h"
#include "render_gl/strand_stream.h"

namespace ringlet {
namespace {

constexpr int kWidth = 160, kHeight = 120;

// Strands of several lengths all over the image, some of them at one depth.
std::vector<TestStrand> cloud(int count) {
    std::vector<TestStrand> strands;
    for (int s = 0; s < count; ++s) {
        const auto number = [s](std::uint32_t channel) {
            return counter_uniform(31, static_cast<std::uint32_t>(s), channel) * 2 - 1;
        };
        TestStrand strand{{}, 0.0002f};
        const Vec3f root{0.25f * number(0), 0.1f * number(1),
                         s % 5 == 0 ? 0.01f : 0.1f * number(2)};
        const Vec3f run{0.004f * number(3), 0.004f * number(4), s % 5 == 0 ? 0 : 0.02f * number(5)};
        for (int i = 0; i < 2 + s % 7; ++i)
            strand.vertices.push_back(root + run * static_cast<float>(i));
        strands.push_back(strand);
    }
    return strands;
}

class strand_sort : public PictureTest {
protected:
    void SetUp() override {
        PictureTest::SetUp();
        if (IsSkipped()) return;
        auto made = StrandStream::create();
        ASSERT_TRUE(made) << made.error().text();
        stream_ = std::make_unique<StrandStream>(std::move(*made));
    }
    void TearDown() override {
        stream_.reset();
        PictureTest::TearDown();
    }

    // The numbers of the drawn segments in drawing order.
    std::vector<std::uint32_t> drawn(const std::vector<TestStrand>& strands, int subdivision,
                                     GLuint depths = 0) {
        const StrandSet set = strand_set(strands);
        view_ = view_of(measuring_camera(kHeight, 500), kWidth, kHeight);
        RenderSettings settings;
        settings.subdivision = subdivision;
        settings.mode = StrandMode::ribbons;  // only these have indices
        const TaskPool pool;
        PassTimer timer;
        stream_->upload(view_of(set), view_, settings, kHeight, pool, timer);
        const Subject subject{stream_->bounds(), longest_side(stream_->bounds())};
        const FrameBlock frame = frame_block(view_, Light{}, settings, kWidth, kHeight, subject);
        StreamBuffer block;
        block.upload(&frame, sizeof frame);
        glBindBufferBase(GL_UNIFORM_BUFFER, shader::kFrameBinding, block.name());
        stream_->sort(view_, timer, depths, kWidth, kHeight);
        GLuint count = 0;
        glGetNamedBufferSubData(stream_->order().draw_command(), 0, sizeof count, &count);
        std::vector<std::uint32_t> indices(count);
        if (count > 0)
            glGetNamedBufferSubData(stream_->order().indices(), 0,
                                    static_cast<GLsizeiptr>(count * sizeof(GLuint)),
                                    indices.data());
        std::vector<std::uint32_t> segments;
        for (std::size_t i = 0; i < indices.size(); i += 6) {
            EXPECT_EQ(indices[i + 1], indices[i] + 1) << "corners of another segment";
            segments.push_back(indices[i] / 2);
        }
        return segments;
    }

    // The depths of the middles of all segments by number; -1 for tips.
    std::vector<float> depths_of(const std::vector<TestStrand>& strands) const {
        const StrandSet set = strand_set(strands);
        const StrandOrder order(*set.layout);
        std::vector<float> depths(order.control_count(), -1.0f);
        for (std::size_t strand = 0; strand < strands.size(); ++strand) {
            const auto& at = strands[strand].vertices;
            const std::size_t first = order.first_control(static_cast<int>(strand));
            for (std::size_t i = 0; i + 1 < at.size(); ++i)
                depths[first + i] =
                    glm::dot(to_glm((at[i] + at[i + 1]) * 0.5f) - view_.eye, view_.forward);
        }
        return depths;
    }

    std::unique_ptr<StrandStream> stream_;
    View view_{};
};

TEST_F(strand_sort, puts_the_farthest_first_and_keeps_the_order_of_equals) {
    const std::vector<TestStrand> strands = cloud(3000);  // several tiles of the sort
    const std::vector<std::uint32_t> found = drawn(strands, 1);
    const std::vector<float> depths = depths_of(strands);
    std::size_t segments = 0;
    for (const TestStrand& strand : strands) segments += strand.vertices.size() - 1;
    ASSERT_EQ(found.size(), segments);
    const Vec3f size = stream_->bounds().high - stream_->bounds().low;
    const float step = glm::dot(glm::abs(view_.forward), to_glm(size)) / 32766 * 1.01f;
    std::vector<bool> seen(depths.size());
    std::size_t equals = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_LT(found[i], depths.size());
        EXPECT_FALSE(seen[found[i]]) << "drawn twice";
        seen[found[i]] = true;
        if (i == 0) continue;
        EXPECT_GT(depths[found[i - 1]], depths[found[i]] - step) << i;
        if (depths[found[i - 1]] != depths[found[i]]) continue;
        EXPECT_LT(found[i - 1], found[i]) << "equals changed places";
        ++equals;
    }
    EXPECT_GT(equals, 100u) << "too few segments at equal depths";
}

TEST_F(strand_sort, omits_hidden_segments_only) {
    const std::vector<TestStrand> strands = cloud(400);
    const std::vector<std::uint32_t> all = drawn(strands, 4);
    const Texture depths = make_texture_2d(GL_DEPTH_COMPONENT32F, kWidth, kHeight);
    const auto fill = [&](float left, float right) {
        std::vector<float> texels(static_cast<std::size_t>(kWidth * kHeight));
        for (std::size_t i = 0; i < texels.size(); ++i)
            texels[i] = static_cast<int>(i) % kWidth < kWidth / 2 ? left : right;
        glTextureSubImage2D(depths, 0, 0, 0, kWidth, kHeight, GL_DEPTH_COMPONENT, GL_FLOAT,
                            texels.data());
    };
    // The image is narrower than the cloud, so some segments are outside it.
    fill(1, 1);
    const std::vector<std::uint32_t> inside = drawn(strands, 4, depths);
    EXPECT_LT(inside.size(), all.size());
    fill(0, 0);
    EXPECT_TRUE(drawn(strands, 4, depths).empty());
    fill(0, 1);
    const std::vector<std::uint32_t> half = drawn(strands, 4, depths);
    EXPECT_LT(half.size(), inside.size() * 6 / 10);
    EXPECT_GT(half.size(), inside.size() * 4 / 10);
    // The remaining segments keep their order.
    auto found = inside.begin();
    for (const std::uint32_t segment : half) {
        found = std::find(found, inside.end(), segment);
        ASSERT_NE(found, inside.end()) << segment;
    }
}

TEST_F(strand_sort, draws_straight_segments_undivided_among_curled_ones) {
    std::vector<TestStrand> strands(8, {{}, 0.0002f});
    for (std::size_t s = 1; s < strands.size(); ++s)
        for (int i = 0; i < 12; ++i)
            strands[s].vertices.push_back({i % 2 == 0 ? -0.01f : 0.01f,
                                           0.004f * static_cast<float>(i),
                                           0.001f * static_cast<float>(s)});
    strands[0].vertices = {{-0.05f, 0, 0}, {-0.04f, 0, 0}, {-0.03f, 0, 0}};
    const std::vector<std::uint32_t> found = drawn(strands, 0);
    const auto steps = static_cast<std::uint32_t>(stream_->subdivision());
    ASSERT_GT(steps, 1u);
    const std::uint32_t first = StrandOrder(*strand_set(strands).layout).first_control(0) * steps;
    const auto straight = std::count_if(found.begin(), found.end(), [&](std::uint32_t s) {
        return s >= first && s < first + 3 * steps;
    });
    EXPECT_EQ(straight, 2);
    EXPECT_GT(found.size(), 7u * 9 * steps);
    EXPECT_EQ(drawn(strands, 4).size(), (7u * 11 + 2) * 4) << "fixed subdivision";
}

}  // namespace
}  // namespace ringlet
