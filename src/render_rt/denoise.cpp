#include "render_rt/denoise.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ringlet {

namespace {

constexpr int kReach = 5;          // pixels, to the farthest neighbour in x and y
constexpr int kPatch = 2;          // pixels, radius of the squares whose light is compared
constexpr int kSmoothing = 3;      // pixels, radius over which the variance is averaged
constexpr int kBalancePasses = 2;  // see Filter::balance
constexpr int kStripRows = 16;     // that one thread filters at a time
// Differences of light count in units of this many standard deviations.
constexpr float kLenience = 1;
// Standard deviations of the weights of the features.
constexpr float kAlbedoWidth = 0.07f, kNormalWidth = 0.2f, kStrandWidth = 0.1f;
constexpr float kDepthWidth = 1;  // of the difference from one pixel to the next
// Added to the albedo by which light is divided, so that black strands keep their light.
constexpr float kLeastAlbedo = 0.02f;
// The finest difference of light that counts, over the light, and of depth, over the depth.
constexpr float kFinest = 1e-3f;

float square(float a) { return a * a; }
float square(Vec3f a) { return dot(a, a); }

// A pixel as the filter uses it.
struct FilterPixel {
    Vec3f light{0, 0, 0};  // over the albedo, premultiplied by alpha
    float alpha = 0;
    float luminance = 0;    // over that of the albedo, not premultiplied
    float variance = 0;     // of `luminance`
    Vec3f albedo{1, 1, 1};  // by which the light is divided
    Vec3f normal{0, 0, 0};
    float strands = 0;  // share of strands in the covered part
    float depth = 0, depth_step = 1;
    float balance = 1;  // factor of the weights that it has in other pixels
};

FilterPixel pixel_of(const TracedPixel& traced) {
    FilterPixel out;
    if (!(traced.alpha > 0)) return out;
    const Vec3f albedo = traced.albedo + Vec3f{kLeastAlbedo, kLeastAlbedo, kLeastAlbedo};
    const float bright = luminance(albedo);
    out.light = {traced.light.x / albedo.x, traced.light.y / albedo.y, traced.light.z / albedo.z};
    out.alpha = traced.alpha;
    out.luminance = luminance(traced.light) / (traced.alpha * bright);
    out.variance = traced.covered_variance / square(bright);
    out.albedo = albedo;
    out.normal = traced.normal;
    out.strands = traced.coverage / traced.alpha;
    out.depth = traced.depth;
    return out;
}

class Filter {
public:
    explicit Filter(const TracedImage& traced);

    int strip_count() const { return (height_ + kStripRows - 1) / kStripRows; }
    // Writes the sums of the weights of the rows of a strip. Thread-safe for different strips.
    void measure_weights(int strip, std::vector<float>& sums) const;
    // Changes the weights so that the light of each pixel is distributed once: a bright pixel
    // gives light to many neighbours that give little to it, so that the image would become
    // brighter or darker. Repeated, it makes the sums of the weights 1 both for the pixels that
    // receive light and for those that give it (Sinkhorn and Knopp 1967).
    void balance(const std::vector<float>& sums);
    // Replaces the light of the rows of a strip. Thread-safe for different strips.
    void filter(int strip, std::vector<Vec3f>& light) const;

private:
    struct Strip;

    bool is_inside(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < height_; }
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    }
    const FilterPixel& at(int x, int y) const { return pixels_[index(x, y)]; }
    void smooth_variance();
    void measure_depth_steps();
    Strip sum_strip(int number) const;
    // Adds the neighbours at an offset to the sums of a strip.
    void add_offset(Strip& strip, int dx, int dy) const;

    int width_, height_;
    std::vector<FilterPixel> pixels_;
};

// The sums of a strip, and the differences of light of its rows and kPatch more on either side.
struct Filter::Strip {
    struct Difference {
        float sum = 0, count = 0;

        void add(const Difference& other) {
            sum += other.sum;
            count += other.count;
        }
    };

    int first, last;  // rows
    std::vector<Vec3f> light;
    std::vector<float> weight;
    std::vector<Difference> differences, row_sums;
};

Filter::Filter(const TracedImage& traced) : width_(traced.width), height_(traced.height) {
    pixels_.reserve(traced.pixels.size());
    for (const TracedPixel& pixel : traced.pixels) pixels_.push_back(pixel_of(pixel));
    smooth_variance();
    measure_depth_steps();
}

// The estimate from the samples of one pixel is too uncertain.
void Filter::smooth_variance() {
    std::vector<float> smooth(pixels_.size());
    for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) {
            float sum = 0;
            int count = 0;
            for (int v = std::max(y - kSmoothing, 0); v <= std::min(y + kSmoothing, height_ - 1);
                 ++v)
                for (int u = std::max(x - kSmoothing, 0); u <= std::min(x + kSmoothing, width_ - 1);
                     ++u) {
                    if (!(at(u, v).alpha > 0)) continue;
                    sum += at(u, v).variance;
                    ++count;
                }
            if (count > 0) smooth[index(x, y)] = sum / static_cast<float>(count);
        }
    for (std::size_t i = 0; i < pixels_.size(); ++i) pixels_[i].variance = smooth[i];
}

void Filter::measure_depth_steps() {
    constexpr std::array<std::array<int, 2>, 4> kSteps{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) {
            FilterPixel& own = pixels_[index(x, y)];
            float sum = 0;
            int count = 0;
            for (const auto& [dx, dy] : kSteps) {
                if (!is_inside(x + dx, y + dy) || !(at(x + dx, y + dy).alpha > 0)) continue;
                sum += square(at(x + dx, y + dy).depth - own.depth);
                ++count;
            }
            const float step = count > 0 ? std::sqrt(sum / static_cast<float>(count)) : 0;
            own.depth_step = std::max(step, kFinest * std::max(own.depth, kFinest));
        }
}

float feature_difference(const FilterPixel& a, const FilterPixel& b) {
    const float depth = square(a.depth - b.depth) / (square(a.depth_step) + square(b.depth_step));
    return (square(a.albedo - b.albedo) / square(kAlbedoWidth) +
            square(a.normal - b.normal) / square(kNormalWidth) +
            square(a.strands - b.strands) / square(kStrandWidth) + depth / square(kDepthWidth)) /
           2;
}

// The difference of the light of two pixels beyond what noise explains, in units of the noise, as
// Rousselle et al. 2012, equation 4, have it.
float light_difference(const FilterPixel& a, const FilterPixel& b) {
    const float noise = a.variance + b.variance;
    const float finest = square(kFinest) * (square(a.luminance) + square(b.luminance));
    const float unit = finest + square(kLenience) * noise;
    return unit > 0 ? (square(a.luminance - b.luminance) - noise) / unit : 0;
}

void Filter::add_offset(Strip& strip, int dx, int dy) const {
    const int top = strip.first - kPatch, bottom = strip.last + kPatch;
    const auto at_row = [&](int x, int y) {
        return static_cast<std::size_t>(y - top) * static_cast<std::size_t>(width_) +
               static_cast<std::size_t>(x);
    };
    for (int y = top; y < bottom; ++y)
        for (int x = 0; x < width_; ++x) {
            Strip::Difference& out = strip.differences[at_row(x, y)] = {};
            if (!is_inside(x, y) || !is_inside(x + dx, y + dy)) continue;
            const FilterPixel &p = at(x, y), &q = at(x + dx, y + dy);
            if (p.alpha > 0 && q.alpha > 0) out = {light_difference(p, q), 1};
        }
    for (int y = top; y < bottom; ++y)
        for (int x = 0; x < width_; ++x) {
            Strip::Difference& out = strip.row_sums[at_row(x, y)] = {};
            for (int u = std::max(x - kPatch, 0); u <= std::min(x + kPatch, width_ - 1); ++u)
                out.add(strip.differences[at_row(u, y)]);
        }
    for (int y = strip.first; y < strip.last; ++y)
        for (int x = 0; x < width_; ++x) {
            if (!(strip.differences[at_row(x, y)].count > 0)) continue;
            Strip::Difference patch{};
            for (int v = y - kPatch; v <= y + kPatch; ++v) patch.add(strip.row_sums[at_row(x, v)]);
            const FilterPixel& q = at(x + dx, y + dy);
            const float light = std::max(patch.sum / patch.count, 0.0f);
            const float weight = q.balance * std::exp(-light - feature_difference(at(x, y), q));
            const std::size_t own = at_row(x, y - kPatch);
            strip.light[own] += q.light * weight;
            strip.weight[own] += q.alpha * weight;
        }
}

Filter::Strip Filter::sum_strip(int number) const {
    const int first = number * kStripRows, last = std::min(first + kStripRows, height_);
    const auto size = [&](int rows) {
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(width_);
    };
    Strip strip{first, last, {}, {}, {}, {}};
    strip.light.resize(size(last - first));
    strip.weight.resize(size(last - first));
    strip.differences.resize(size(last - first + 2 * kPatch));
    strip.row_sums.resize(size(last - first + 2 * kPatch));
    for (int dy = -kReach; dy <= kReach; ++dy)
        for (int dx = -kReach; dx <= kReach; ++dx) add_offset(strip, dx, dy);
    return strip;
}

void Filter::measure_weights(int number, std::vector<float>& sums) const {
    const Strip strip = sum_strip(number);
    const std::size_t first = index(0, strip.first);
    for (std::size_t i = 0; i < strip.weight.size(); ++i) sums[first + i] = strip.weight[i];
}

void Filter::balance(const std::vector<float>& sums) {
    for (std::size_t i = 0; i < pixels_.size(); ++i)
        if (sums[i] > 0) pixels_[i].balance = std::sqrt(pixels_[i].balance / sums[i]);
}

void Filter::filter(int number, std::vector<Vec3f>& light) const {
    const Strip strip = sum_strip(number);
    const std::size_t first = index(0, strip.first);
    for (std::size_t i = 0; i < strip.light.size(); ++i) {
        if (!(strip.weight[i] > 0)) continue;
        const FilterPixel& own = pixels_[first + i];
        const Vec3f mean = strip.light[i] * (own.alpha / strip.weight[i]);
        light[first + i] = {mean.x * own.albedo.x, mean.y * own.albedo.y, mean.z * own.albedo.z};
    }
}

}  // namespace

std::vector<Vec3f> denoised_light(const TracedImage& traced, const TaskPool& pool) {
    Filter filter(traced);
    std::vector<float> sums(traced.pixels.size());
    for (int pass = 0; pass < kBalancePasses; ++pass) {
        pool.for_each(filter.strip_count(),
                      [&](int strip) { filter.measure_weights(strip, sums); });
        filter.balance(sums);
    }
    std::vector<Vec3f> light;
    light.reserve(traced.pixels.size());
    for (const TracedPixel& pixel : traced.pixels) light.push_back(pixel.light);
    pool.for_each(filter.strip_count(), [&](int strip) { filter.filter(strip, light); });
    return light;
}

}  // namespace ringlet
