// From the device's memory into a buffer of OpenGL's on the same GPU.
#include "sim/cuda/cuda_device.h"

// Where only the simulation is built there need be no OpenGL.
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
// Wants the line above.
#include <cuda_gl_interop.h>

#include <algorithm>
#include <array>

namespace ringlet {

namespace {

class CudaTarget final : public DeviceTarget {
public:
    explicit CudaTarget(cudaGraphicsResource_t resource) : resource(resource) {}
    ~CudaTarget() override { cudaGraphicsUnregisterResource(resource); }

    cudaGraphicsResource_t resource;
};

// What a refusal leaves behind is of no concern to the next call.
bool is_done(cudaError_t status) {
    if (status != cudaSuccess) cudaGetLastError();
    return status == cudaSuccess;
}

bool is_on_this_device() {
    int current = 0;
    unsigned count = 0;
    std::array<int, 16> devices{};
    if (!is_done(cudaGetDevice(&current)) ||
        !is_done(cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll)))
        return false;
    const auto end = devices.begin() + std::min<std::size_t>(count, devices.size());
    return std::find(devices.begin(), end, current) != end;
}

}  // namespace

std::unique_ptr<DeviceTarget> CudaPositions::open_target(unsigned buffer) {
    cudaGraphicsResource_t resource = nullptr;
    if (!is_on_this_device() || !is_done(cudaGraphicsGLRegisterBuffer(
                                    &resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard)))
        return nullptr;
    return std::make_unique<CudaTarget>(resource);
}

bool CudaPositions::write_to(DeviceTarget& target) {
    cudaGraphicsResource_t resource = static_cast<CudaTarget&>(target).resource;
    const cudaStream_t stream = device_.stream();
    if (!is_done(cudaGraphicsMapResources(1, &resource, stream))) return false;
    void* there = nullptr;
    std::size_t bytes = 0;
    const bool mapped = is_done(cudaGraphicsResourceGetMappedPointer(&there, &bytes, resource)) &&
                        bytes >= layout_->host_floats(3, Per::row) * sizeof(float);
    if (mapped) layout_->reorder(3, Per::row, static_cast<float*>(there), data_, false, stream);
    return is_done(cudaGraphicsUnmapResources(1, &resource, stream)) && mapped;
}

}  // namespace ringlet

#else

namespace ringlet {

std::unique_ptr<DeviceTarget> CudaPositions::open_target(unsigned) { return nullptr; }
bool CudaPositions::write_to(DeviceTarget&) { return false; }

}  // namespace ringlet

#endif
