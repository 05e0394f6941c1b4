// The deep opacity map gives the number of strands between a point and a lamp, as counted by brute
// force.
#include <epoxy/gl.h>

#include <string>

#include "picture/studio.h"
#include "picture_fixture.h"
#include "render_gl/shader_constants.h"
#include "render_gl/shader_source.h"
#include "render_gl/shadow_maps.h"
#include "render_gl/strand_stream.h"
#include "test_level.h"

namespace ringlet {
namespace {

class opacity_map : public PictureTest {};

struct Probe {
    Vec3f at;
    float count;  // result of soft_opacity
};
constexpr std::size_t kFirst = 3, kEvery = 7;  // vertices of a strand that are probed
constexpr std::size_t kPerStrand = 3;
// Radius of the disc that soft_opacity averages over, with the interpolation between texels.
constexpr float kDiscTexels = 2;

// Evaluates soft_opacity of shaders/light.glsl at the probes.
void evaluate_soft_opacity(std::vector<Probe>& probes, int lamp) {
    std::string text(shader_source("strand_shade.comp"));
    text.resize(text.find("void main()"));
    text += "\nconst int lamp = " + std::to_string(lamp) + ";" + R"(
layout(std430, binding = 3) buffer Probes { vec4 probes[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < probes.length()) probes[i].w = soft_opacity(lamp, to_light_map(lamp, probes[i].xyz), 1.0);
})";
    const char* source = text.c_str();
    const GLuint program = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &source);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    ASSERT_TRUE(linked);
    StreamBuffer buffer;
    const auto bytes = static_cast<GLsizeiptr>(probes.size() * sizeof(Probe));
    buffer.upload(probes.data(), probes.size() * sizeof(Probe));
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 3, buffer.name(), 0, bytes);
    glUseProgram(program);
    glDispatchCompute(static_cast<GLuint>(probes.size() / 64 + 1), 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(buffer.name(), 0, bytes, probes.data());
    glUseProgram(0);
    glDeleteProgram(program);
}

// A wisp of hair between the light and itself.
std::vector<TestStrand> wisp(int count, float radius) {
    std::vector<TestStrand> strands;
    for (int s = 0; s < count; ++s) {
        const auto number = [s](std::uint32_t channel) {
            return counter_uniform(23, static_cast<std::uint32_t>(s), channel) * 2 - 1;
        };
        const Vec3f root{0.05f * number(0), 0.06f, 0.04f * number(1)};
        const float phase = kPi * number(2);
        TestStrand strand{{}, radius};
        for (int i = 0; i < 24; ++i) {
            const float t = static_cast<float>(i) / 23;
            const SinCos<float> turn = sin_cos(phase + 7 * t);
            strand.vertices.push_back(root + Vec3f{0.01f * turn.cos, -0.12f * t, 0.01f * turn.sin});
        }
        strands.push_back(strand);
    }
    return strands;
}

// A dense sheet of parallel strands that slants by 45 degrees under the light, and strands of which
// one in seven, a thin one, lies 5 mm in front of it.
std::vector<TestStrand> slanted_sheet(Vec3f light) {
    const Vec3f side = unit_or(cross(light, Vec3f{0, 1, 0}), Vec3f{1, 0, 0});
    const Vec3f down = unit_or(light + cross(side, light), Vec3f{0, -1, 0});
    const Vec3f out = cross(side, down) * (dot(cross(side, down), light) > 0 ? 1.0f : -1.0f);
    std::vector<TestStrand> strands;
    for (std::uint32_t s = 0; s < 6000; ++s) {
        const bool is_stray = s % 7 == 3;
        const float out_by = is_stray ? 0.005f : -0.004f * counter_uniform(29, s, 1);
        const Vec3f root = side * (0.05f * counter_signed(29, s, 0)) + out * out_by;
        TestStrand strand{{}, is_stray ? 0.00001f : 0.0002f};
        for (int i = 0; i < 24; ++i)
            strand.vertices.push_back(root + down * (0.005f * static_cast<float>(i) - 0.06f));
        strands.push_back(strand);
    }
    return strands;
}

// The area of strands other than `own` that are nearer to the light than `at`, within a disc around
// the ray to the light, divided by the area of the disc.
float counted(const std::vector<TestStrand>& strands, const TestStrand& own, Vec3f at, Vec3f light,
              float disc) {
    double area = 0;
    for (const TestStrand& strand : strands)
        for (std::size_t i = 0; i + 1 < strand.vertices.size(); ++i) {
            if (&strand == &own) break;
            const Vec3f a = strand.vertices[i], b = strand.vertices[i + 1];
            const Vec3f middle = (a + b) * 0.5f - at;
            const float reach = norm(b - a) + disc;
            if (norm(middle - light * dot(middle, light)) > reach) continue;
            constexpr int kPieces = 16;
            const Vec3f run = (b - a) - light * dot(b - a, light);
            for (int k = 0; k < kPieces; ++k) {
                const Vec3f p = a + (b - a) * ((static_cast<float>(k) + 0.5f) / kPieces) - at;
                const float towards = dot(p, light);
                if (towards < 0 || norm(p - light * towards) > disc) continue;
                area += 2 * strand.radius * norm(run) / kPieces;
            }
        }
    return static_cast<float>(area / (kPi * disc * disc));
}

struct Comparison {
    double error;  // root mean square, relative to that of the counts
    double mean, counted_mean;
};

Vec3f direction_of_lamp(int lamp) {
    const StudioLights lights(Light{}, RenderSettings{}.background);
    return lamp == shader::kKeyLamp ? lights.key_direction : lights.rim_direction;
}

// The map is as fine as for a scene `heads` times as long as a head.
Comparison compare(const std::vector<TestStrand>& strands, int lamp, int heads = 1) {
    const StrandSet set = strand_set(strands);
    const RenderSettings settings;
    const View view = view_of(measuring_camera(256, 900), 256, 256);
    const TaskPool pool;
    auto made = StrandStream::create();
    EXPECT_TRUE(made);
    StrandStream& stream = *made;
    PassTimer timer;
    stream.upload(view_of(set), view, settings, 256, pool, timer);
    const Subject subject{stream.bounds(),
                          longest_side(stream.bounds()) / static_cast<float>(heads)};
    const FrameBlock frame = frame_block(view, Light{}, settings, 256, 256, subject);
    StreamBuffer block;
    block.upload(&frame, sizeof frame);
    glBindBufferBase(GL_UNIFORM_BUFFER, shader::kFrameBinding, block.name());
    auto maps = ShadowMaps::create();
    EXPECT_TRUE(maps);
    maps->resize(map_detail(subject));
    maps->draw(
        stream, [](PartKind) {}, false, {}, timer);
    maps->bind();
    std::vector<Probe> probes;
    const std::size_t stride = strands.size() / 250 + 1;
    for (std::size_t s = 0; s < strands.size(); s += stride)
        for (std::size_t k = 0; k < kPerStrand; ++k)
            probes.push_back({strands[s].vertices[kFirst + k * kEvery], 0});
    evaluate_soft_opacity(probes, lamp);
    ShadowMaps::unbind();
    glBindVertexArray(0);

    const Vec3f towards = direction_of_lamp(lamp);
    const float texel =
        frame.lamp_colour[lamp].w / static_cast<float>(kOpacityMapSize * map_detail(subject));
    double errors = 0, squares = 0, sum = 0, truths = 0;
    for (std::size_t i = 0; i < probes.size(); ++i) {
        const float truth = counted(strands, strands[i / kPerStrand * stride], probes[i].at,
                                    towards, kDiscTexels * texel);
        errors += (probes[i].count - truth) * (probes[i].count - truth);
        squares += truth * truth;
        sum += probes[i].count;
        truths += truth;
    }
    const auto count = static_cast<double>(probes.size());
    return {std::sqrt(errors / squares), sum / count, truths / count};
}

TEST_F(opacity_map, counts_the_strands_in_front_as_brute_force_does) {
    RINGLET_TEST_FROM(full);
    for (const int count : {5000, 6400}) {
        const Comparison found = compare(wisp(count, 0.00005f), shader::kKeyLamp);
        EXPECT_GT(found.counted_mean, 0.5) << "the strands do not shadow each other";
        EXPECT_LT(found.error, 0.10) << count;
        EXPECT_NEAR(found.mean / found.counted_mean, 1, 0.05) << count;
    }
}

// The strays do not hide the sheet, although the depth of the first strand is theirs. In the finest
// map of a crowd, the sums of both lamps may be larger than what a shader can access at once.
TEST_F(opacity_map, counts_dense_hair_behind_single_strands) {
    RINGLET_TEST_FROM(full);
    for (const int heads : {1, 3})
        for (const int lamp : {shader::kKeyLamp, shader::kRimLamp}) {
            const Comparison found = compare(slanted_sheet(direction_of_lamp(lamp)), lamp, heads);
            EXPECT_GT(found.counted_mean, 0.5) << "the strands do not shadow each other";
            // Fewer strands lie in a texel of the finest map: 0.24 and 0.20.
            EXPECT_LT(found.error, heads == 1 ? 0.2 : 0.3) << lamp;
            EXPECT_NEAR(found.mean / found.counted_mean, 1, 0.1) << lamp;
        }
}

}  // namespace
}  // namespace ringlet
