// Times the real-time renderer off screen, pass by pass:
//   time_renderer [STRANDS VERTICES WIDTHxHEIGHT] [--mode MODE]... [--frames N] [--wait] [--parts]
//                 [--lod N] [--list-mb N] [--from-gpu] [--tiles strips|pixels]
//                 [--heads N] [--picture FILE] [--warm-up N]
// Without sizes it runs the four sizes of docs/rendering.md, without modes ribbons and compute.
// Several modes are also timed frame by frame in turn, so that other work on the machine slows all
// of them. --wait completes every pass before the next begins; without it, the passes of a software
// renderer overlap. --parts prints the parts of passes. --from-gpu has the positions in GPU memory,
// as after a simulation there, and copies them within it in each frame. --lod and --list-mb set
// render.lod and render.list_mb. --heads draws N heads in rows, each with all strands. --picture
// writes the last frame of the last mode as a PPM file. --warm-up is the number of frames before
// the first that is timed, 7 by default because pass times are a few frames late; 1 is enough where
// a frame takes seconds.
#include <epoxy/gl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "collide/collider.h"
#include "math/noise.h"
#include "render_gl/offscreen.h"
#include "render_gl/renderer.h"
#include "strand/device_positions.h"

namespace {

using namespace ringlet;

constexpr float kHeadRadius = 0.1f;
constexpr float kHeadDistance = 0.4f;  // between neighbours of a crowd
const Vec3f kHead{0, 0.35f, 0};

struct Job {
    int strands, vertices, width, height;
};

struct Options {
    std::vector<StrandMode> modes;
    int frames = 30, warm_up = 7;
    TileShader tiles = TileShader::by_driver;
    int heads = 1;
    bool wait = false, parts = false, from_gpu = false;
    RenderSettings settings;
    std::string picture;
};

// The centres of `count` heads in rows that fill a square.
std::vector<Vec3f> centres_of(int count) {
    const int side = static_cast<int>(std::ceil(std::sqrt(count)));
    std::vector<Vec3f> out;
    for (int k = 0; k < count; ++k) {
        const float column = static_cast<float>(k % side) - 0.5f * static_cast<float>(side - 1);
        const float row = static_cast<float>(k / side) - 0.5f * static_cast<float>(side - 1);
        out.push_back(kHead + Vec3f{kHeadDistance * column, 0, kHeadDistance * row});
    }
    return out;
}

// Hanging curls of 30 cm on balls, except on their faces: `per_head` strands on each.
StrandSet curls(int per_head, int vertices, const std::vector<Vec3f>& heads) {
    const int count = per_head * static_cast<int>(heads.size());
    StrandSet set{StrandLayout(std::vector<int>(static_cast<std::size_t>(count), vertices))};
    TaskPool().for_each(count, [&](int s) {
        const Vec3f head = heads[static_cast<std::size_t>(s / per_head)];
        const auto number = [s](std::uint32_t channel) {
            return counter_uniform(7, static_cast<std::uint32_t>(s), channel);
        };
        const float up = 0.98f - 1.1f * number(0), around = 2 * kPi * number(1);
        const float out = std::sqrt(1 - up * up);
        const SinCos<float> angle = sin_cos(around);
        const Vec3f normal{out * angle.sin, up, -out * std::abs(angle.cos)};
        const float phase = 2 * kPi * number(2), shade = 0.7f + 0.6f * number(3);
        for (int i = 0; i < vertices; ++i) {
            const float t = static_cast<float>(i) / static_cast<float>(vertices - 1);
            const SinCos<float> turn = sin_cos(phase + 14 * t);
            const float radius = 0.012f * std::min(t * 3, 1.0f);
            const Vec3f fall = normal * (kHeadRadius + 0.05f * std::sqrt(t)) +
                               Vec3f{radius * turn.cos, -0.25f * t * t, radius * turn.sin};
            set.position.set_vec3(s, i, head + fall);
            set.colour.set_vec3(s, i, Vec3f{0.42f, 0.16f, 0.05f} * (shade * (0.5f + 0.5f * t)));
            set.radius.at(s, i) = 45e-6f;
        }
    });
    return set;
}

double now_ms() {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                     values.end());
    return values[values.size() / 2];
}

unsigned make_target(int width, int height) {
    GLuint colour = 0, target = 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &colour);
    glTextureStorage2D(colour, 1, GL_RGBA8, width, height);
    glCreateFramebuffers(1, &target);
    glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, colour, 0);
    return target;
}

// Each name once, in the order of their first occurrence.
std::vector<std::string> names_in(const std::vector<PassTime>& passes) {
    std::vector<std::string> names;
    for (const PassTime& pass : passes)
        if (std::find(names.begin(), names.end(), pass.name) == names.end())
            names.push_back(pass.name);
    return names;
}

void print_passes(const std::vector<std::vector<PassTime>>& frames) {
    std::printf("  %-18s %9s %9s\n", "pass", "CPU ms", "GPU ms");
    double cpu_sum = 0, gpu_sum = 0;
    for (const std::string& name : names_in(frames.back())) {
        std::vector<double> cpu, gpu;
        for (const auto& frame : frames) {
            cpu.push_back(0);
            gpu.push_back(0);
            for (const PassTime& pass : frame) {
                if (pass.name != name) continue;
                cpu.back() += pass.cpu_ms;
                gpu.back() += pass.gpu_ms;
            }
        }
        cpu_sum += median(cpu);
        gpu_sum += median(gpu);
        std::printf("  %-18s %9.2f %9.3f\n", name.c_str(), median(cpu), median(gpu));
    }
    std::printf("  %-18s %9.2f %9.3f\n", "sum", cpu_sum, gpu_sum);
}

// Copies a buffer within the GPU. glCopyNamedBufferSubData takes ten times as long on an H200.
constexpr const char* kCopyShader = R"(#version 450 core
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer From { uvec4 from[]; };
layout(std430, binding = 1) writeonly buffer To { uvec4 to[]; };
void main() {
    uint count = uint(from.length()), step = gl_NumWorkGroups.x * 256u;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += step) to[i] = from[i];
})";
constexpr GLuint kCopyGroups = 1024;
// Every driver can bind so many bytes.
constexpr GLsizeiptr kCopyBytes = GLsizeiptr{1} << 27;

// Positions in a buffer of OpenGL, in place of a simulation on the GPU.
class GpuPositions final : public DevicePositions {
public:
    explicit GpuPositions(const StrandSet& strands) : strands_(strands) {
        bytes_ = static_cast<GLsizeiptr>(sizeof(float)) * 3 * kLanes * strands.layout->row_count();
        glCreateBuffers(1, &buffer_);
        glNamedBufferStorage(buffer_, bytes_, strands.position.block(0), 0);
        copy_ = glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &kCopyShader);
    }
    ~GpuPositions() override {
        glDeleteProgram(copy_);
        glDeleteBuffers(1, &buffer_);
    }
    GpuPositions(const GpuPositions&) = delete;
    GpuPositions& operator=(const GpuPositions&) = delete;

    std::unique_ptr<DeviceTarget> open_target(unsigned buffer) override {
        auto target = std::make_unique<Target>();
        target->buffer = buffer;
        return target;
    }
    bool write_to(DeviceTarget& target) override {
        glUseProgram(copy_);
        for (GLsizeiptr from = 0; from < bytes_; from += kCopyBytes) {
            const GLsizeiptr bytes = std::min(kCopyBytes, bytes_ - from);
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer_, from, bytes);
            glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, static_cast<Target&>(target).buffer,
                              from, bytes);
            glDispatchCompute(kCopyGroups, 1, 1);
        }
        return true;
    }
    void survey(float, int stride, StrandSurvey& out) override {
        if (!out.sample.empty()) return;
        out.low = out.high = strands_.position.vec3(0, 0);
        for (int s = 0; s < strands_.layout->strand_count(); ++s)
            for (int i = 0; i < strands_.layout->vertex_count(s); ++i) {
                const Vec3f p = strands_.position.vec3(s, i);
                out.low = {min(out.low.x, p.x), min(out.low.y, p.y), min(out.low.z, p.z)};
                out.high = {max(out.high.x, p.x), max(out.high.y, p.y), max(out.high.z, p.z)};
                if (s % stride == 0) out.sample.push_back(p);
            }
    }
    void fetch() override {}

private:
    struct Target final : DeviceTarget {
        unsigned buffer = 0;
    };
    const StrandSet& strands_;
    unsigned buffer_ = 0, copy_ = 0;
    GLsizeiptr bytes_ = 0;
};

// Draws curls from a camera that orbits, so that no frame equals the previous one.
class Orbit {
public:
    Orbit(RendererGl& renderer, const Job& job, const Options& options)
        : renderer_(renderer),
          job_(job),
          strands_(curls(job.strands, job.vertices, centres_of(options.heads))),
          target_(make_target(job.width, job.height)),
          distance_(1.1f * std::sqrt(static_cast<float>(options.heads))) {
        for (const Vec3f centre : centres_of(options.heads)) {
            DrawnShape head =
                drawn_shape(place({.centre = centre, .radius = kHeadRadius}, {}, {}), {});
            head.colour = {0.7f, 0.5f, 0.42f};
            picture_.shapes.push_back(head);
        }
        picture_.strands = view_of(strands_);
        picture_.strands.has_same_appearance = true;
        for (int head = 0; head < options.heads; ++head)
            picture_.first_strands.push_back(head * job.strands);
        picture_.settings = options.settings;
        if (!options.from_gpu) return;
        positions_ = std::make_unique<GpuPositions>(strands_);
        picture_.strands.deferred = positions_.get();
    }
    void set_mode(StrandMode mode) { picture_.settings.mode = mode; }
    void draw(int frame) {
        const SinCos<float> angle = sin_cos(0.5f + 0.02f * static_cast<float>(frame));
        picture_.camera.eye = {distance_ * angle.sin, 0.39f * distance_, distance_ * angle.cos};
        renderer_.draw(picture_, job_.width, job_.height, target_);
    }
    // Writes the first frame as a PPM file.
    bool write(const std::string& file) {
        draw(1);
        const Result<Image> image = renderer_.draw_to_image(picture_, job_.width, job_.height);
        std::FILE* const out = image ? std::fopen(file.c_str(), "wb") : nullptr;
        if (!out) return false;
        std::fprintf(out, "P6\n%d %d\n255\n", image->width, image->height);
        for (std::size_t i = 0; i < image->rgba.size(); i += 4)
            std::fwrite(&image->rgba[i], 1, 3, out);
        return std::fclose(out) == 0;
    }
    // The time of one frame until it is completed.
    double time_frame(int frame) {
        const double start = now_ms();
        draw(frame);
        glFinish();
        return now_ms() - start;
    }

private:
    RendererGl& renderer_;
    Job job_;
    StrandSet strands_;
    unsigned target_;
    float distance_;  // of the camera
    std::unique_ptr<GpuPositions> positions_;
    Picture picture_;
};

void time_mode(RendererGl& renderer, Orbit& orbit, const Options& options, StrandMode mode) {
    orbit.set_mode(mode);
    for (int frame = 1 - options.warm_up; frame <= 0; ++frame) orbit.draw(frame);
    glFinish();
    std::vector<double> alone;
    std::vector<std::vector<PassTime>> passes;
    for (int frame = 1; frame <= options.frames; ++frame) {
        alone.push_back(orbit.time_frame(frame));
        const auto times = renderer.pass_times();
        if (!times.empty()) passes.emplace_back(times.begin(), times.end());
    }
    const double start = now_ms();
    for (int frame = 1; frame <= options.frames; ++frame) orbit.draw(frame);
    glFinish();
    const double streaming = (now_ms() - start) / options.frames;
    std::printf(" %s\n", std::string(word_of(mode)).c_str());
    if (!passes.empty()) print_passes(passes);
    std::printf("  one frame, completed: median %.2f ms, minimum %.2f ms\n", median(alone),
                *std::min_element(alone.begin(), alone.end()));
    std::printf("  continuous: %.2f ms per frame\n", streaming);
}

void time_in_turn(Orbit& orbit, const Options& options) {
    std::vector<std::vector<double>> times(options.modes.size());
    for (int frame = 1; frame <= options.frames; ++frame)
        for (std::size_t i = 0; i < options.modes.size(); ++i) {
            orbit.set_mode(options.modes[i]);
            times[i].push_back(orbit.time_frame(frame));
        }
    std::printf(" in turn, medians:");
    for (std::size_t i = 0; i < times.size(); ++i)
        std::printf(" %s %.2f ms (%.2f)", std::string(word_of(options.modes[i])).c_str(),
                    median(times[i]), median(times[i]) / median(times[0]));
    std::printf("\n");
}

// NVIDIA's driver tells how much memory is left.
void print_memory() {
    if (!epoxy_has_gl_extension("GL_NVX_gpu_memory_info")) return;
    GLint total = 0, left = 0;
    glGetIntegerv(GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX, &total);
    glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, &left);
    std::printf(" GPU memory in use by all programs: %d MB\n", (total - left) / 1024);
}

bool time_job(RendererGl& renderer, const Job& job, const Options& options) {
    std::printf("%d strands x %d vertices on each of %d heads, %d x %d\n", job.strands,
                job.vertices, options.heads, job.width, job.height);
    Orbit orbit(renderer, job, options);
    for (const StrandMode mode : options.modes) time_mode(renderer, orbit, options, mode);
    if (options.modes.size() > 1) time_in_turn(orbit, options);
    print_memory();
    if (!options.picture.empty() && !orbit.write(options.picture)) {
        std::fprintf(stderr, "cannot write %s\n", options.picture.c_str());
        return false;
    }
    std::printf("\n");
    for (const std::string& message : renderer.messages())
        std::printf("  driver: %s\n", message.c_str());
    for (const std::string& remark : renderer.performance_messages())
        std::printf("  driver, on speed: %s\n", remark.c_str());
    return renderer.messages().empty();
}

bool add_mode(const std::string& word, Options& options) {
    for (const StrandMode mode : {StrandMode::ribbons, StrandMode::compute,
                                  StrandMode::tessellation, StrandMode::ref, StrandMode::lines})
        if (word == word_of(mode)) {
            options.modes.push_back(mode);
            return true;
        }
    return false;
}

bool read_options(int argc, char** argv, Options& options, std::vector<Job>& jobs) {
    std::vector<std::string> plain;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--wait") {
            options.wait = true;
        } else if (word == "--parts") {
            options.parts = true;
        } else if (word == "--from-gpu") {
            options.from_gpu = true;
        } else if (word == "--tiles" && i + 1 < argc) {
            const std::string kind = argv[++i];
            if (kind != "strips" && kind != "pixels") return false;
            options.tiles = kind == "strips" ? TileShader::strips : TileShader::pixels;
        } else if (word == "--lod" && i + 1 < argc) {
            options.settings.lod = static_cast<float>(std::atof(argv[++i]));
        } else if (word == "--list-mb" && i + 1 < argc) {
            options.settings.list_mb = static_cast<float>(std::atof(argv[++i]));
        } else if (word == "--heads" && i + 1 < argc) {
            options.heads = std::max(std::atoi(argv[++i]), 1);
        } else if (word == "--picture" && i + 1 < argc) {
            options.picture = argv[++i];
        } else if (word == "--frames" && i + 1 < argc) {
            options.frames = std::max(std::atoi(argv[++i]), 1);
        } else if (word == "--warm-up" && i + 1 < argc) {
            options.warm_up = std::max(std::atoi(argv[++i]), 1);
        } else if (word == "--mode" && i + 1 < argc) {
            if (!add_mode(argv[++i], options)) return false;
        } else {
            plain.push_back(word);
        }
    }
    if (options.modes.empty()) options.modes = {StrandMode::ribbons, StrandMode::compute};
    if (plain.empty())
        jobs = {{10'000, 16, 512, 512},
                {20'000, 32, 1920, 1080},
                {100'000, 32, 1920, 1080},
                {1'000'000, 32, 1920, 1080}};
    Job job{};
    if (plain.empty()) return true;
    if (plain.size() != 3) return false;
    job.strands = std::atoi(plain[0].c_str());
    job.vertices = std::atoi(plain[1].c_str());
    if (std::sscanf(plain[2].c_str(), "%dx%d", &job.width, &job.height) != 2) return false;
    jobs = {job};
    return job.strands > 0 && job.vertices > 1 && job.width > 0 && job.height > 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    std::vector<Job> jobs;
    if (!read_options(argc, argv, options, jobs)) {
        std::fprintf(
            stderr,
            "usage: time_renderer [STRANDS VERTICES WIDTHxHEIGHT] [--frames N] [--wait] [--parts]\n"
            "                     [--lod N] [--list-mb N] [--from-gpu] [--heads N]\n"
            "                     [--tiles strips|pixels] [--picture FILE] [--warm-up N]\n"
            "                     [--mode ribbons|compute|tessellation|ref|lines]...\n");
        return 2;
    }
    auto context = OffscreenContext::create();
    if (!context) {
        std::fprintf(stderr, "%s\n", context.error().text().c_str());
        return 1;
    }
    auto renderer = RendererGl::create(4, options.tiles);
    if (!renderer) {
        std::fprintf(stderr, "%s\n", renderer.error().text().c_str());
        return 1;
    }
    std::printf("%s\n\n", context->description().c_str());
    renderer->wait_for_passes(options.wait);
    renderer->time_parts(options.parts);
    bool clean = true;
    for (const Job& job : jobs) clean = time_job(*renderer, job, options) && clean;
    return clean ? 0 : 1;
}
