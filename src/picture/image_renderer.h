// The interface between a Picture and whatever turns it into an image. A renderer named NAME lives
// in its own folder, render_NAME, which defines `RendererEntry renderer_NAME()`; the list
// RINGLET_RENDERERS in src/CMakeLists.txt builds it in.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geom/linear_image.h"
#include "picture/picture.h"
#include "ringlet/image.h"
#include "ringlet/result.h"

namespace ringlet {

// Called with the completed share of an image, from 0 to 1, and a few words about its state, such
// as "16 of 64 samples, noise 12 %"; they may be empty. Returns false to cancel. May be empty.
using ImageProgress = std::function<bool(float share, std::string_view state)>;

// Keeps an unfinished image, so that a later run can continue it.
struct ImageStore {
    // The bytes of the same image from an earlier run; empty if there are none.
    std::string begun{};
    // The renderer calls it from time to time while an image is unfinished. Calls `bytes` and keeps
    // the result if it is time.
    std::function<void(const std::function<std::string()>& bytes)> offer{};
};

// An image that is coarse at first and improves for as long as it is worked on. Not thread-safe.
class ImagePreview {
public:
    virtual ~ImagePreview() = default;
    // Works for about `seconds`. Returns false when the image is complete.
    virtual bool improve(double seconds) = 0;
    // The whole image, as good as it is, in opaque sRGB.
    virtual Image image() const = 0;
    // A few words about its state, such as "16 of 64 samples".
    virtual std::string state() const = 0;
};

// Not thread-safe: call every function on the thread that created the renderer.
class ImageRenderer {
public:
    virtual ~ImageRenderer() = default;

    // One line for the log: the method and the device.
    virtual std::string description() const = 0;

    // Returns an opaque sRGB image of width x height pixels. Fails on sizes it cannot render, and
    // with Error{"stopped"} when `progress` cancels. Fast renderers need not call `progress`.
    virtual Result<Image> render(const Picture& picture, int width, int height,
                                 const ImageProgress& progress) = 0;

    // Begins a preview of width x height pixels; null if the renderer has none. What `picture`
    // refers to must remain as it is for as long as improve() is called. Fails as render() does.
    virtual Result<std::unique_ptr<ImagePreview>> begin_preview(const Picture&, int /*width*/,
                                                                int /*height*/) {
        return std::unique_ptr<ImagePreview>();
    }

    // For the next call of render(). Renderers that take no longer than seconds ignore it.
    virtual void set_store(const ImageStore&) {}

    // Whether it uses Picture::open_shutter.
    virtual bool blurs_motion() const { return false; }

    // Whether linear_image() returns an image.
    virtual bool has_linear_image() const { return false; }
    // The last rendered image in linear light, before exposure and tone mapping, with its layers.
    // Null if the renderer has none. Valid until the next render().
    virtual const LinearImage* linear_image() const { return nullptr; }

    // Problems that did not prevent an image, oldest first. Usually empty.
    virtual std::vector<std::string> warnings() const { return {}; }
};

struct RendererEntry {
    std::string name;     // as --renderer expects it
    std::string summary;  // a few words for help texts
    // Fails with the cause and a remedy if the renderer cannot run on this machine. Much cheaper
    // than `create`. Empty: it runs everywhere.
    std::function<Result<void>()> check;
    // Fails as `check` does.
    std::function<Result<std::unique_ptr<ImageRenderer>>()> create;
};

// "gl, trace"
std::string names_of(std::span<const RendererEntry> renderers);

// Fails with the list of names if there is no renderer of this name. The pointer is an element of
// `renderers`.
Result<const RendererEntry*> find_renderer(std::span<const RendererEntry> renderers,
                                           std::string_view name);

}  // namespace ringlet
