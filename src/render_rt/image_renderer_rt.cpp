// The renderer `trace`: path tracing on the CPU.
#include <algorithm>
#include <cstdio>

#include "picture/image_renderer.h"
#include "render_rt/denoise.h"
#include "render_rt/path_tracer.h"

namespace ringlet {

namespace {

constexpr int kMaxSide = 16384;  // pixels

// "16 of 64 samples, noise 12.5 %"
std::string words_of(const TraceState& state) {
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.1f", static_cast<double>(state.noise) * 100);
    return std::to_string(state.samples) + " of " + std::to_string(state.all_samples) +
           " samples, noise " + percent + " %";
}

Result<void> check_size(int width, int height) {
    if (width > 0 && height > 0 && width <= kMaxSide && height <= kMaxSide) return {};
    return Error{"cannot trace an image of " + std::to_string(width) + " x " +
                     std::to_string(height) + " pixels: each side must be from 1 to " +
                     std::to_string(kMaxSide),
                 {}};
}

class PreviewRt final : public ImagePreview {
public:
    // `pool` is not owned.
    PreviewRt(const Picture& picture, RayScene scene, int width, int height, const TaskPool& pool)
        : settings_(picture.settings),
          scene_(std::move(scene)),
          traced_(picture, scene_, width, height),
          pool_(pool) {}

    bool improve(double seconds) override {
        is_complete_ = !traced_.improve(seconds, pool_);
        return !is_complete_;
    }
    // Only the complete image is denoised: that takes longer than a frame of a window.
    Image image() const override {
        if (!settings_.denoise || !is_complete_) return develop(traced_.image(), settings_);
        TracedImage filtered = traced_.image();
        filtered.denoised = denoised_light(filtered, pool_);
        return develop(filtered, settings_);
    }
    std::string state() const override {
        return std::to_string(traced_.samples()) + " of " +
               std::to_string(std::max(settings_.samples, 1)) + " samples";
    }

private:
    RenderSettings settings_;
    RayScene scene_;
    TracedPreview traced_;
    const TaskPool& pool_;
    bool is_complete_ = false;
};

class ImageRendererRt final : public ImageRenderer {
public:
    std::string description() const override {
        return "a path tracer on " + std::to_string(pool_.thread_count()) + " threads (" +
               ray_library() + ")";
    }

    Result<Image> render(const Picture& picture, int width, int height,
                         const ImageProgress& progress) override {
        if (Result<void> sound = check_size(width, height); !sound) return sound.error();
        note_omissions(picture);
        const Result<RayScene> scene = RayScene::build(picture, height);
        if (!scene) return scene.error();
        const auto proceed = [&](const TraceState& state) {
            return !progress || progress(state.share, words_of(state));
        };
        Result<TracedImage> traced =
            trace(picture, *scene, width, height, pool_, proceed, std::exchange(store_, {}));
        if (!traced) return traced.error();
        if (picture.settings.denoise) traced->denoised = denoised_light(*traced, pool_);
        layers_ = layers_of(*traced, picture.settings);
        return develop(*traced, picture.settings);
    }

    Result<std::unique_ptr<ImagePreview>> begin_preview(const Picture& picture, int width,
                                                        int height) override {
        if (Result<void> sound = check_size(width, height); !sound) return sound.error();
        note_omissions(picture);
        Result<RayScene> scene = RayScene::build(picture, height);
        if (!scene) return scene.error();
        return std::unique_ptr<ImagePreview>(
            std::make_unique<PreviewRt>(picture, std::move(*scene), width, height, pool_));
    }

    void set_store(const ImageStore& store) override { store_ = store; }
    bool blurs_motion() const override { return true; }
    bool has_linear_image() const override { return true; }
    const LinearImage* linear_image() const override {
        return layers_.channels.empty() ? nullptr : &layers_;
    }

    std::vector<std::string> warnings() const override { return warnings_; }

private:
    void note_omissions(const Picture& picture) {
        const bool has_fur = std::ranges::any_of(
            picture.furs, [](const FurView& fur) { return has_shells(fur.settings); });
        if (has_fur)
            note("fur shells are not traced; draw the coat as strands (fur.style = \"strands\")");
        if (!picture.marks.empty()) note("the marks of debug views are not traced; use gl");
    }
    void note(const std::string& text) {
        if (std::ranges::find(warnings_, text) == warnings_.end()) warnings_.push_back(text);
    }

    TaskPool pool_;
    ImageStore store_;
    LinearImage layers_;  // of the last image
    std::vector<std::string> warnings_;
};

Result<std::unique_ptr<ImageRenderer>> create() {
    return std::unique_ptr<ImageRenderer>(std::make_unique<ImageRendererRt>());
}

}  // namespace

RendererEntry renderer_rt() { return {"trace", "path tracer, offline", {}, create}; }

}  // namespace ringlet
