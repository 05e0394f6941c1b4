// Writes positions from device memory to an OpenGL buffer on the same GPU.
#include "sim/cuda/cuda_device.h"

// A build of the simulation alone does not need OpenGL.
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
// Requires GL/gl.h.
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

// Clears a failure, so that it does not affect later calls.
bool succeeded(cudaError_t status) {
    if (status != cudaSuccess) cudaGetLastError();
    return status == cudaSuccess;
}

bool is_on_this_device() {
    int current = 0;
    unsigned count = 0;
    std::array<int, 16> devices{};
    if (!succeeded(cudaGetDevice(&current)) ||
        !succeeded(cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll)))
        return false;
    const auto end = devices.begin() + std::min<std::size_t>(count, devices.size());
    return std::find(devices.begin(), end, current) != end;
}

}  // namespace

std::unique_ptr<DeviceTarget> CudaPositions::open_target(unsigned buffer) {
    cudaGraphicsResource_t resource = nullptr;
    if (!is_on_this_device() || !succeeded(cudaGraphicsGLRegisterBuffer(
                                    &resource, buffer, cudaGraphicsRegisterFlagsWriteDiscard)))
        return nullptr;
    return std::make_unique<CudaTarget>(resource);
}

bool CudaPositions::write_to(DeviceTarget& target) {
    cudaGraphicsResource_t resource = static_cast<CudaTarget&>(target).resource;
    const cudaStream_t stream = device_.stream();
    if (!succeeded(cudaGraphicsMapResources(1, &resource, stream))) return false;
    void* mapped_buffer = nullptr;
    std::size_t bytes = 0;
    const bool mapped =
        succeeded(cudaGraphicsResourceGetMappedPointer(&mapped_buffer, &bytes, resource)) &&
        bytes >= layout_->host_floats(3, Per::row) * sizeof(float);
    if (mapped)
        layout_->reorder(3, Per::row, static_cast<float*>(mapped_buffer), data_, false, stream);
    return succeeded(cudaGraphicsUnmapResources(1, &resource, stream)) && mapped;
}

}  // namespace ringlet

#else

namespace ringlet {

std::unique_ptr<DeviceTarget> CudaPositions::open_target(unsigned) { return nullptr; }
bool CudaPositions::write_to(DeviceTarget&) { return false; }

}  // namespace ringlet

#endif
