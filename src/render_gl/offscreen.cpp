#include "render_gl/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <sys/mman.h>

#include <cstring>
#include <utility>
#include <vector>

namespace ringlet {

namespace {

// libepoxy aborts if it has to load EGL functions before a display exists, so this file calls
// libEGL directly.
template <class Function>
Function egl_function(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

bool has_extension(const char* list, const char* name) {
    if (!list) return false;
    const std::size_t length = std::strlen(name);
    for (const char* at = std::strstr(list, name); at; at = std::strstr(at + length, name))
        if (at[length] == ' ' || at[length] == '\0') return true;
    return false;
}

// All displays that need no screen, GPUs first.
std::vector<EGLDisplay> candidate_displays() {
    std::vector<EGLDisplay> displays;
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto platform_display =
        egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (!platform_display) return displays;
    const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    if (query_devices && has_extension(extensions, "EGL_EXT_platform_device")) {
        EGLDeviceEXT devices[16];
        EGLint count = 0;
        if (!query_devices(16, devices, &count)) count = 0;
        for (EGLint i = 0; i < count; ++i)
            displays.push_back(platform_display(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
    }
    if (has_extension(extensions, "EGL_MESA_platform_surfaceless"))
        displays.push_back(
            platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    return displays;
}

// Creates a GL 4.5 core context without a surface and makes it current. Returns EGL_NO_CONTEXT if
// the display does not support that.
EGLContext current_context_on(EGLDisplay display) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, nullptr, nullptr))
        return EGL_NO_CONTEXT;
    const char* extensions = eglQueryString(display, EGL_EXTENSIONS);
    if (!has_extension(extensions, "EGL_KHR_surfaceless_context") || !eglBindAPI(EGL_OPENGL_API))
        return EGL_NO_CONTEXT;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint config_count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &config_count) || config_count == 0)
        config = EGL_NO_CONFIG_KHR;
    // A debug context reports misuse of OpenGL (RendererGl::messages).
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                 4,
                                 EGL_CONTEXT_MINOR_VERSION,
                                 5,
                                 EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                 EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG,
                                 EGL_TRUE,
                                 EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
    if (context == EGL_NO_CONTEXT) return EGL_NO_CONTEXT;
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return context;
    eglDestroyContext(display, context);
    return EGL_NO_CONTEXT;
}

// Software renderers crash when an allocation fails while they start or compile shaders. Where the
// address space is limited, this tells so before.
bool has_room_for_driver() {
    constexpr std::size_t kDriverMemory = std::size_t{640} << 20;  // bytes
    void* const room =
        mmap(nullptr, kDriverMemory, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    munmap(room, kDriverMemory);
    return true;
}

}  // namespace

Result<OffscreenContext> OffscreenContext::create() {
    // Once: a driver that runs has its memory.
    static const bool has_room = has_room_for_driver();
    if (!has_room)
        return Error{"not enough memory for OpenGL: it needs 640 MiB of address space (ulimit -v)",
                     {}};
    for (EGLDisplay display : candidate_displays()) {
        EGLContext context = current_context_on(display);
        if (context == EGL_NO_CONTEXT) continue;
        OffscreenContext made(display, context);
        // libepoxy's header conflicts with EGL's, so this function is loaded by name as well.
        using GetString = const unsigned char* (*)(unsigned);
        constexpr unsigned kRendererName = 0x1F01;  // GL_RENDERER
        const auto get_string = egl_function<GetString>("glGetString");
        const auto* name =
            get_string ? reinterpret_cast<const char*>(get_string(kRendererName)) : nullptr;
        made.description_ = name ? name : "unknown";
        return made;
    }
    return Error{
        "no OpenGL 4.5 on this machine: install a graphics driver, or Mesa's software "
        "renderer (Debian: libgl1-mesa-dri libegl1)",
        {}};
}

// The display stays initialised: eglTerminate would invalidate other contexts on it.
OffscreenContext::~OffscreenContext() {
    if (!context_) return;
    if (eglGetCurrentContext() == context_) release();
    eglDestroyContext(display_, context_);
}

OffscreenContext::OffscreenContext(OffscreenContext&& other) noexcept
    : display_(other.display_),
      context_(std::exchange(other.context_, nullptr)),
      description_(std::move(other.description_)) {}

OffscreenContext& OffscreenContext::operator=(OffscreenContext&& other) noexcept {
    std::swap(display_, other.display_);
    std::swap(context_, other.context_);
    std::swap(description_, other.description_);
    return *this;
}

bool OffscreenContext::make_current() const {
    return eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE;
}

void OffscreenContext::release() const {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

}  // namespace ringlet
