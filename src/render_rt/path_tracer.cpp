#include "render_rt/path_tracer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>

#include "math/elementary.h"
#include "picture/studio.h"
#include "render_rt/lamps.h"
#include "render_rt/random_stream.h"
#include "render_rt/scatter_point.h"
#include "render_rt/skin_walk.h"

namespace ringlet {

namespace {

constexpr int kTileSide = 16;      // pixels
constexpr int kRoundSamples = 4;   // between two calls of the progress function
constexpr int kLeastSamples = 16;  // before a tile may be finished
constexpr int kSureBounces = 16;   // before Russian roulette
// The noise of dark tiles is measured against this luminance, which tone mapping makes almost
// black.
constexpr float kDark = 0.03f;
// The floor is shaded by what lies within this distance, in radii of the subject.
constexpr float kContactReach = 0.6f;
// A point that scatters less than this share of a lamp's light to the eye, over what a white matte
// surface scatters, seldom needs a shadow ray.
constexpr float kFaint = 0.05f;

// Sets of RandomStream.
constexpr std::uint32_t kCameraSet = 0, kFloorSet = 1, kTimeSet = 2, kFirstBounce = 4;
constexpr std::uint32_t kPerBounce = 3, kScatterSet = 0, kSourceSet = 1, kMoreSet = 2;
// Members of the source set after the first scattering. Before it, they are points of both lamps.
constexpr std::size_t kSourceChoice = 0, kSourcePoint = 1, kRoulette = 3;
// Members of the set `more`.
constexpr std::size_t kFaintChoice = 0, kMapPoint = 1, kSkinChoice = 3;
// The sets of walks under skin, beyond those of 1,024 bounces.
constexpr std::uint32_t kFirstWalk = 4096;

Vec3f product(Vec3f a, Vec3f b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
float largest(Vec3f a) { return std::max({a.x, a.y, a.z}); }

// Veach and Guibas 1995, the power heuristic, for one sample of each of two densities.
float power_weight(float own, float other) {
    const float a = own * own, b = other * other;
    return a > 0 ? a / (a + b) : 0;
}

// The values that one path adds to its pixel.
struct PathSample {
    LightBySource light{};
    Vec3f backdrop{0, 0, 0};
    bool is_covered = false, is_strand = false;
    Vec3f albedo{0, 0, 0}, normal{0, 0, 0};
    float depth = 0;
    Vec2f motion{0, 0};
};

// The sums of a pixel. Doubles, so that thousands of samples keep their precision.
struct PixelSum {
    double light[Lamps::kSourceCount][3]{}, backdrop[3]{}, albedo[3]{}, normal[3]{};
    double depth = 0, motion[2]{}, luminance = 0, square = 0, covered_square = 0;
    std::int64_t samples = 0, covered = 0, strands = 0;

    static void add(double (&sum)[3], Vec3f a) {
        sum[0] += static_cast<double>(a.x);
        sum[1] += static_cast<double>(a.y);
        sum[2] += static_cast<double>(a.z);
    }
    static Vec3f mean(const double (&sum)[3], std::int64_t count) {
        const double share = count > 0 ? 1.0 / static_cast<double>(count) : 0.0;
        return {static_cast<float>(sum[0] * share), static_cast<float>(sum[1] * share),
                static_cast<float>(sum[2] * share)};
    }

    void add(const PathSample& sample);
    // The variance of the mean luminance.
    double variance() const;
    // That of strands and meshes alone, over the covered part.
    double covered_variance() const;
    TracedPixel result() const;
};

void PixelSum::add(const PathSample& sample) {
    ++samples;
    for (std::size_t i = 0; i < Lamps::kSourceCount; ++i) add(light[i], sample.light[i]);
    add(backdrop, sample.backdrop);
    const auto bright =
        static_cast<double>(ringlet::luminance(total_of(sample.light) + sample.backdrop));
    luminance += bright;
    square += bright * bright;
    if (!sample.is_covered) return;
    ++covered;
    if (sample.is_strand) ++strands;
    const auto own = static_cast<double>(ringlet::luminance(total_of(sample.light)));
    covered_square += own * own;
    motion[0] += static_cast<double>(sample.motion.x);
    motion[1] += static_cast<double>(sample.motion.y);
    add(albedo, sample.albedo);
    add(normal, sample.normal);
    depth += static_cast<double>(sample.depth);
}

double PixelSum::variance() const {
    if (samples < 2) return 0;
    const auto count = static_cast<double>(samples);
    const double mean = luminance / count;
    return std::max(square / count - mean * mean, 0.0) / (count - 1);
}

double PixelSum::covered_variance() const {
    if (covered < 2) return 0;
    const auto count = static_cast<double>(covered);
    Vec3f all{0, 0, 0};
    for (const auto& source : light) all += mean(source, covered);
    const auto bright = static_cast<double>(ringlet::luminance(all));
    return std::max(covered_square / count - bright * bright, 0.0) / (count - 1);
}

TracedPixel PixelSum::result() const {
    TracedPixel out;
    if (samples == 0) return out;
    for (std::size_t i = 0; i < Lamps::kSourceCount; ++i)
        out.by_source[i] = mean(light[i], samples);
    out.light = total_of(out.by_source);
    out.backdrop = mean(backdrop, samples);
    out.alpha = static_cast<float>(covered) / static_cast<float>(samples);
    out.coverage = static_cast<float>(strands) / static_cast<float>(samples);
    out.albedo = mean(albedo, covered);
    out.normal = mean(normal, covered);
    const double share = covered > 0 ? 1.0 / static_cast<double>(covered) : 0.0;
    out.depth = static_cast<float>(depth * share);
    out.motion = {static_cast<float>(motion[0] * share), static_cast<float>(motion[1] * share)};
    out.variance = static_cast<float>(variance());
    out.covered_variance = static_cast<float>(covered_variance());
    out.samples = static_cast<int>(samples);
    return out;
}

class PathTracer {
public:
    PathTracer(const Picture& picture, const RayScene& scene, int width, int height);

    PathSample sample(int x, int y, int number) const;

private:
    // A point of a path that is lit by the lamps or the environment map.
    struct LitPoint {
        const ScatterPoint& point;
        Vec3f throughput;  // of the path up to the point
        float faint;       // uniform; decides whether faint light gets a shadow ray
    };

    LightBySource source_light(const LitPoint& lit, const RandomStream::Four& random,
                               const RandomStream::Four& more, int depth) const;
    Vec3f from_source(const LitPoint& lit, std::size_t source, float chance, float u,
                      float v) const;
    LightBySource escaped(Vec3f direction, Vec3f throughput, float density, int depth) const;
    Vec3f backdrop(Vec2f screen, const Ray& ray, const RandomStream& random) const;
    // The camera at a time of Ray.
    CameraFrame camera_at(float time) const;
    Ray camera_ray(Vec2f screen, const RandomStream::Four& random, float time) const;
    // The probability that a point samples a source.
    float source_chance(std::size_t source, int depth) const;
    LightBySource path_light(RayHit hit, Vec3f direction, const RandomStream& random) const;
    // Chooses between the glossy layer of skin and light under its surface, which moves `hit`.
    // Returns the point that scatters the light next.
    ScatterPoint part_of_skin(const ScatterPoint& surface, RayHit& hit, Vec3f view, int depth,
                              const RandomStream& random, float choice, Vec3f& throughput) const;
    // Adds light found at a depth to that of a path.
    void add_limited(LightBySource& sum, const LightBySource& found, int depth) const;
    // The motion of a point that a ray hits, pixels per frame.
    Vec2f screen_motion(const RayHit& hit) const;

    const RenderSettings& settings_;
    const RayScene& scene_;
    bool is_plain_;
    int width_, height_;
    Camera opened_, closed_;  // when the shutter opens and closes
    bool blurs_motion_, moves_camera_;
    CameraFrame camera_;  // when the shutter closes
    Lamps lamps_;
    FibreShape fibre_;
    SkinWalk walk_;
    Vec3f centre_;     // of the subject
    float radius_;     // of the subject, m
    Vec2f on_screen_;  // the subject's place
    float aspect_;
};

PathTracer::PathTracer(const Picture& picture, const RayScene& scene, int width, int height)
    : settings_(picture.settings),
      scene_(scene),
      is_plain_(picture.settings.flat || picture.plain_strands),
      width_(width),
      height_(height),
      opened_(picture.open_shutter ? picture.open_shutter->camera : picture.camera),
      closed_(picture.camera),
      blurs_motion_(picture.open_shutter != nullptr),
      moves_camera_(norm(opened_.eye - closed_.eye) + norm(opened_.target - closed_.target) > 0),
      camera_(picture.camera),
      lamps_(picture.light, picture.settings.background),
      fibre_(fibre_of(picture.settings.roughness)),
      walk_(picture.settings.subsurface),
      on_screen_{0, 0},
      aspect_(static_cast<float>(width) / static_cast<float>(height)) {
    const Bounds& box = scene.bounds();
    centre_ = (box.low + box.high) * 0.5f;
    radius_ = std::max(norm(box.high - box.low) / 2, 0.01f);
    const Vec3f offset = centre_ - camera_.eye;
    const float ahead = dot(offset, camera_.forward) * camera_.half_height;
    if (ahead > 0)
        on_screen_ = {std::clamp(dot(offset, camera_.right) / (ahead * aspect_), -1.0f, 1.0f),
                      std::clamp(dot(offset, camera_.up) / ahead, -1.0f, 1.0f)};
}

float PathTracer::source_chance(std::size_t source, int depth) const {
    return depth == 0 ? 1.0f : lamps_.chances[source];
}

// Limits light that has been scattered more than once, if the settings want it.
void PathTracer::add_limited(LightBySource& sum, const LightBySource& found, int depth) const {
    const Vec3f all = total_of(found);
    if (!std::isfinite(all.x + all.y + all.z)) return;
    const float limit = settings_.clamp, most = largest(all);
    const float factor = depth > 0 && limit > 0 && most > limit ? limit / most : 1;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += found[i] * factor;
}

Vec3f PathTracer::from_source(const LitPoint& lit, std::size_t source, float chance, float u,
                              float v) const {
    if (!lamps_.is_lit(source)) return {0, 0, 0};
    const LightSample sample = lamps_.sample(source, u, v);
    const ScatterPoint::Evaluation scattered = lit.point.evaluate(sample.direction);
    const Vec3f value = product(lit.throughput, scattered.value);
    const float survival = std::min(largest(value) * kPi / kFaint, 1.0f);
    if (!(survival > 0) || lit.faint >= survival) return {0, 0, 0};
    if (scene_.is_blocked(lit.point.ray_towards(sample.direction))) return {0, 0, 0};
    // Only the lamp's own samples find a point.
    if (!(sample.density > 0)) return product(value, sample.light) * (1 / (chance * survival));
    const float density = chance * sample.density;
    const float weight = power_weight(density, scattered.density);
    return product(value, sample.light) * (weight / (density * survival));
}

// All sources light the first point of a path; later points choose one.
LightBySource PathTracer::source_light(const LitPoint& lit, const RandomStream::Four& random,
                                       const RandomStream::Four& more, int depth) const {
    if (depth == 0)
        return {from_source(lit, 0, 1, random[0], random[1]),
                from_source(lit, 1, 1, random[2], random[3]),
                from_source(lit, 2, 1, more[kMapPoint], more[kMapPoint + 1])};
    float rest = random[kSourceChoice];
    std::size_t source = 0;
    for (; source + 1 < Lamps::kSourceCount && rest >= lamps_.chances[source]; ++source)
        rest -= lamps_.chances[source];
    LightBySource light{};
    light[source] = from_source(lit, source, lamps_.chances[source], random[kSourcePoint],
                                random[kSourcePoint + 1]);
    return light;
}

// The light that a scattered ray finds outside the scene. `density` and `depth` are those of the
// point that it left, `throughput` is that of the path.
LightBySource PathTracer::escaped(Vec3f direction, Vec3f throughput, float density,
                                  int depth) const {
    LightBySource light{};
    Vec3f& fill = light[Lamps::kFill];
    fill = product(throughput, lamps_.environment(direction));
    if (lamps_.map)
        fill = fill * power_weight(density, source_chance(Lamps::kFill, depth) *
                                                lamps_.map->density(direction));
    for (std::size_t i = 0; i < lamps_.all.size(); ++i) {
        const Lamp& lamp = lamps_.all[i];
        if (lamp.is_seen(direction))
            light[i] = product(throughput, lamp.radiance) *
                       power_weight(density, source_chance(i, depth) * lamp.density);
    }
    return light;
}

ScatterPoint PathTracer::part_of_skin(const ScatterPoint& surface, RayHit& hit, Vec3f view,
                                      int depth, const RandomStream& random, float choice,
                                      Vec3f& throughput) const {
    const float gloss = surface.skin()->gloss_chance();
    if (choice < gloss) {
        throughput = throughput * (1 / gloss);
        return {hit, hit.colour, view, SkinPart::gloss};
    }
    const SkinWalk::Exit exit = walk_.follow(
        scene_, hit, random, kFirstWalk + static_cast<std::uint32_t>(depth) * SkinWalk::kSets);
    throughput = product(throughput, exit.weight) * (surface.skin()->entering() / (1 - gloss));
    hit = exit.hit;
    return {hit, {1, 1, 1}, hit.normal, SkinPart::exit};
}

LightBySource PathTracer::path_light(RayHit hit, Vec3f direction,
                                     const RandomStream& random) const {
    LightBySource light{};
    Vec3f throughput{1, 1, 1};
    for (int depth = 0; depth < settings_.bounces; ++depth) {
        const ScatterPoint surface(hit, -direction, fibre_);
        const std::uint32_t first = kFirstBounce + static_cast<std::uint32_t>(depth) * kPerBounce;
        const RandomStream::Four sources = random.set(first + kSourceSet),
                                 more = random.set(first + kMoreSet);
        const ScatterPoint point = walk_.is_on() && hit.has_inside
                                       ? part_of_skin(surface, hit, -direction, depth, random,
                                                      more[kSkinChoice], throughput)
                                       : surface;
        if (!(largest(throughput) > 0)) break;
        const LitPoint lit{point, throughput, more[kFaintChoice]};
        add_limited(light, source_light(lit, sources, more, depth), depth);

        direction = point.sample(random.set(first + kScatterSet));
        const ScatterPoint::Evaluation scattered = point.evaluate(direction);
        if (!(scattered.density > 0) || !(largest(scattered.value) > 0)) break;
        throughput = product(throughput, scattered.value * (1 / scattered.density));
        const RayHit next = scene_.hit(point.ray_towards(direction));
        if (next.kind == RayHit::Kind::nothing) {
            add_limited(light, escaped(direction, throughput, scattered.density, depth), depth);
            break;
        }
        if (depth >= kSureBounces) {
            const float survival = std::min(largest(throughput), 1.0f);
            if (sources[kRoulette] >= survival) break;
            throughput = throughput * (1 / survival);
        }
        hit = next;
    }
    return light;
}

// The wall, or the floor with the subject's shadow on it. The floor does not reflect light on the
// subject: the light from below stands for that.
Vec3f PathTracer::backdrop(Vec2f screen, const Ray& ray, const RandomStream& random) const {
    const Vec3f direction = ray.direction;
    if (settings_.flat) return {0, 0, 0};
    const Vec3f wall = wall_light(screen, on_screen_, aspect_, settings_.background);
    const float drop = settings_.ground_height - ray.origin.y;
    if (!settings_.ground || direction.y * drop <= 0 || std::abs(direction.y) < 1e-5f) return wall;
    const Vec3f p = ray.origin + direction * (drop / direction.y);
    const Vec3f from_centre = p - centre_;
    const float distance =
        std::sqrt(from_centre.x * from_centre.x + from_centre.z * from_centre.z) / radius_;
    const RandomStream::Four at = random.set(kFloorSet);
    const float gap = 1e-4f * radius_;
    Ray to_lamp{p, lamps_.all[0].sample(at[0], at[1]), gap};
    to_lamp.time = ray.time;
    const bool dark = scene_.is_blocked(to_lamp);
    const float around = 2 * kPi * at[2], sine = std::sqrt(at[3]);
    const Vec3f above{sine * std::cos(around), std::sqrt(1 - at[3]), sine * std::sin(around)};
    const bool hidden = scene_.is_blocked({p, above, gap, kContactReach * radius_, ray.time});
    return product(wall, floor_light(distance, dark ? 0.0f : 1.0f, hidden ? 1.0f : 0.0f));
}

CameraFrame PathTracer::camera_at(float time) const {
    if (!moves_camera_) return camera_;
    Camera camera = closed_;
    camera.eye = opened_.eye * (1 - time) + closed_.eye * time;
    camera.target = opened_.target * (1 - time) + closed_.target * time;
    return CameraFrame(camera);
}

Vec2f PathTracer::screen_motion(const RayHit& hit) const {
    if (!blurs_motion_ || !(settings_.shutter > 0)) return {0, 0};
    const auto pixel_of = [&](float time) {
        const CameraFrame camera = camera_at(time);
        const Vec3f offset = hit.position + hit.motion * (time - hit.time) - camera.eye;
        const float scale = static_cast<float>(height_) / 2 /
                            (std::max(dot(offset, camera.forward), kTiny) * camera.half_height);
        return Vec2f{dot(offset, camera.right) * scale, -dot(offset, camera.up) * scale};
    };
    const Vec2f closed = pixel_of(1), opened = pixel_of(0);
    return {(closed.x - opened.x) / settings_.shutter, (closed.y - opened.y) / settings_.shutter};
}

// A ray from a point of the lens to the point of the plane in focus that a pinhole would see. The
// last two numbers choose the point of the lens.
Ray PathTracer::camera_ray(Vec2f screen, const RandomStream::Four& random, float time) const {
    const CameraFrame camera = camera_at(time);
    const Vec3f towards = camera.forward +
                          camera.right * (screen.x * camera.half_height * aspect_) +
                          camera.up * (screen.y * camera.half_height);
    Ray ray{camera.eye, unit_or(towards, camera.forward)};
    ray.time = time;
    if (!(camera.lens_radius > 0)) return ray;
    const float away = camera.lens_radius * std::sqrt(random[2]), around = 2 * kPi * random[3];
    const Vec3f offset =
        camera.right * (away * std::cos(around)) + camera.up * (away * std::sin(around));
    ray.origin += offset;
    ray.direction = unit_or(towards * camera.focus - offset, ray.direction);
    return ray;
}

PathSample PathTracer::sample(int x, int y, int number) const {
    const auto pixel = static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(width_) +
                       static_cast<std::uint32_t>(x);
    const RandomStream random(pixel, static_cast<std::uint32_t>(number));
    const RandomStream::Four at = random.set(kCameraSet);
    const Vec2f screen{(static_cast<float>(x) + at[0]) / static_cast<float>(width_) * 2 - 1,
                       1 - (static_cast<float>(y) + at[1]) / static_cast<float>(height_) * 2};
    const Ray ray = camera_ray(screen, at, blurs_motion_ ? random.set(kTimeSet)[0] : 1.0f);
    const RayHit hit = scene_.hit(ray);
    PathSample out;
    if (hit.kind == RayHit::Kind::nothing) {
        out.backdrop = backdrop(screen, ray, random);
        return out;
    }
    out.is_covered = true;
    out.is_strand = hit.kind == RayHit::Kind::strand;
    out.motion = screen_motion(hit);
    out.albedo = hit.colour;
    out.normal = hit.normal;
    out.depth = hit.distance * dot(ray.direction, camera_.forward);
    if (out.is_strand && is_plain_)
        out.light[Lamps::kFill] = hit.colour;
    else if (!settings_.flat)
        out.light = path_light(hit, ray.direction, random);
    return out;
}

// The picture in tiles, each traced by one thread at a time.
class Film {
public:
    Film(int width, int height)
        : width_(width),
          height_(height),
          columns_((width + kTileSide - 1) / kTileSide),
          rows_((height + kTileSide - 1) / kTileSide),
          sums_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
          is_finished_(static_cast<std::size_t>(columns_ * rows_)) {}

    int tile_count() const { return columns_ * rows_; }
    // Adds samples [first, last) to the pixels of a tile, and finishes it if its noise is below the
    // target. Thread-safe for different tiles.
    void add_samples(const PathTracer& tracer, int tile, int first, int last, float noise_target);
    // Copies the pixels of a tile to `out`, each to a square of `scale` x `scale` pixels.
    void show(int tile, int scale, TracedImage& out);
    // Numbers of all tiles, those in the middle first.
    std::vector<int> tiles_from_middle() const;
    bool is_finished() const {
        return std::ranges::all_of(is_finished_, [](char done) { return done != 0; });
    }
    TracedImage result() const;
    // The film with the first `samples` samples of each pixel, as bytes.
    std::string bytes(int samples) const;
    // Returns the number of samples; fails for the bytes of another film.
    Result<int> restore(std::string_view bytes);

private:
    static constexpr char kDone = 1;
    struct Header {
        std::int32_t width, height, samples;
    };

    template <class Visit>
    void for_each_pixel(int tile, const Visit& visit) {
        const int left = tile % columns_ * kTileSide, top = tile / columns_ * kTileSide;
        for (int y = top; y < std::min(top + kTileSide, height_); ++y)
            for (int x = left; x < std::min(left + kTileSide, width_); ++x)
                visit(x, y,
                      sums_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                            static_cast<std::size_t>(x)]);
    }

    int width_, height_, columns_, rows_;
    std::vector<PixelSum> sums_;
    std::vector<char> is_finished_;  // by tile; not bits, because threads write to it
};

void Film::add_samples(const PathTracer& tracer, int tile, int first, int last,
                       float noise_target) {
    char& is_finished = is_finished_[static_cast<std::size_t>(tile)];
    if (is_finished) return;
    double variance = 0, light = 0;
    int pixels = 0;
    for_each_pixel(tile, [&](int x, int y, PixelSum& sum) {
        for (int number = first; number < last; ++number) sum.add(tracer.sample(x, y, number));
        variance += sum.variance();
        light += sum.luminance / static_cast<double>(sum.samples);
        ++pixels;
    });
    const double noise =
        std::sqrt(variance / pixels) / std::max(light / pixels, static_cast<double>(kDark));
    if (noise_target > 0 && last >= kLeastSamples && noise < static_cast<double>(noise_target))
        is_finished = kDone;
}

void Film::show(int tile, int scale, TracedImage& out) {
    for_each_pixel(tile, [&](int x, int y, const PixelSum& sum) {
        const TracedPixel pixel = sum.result();
        for (int j = y * scale; j < std::min((y + 1) * scale, out.height); ++j)
            for (int i = x * scale; i < std::min((x + 1) * scale, out.width); ++i)
                out.pixels[static_cast<std::size_t>(j) * static_cast<std::size_t>(out.width) +
                           static_cast<std::size_t>(i)] = pixel;
    });
}

std::vector<int> Film::tiles_from_middle() const {
    const auto distance = [&](int tile) {
        const int x = 2 * (tile % columns_) + 1 - columns_, y = 2 * (tile / columns_) + 1 - rows_;
        return x * x + y * y;
    };
    std::vector<int> out(static_cast<std::size_t>(tile_count()));
    std::iota(out.begin(), out.end(), 0);
    std::ranges::stable_sort(out, {}, distance);
    return out;
}

TracedImage Film::result() const {
    TracedImage image{width_, height_, {}, {}};
    image.pixels.reserve(sums_.size());
    for (const PixelSum& sum : sums_) image.pixels.push_back(sum.result());
    return image;
}

std::string Film::bytes(int samples) const {
    const Header header{width_, height_, samples};
    const std::size_t sums = sums_.size() * sizeof(PixelSum);
    std::string out(sizeof header + sums + is_finished_.size(), '\0');
    std::memcpy(out.data(), &header, sizeof header);
    std::memcpy(out.data() + sizeof header, sums_.data(), sums);
    std::memcpy(out.data() + sizeof header + sums, is_finished_.data(), is_finished_.size());
    return out;
}

Result<int> Film::restore(std::string_view bytes) {
    const std::size_t sums = sums_.size() * sizeof(PixelSum);
    Header header{};
    if (bytes.size() == sizeof header + sums + is_finished_.size())
        std::memcpy(&header, bytes.data(), sizeof header);
    if (header.width != width_ || header.height != height_)
        return Error{"the unfinished image is another one; leave out --resume", {}};
    std::memcpy(sums_.data(), bytes.data() + sizeof header, sums);
    std::memcpy(is_finished_.data(), bytes.data() + sizeof header + sums, is_finished_.size());
    return static_cast<int>(header.samples);
}

}  // namespace

Result<TracedImage> trace(const Picture& picture, const RayScene& scene, int width, int height,
                          const TaskPool& pool, const TraceProgress& progress,
                          const ImageStore& store) {
    const PathTracer tracer(picture, scene, width, height);
    Film film(width, height);
    const Result<int> begun = store.begun.empty() ? Result<int>(0) : film.restore(store.begun);
    if (!begun) return begun.error();
    const int all = std::max(picture.settings.samples, 1);
    for (int first = *begun; first < all && !film.is_finished(); first += kRoundSamples) {
        const int last = std::min(first + kRoundSamples, all);
        pool.for_each(film.tile_count(), [&](int tile) {
            film.add_samples(tracer, tile, first, last, picture.settings.noise);
        });
        if (store.offer && last < all) store.offer([&] { return film.bytes(last); });
        if (!progress) continue;
        const float share = static_cast<float>(last) / static_cast<float>(all);
        if (!progress({last, all, noise_of(film.result()), share})) return Error{"stopped", {}};
    }
    return film.result();
}

// The first pixels of a preview are squares of this many pixels on a side.
constexpr int kCoarsest = 8;

struct TracedPreview::Impl {
    Impl(const Picture& of, const RayScene& in, int width, int height) : picture(of), scene(in) {
        shown.width = width;
        shown.height = height;
        shown.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
        start_level(kCoarsest);
    }

    void start_level(int side) {
        const int width = (shown.width + side - 1) / side;
        const int height = (shown.height + side - 1) / side;
        scale = side;
        tracer.emplace(picture, scene, width, height);
        film.emplace(width, height);
        tiles = film->tiles_from_middle();
    }
    // Every tile of the level has one more sample.
    void finish_round() {
        next = 0;
        if (scale > 1)
            start_level(scale / 2);
        else
            ++samples;
    }
    bool is_finished() const {
        return scale == 1 &&
               (samples >= std::max(picture.settings.samples, 1) || film->is_finished());
    }
    void trace_tiles(const TaskPool& pool) {
        const std::size_t count =
            std::min(static_cast<std::size_t>(pool.thread_count()), tiles.size() - next);
        pool.for_each(static_cast<int>(count), [&](int k) {
            const int tile = tiles[next + static_cast<std::size_t>(k)];
            film->add_samples(*tracer, tile, samples, samples + 1, picture.settings.noise);
            film->show(tile, scale, shown);
        });
        next += count;
        if (next == tiles.size()) finish_round();
    }

    const Picture picture;
    const RayScene& scene;
    TracedImage shown;
    int scale = kCoarsest, samples = 0;
    std::optional<PathTracer> tracer;  // of the level
    std::optional<Film> film;          // of the level
    std::vector<int> tiles;            // in their order
    std::size_t next = 0;              // of them
};

TracedPreview::TracedPreview(const Picture& picture, const RayScene& scene, int width, int height)
    : impl_(std::make_unique<Impl>(picture, scene, width, height)) {}
TracedPreview::~TracedPreview() = default;
TracedPreview::TracedPreview(TracedPreview&&) noexcept = default;
TracedPreview& TracedPreview::operator=(TracedPreview&&) noexcept = default;

bool TracedPreview::improve(double seconds, const TaskPool& pool) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    while (!impl_->is_finished()) {
        impl_->trace_tiles(pool);
        if (std::chrono::duration<double>(Clock::now() - start).count() >= seconds) break;
    }
    return !impl_->is_finished();
}

const TracedImage& TracedPreview::image() const { return impl_->shown; }
int TracedPreview::samples() const { return impl_->samples; }

}  // namespace ringlet
