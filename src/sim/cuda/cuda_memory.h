// Device memory of channels (strand/device_copy.h) on a CUDA device.
#pragma once

#include <memory>
#include <vector>

#include "sim/cuda/device_layout.h"
#include "strand/device_copy.h"

namespace ringlet {

// The stream of a device and the memory for conversion between host and device order. Shared by the
// device and its buffers, so that a channel may outlive the device.
class CudaMemory {
public:
    CudaMemory();
    ~CudaMemory();
    CudaMemory(const CudaMemory&) = delete;
    CudaMemory& operator=(const CudaMemory&) = delete;

    cudaStream_t stream() const { return stream_; }
    // Blocks until all launches have finished.
    void finish() const { check_cuda(cudaStreamSynchronize(stream_)); }
    // The device's version of a layout, made at its first use. Valid as long as this object.
    const DeviceLayout& layout_of(const LayoutRef& layout);
    // Memory for one transfer, in stream order.
    float* staging(std::size_t floats);
    // Counts a copy between host and device.
    void add_host_bytes(std::size_t bytes) { host_bytes_ += static_cast<std::int64_t>(bytes); }
    std::int64_t collect_host_bytes() { return std::exchange(host_bytes_, 0); }
    // Counts the strands whose value in `values`, one per strand, is above the limit.
    int count_above(const DeviceLayout& layout, const float* values, float limit);

private:
    struct Known {
        LayoutRef host;
        std::unique_ptr<DeviceLayout> device;
    };
    cudaStream_t stream_ = nullptr;
    DeviceArray<float> staging_;
    DeviceArray<int> count_{1};
    std::int64_t host_bytes_ = 0;
    std::vector<Known> layouts_;
};

class CudaBuffer final : public DeviceBuffer {
public:
    CudaBuffer(std::shared_ptr<CudaMemory> memory, const LayoutRef& layout, int components,
               Per per);

    bool belongs_to(const DeviceMemory& memory) const override;
    std::size_t byte_count() const override { return data_.byte_count(); }
    float* data() override { return data_.data(); }
    float* second() override;
    void swap() override { std::swap(data_, second_); }
    void upload(const float* host) override;
    void download(float* host) override;
    int count_above(float limit) override;
    void fill_with_zeros() override;

private:
    std::size_t host_floats() const { return layout_.host_floats(components_, per_); }
    DeviceArray<float> zeroed() const;

    std::shared_ptr<CudaMemory> memory_;
    const DeviceLayout& layout_;
    int components_;
    Per per_;
    DeviceArray<float> data_, second_;
};

}  // namespace ringlet
