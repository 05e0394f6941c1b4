// A file of its own, because the headers of EGL and of libepoxy conflict.
#include "gl_context.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

bool make_gl_context() {
    const auto query_devices =
        reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    EGLDeviceEXT device = nullptr;
    EGLint count = 0;
    if (!query_devices || !query_devices(1, &device, &count) || count == 0) return false;
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
    if (!eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API)) return false;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_NONE};
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    return context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}
