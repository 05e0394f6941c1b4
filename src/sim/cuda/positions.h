// Strand positions in device memory, for drawing.
#pragma once

#include "sim/cuda/device_layout.h"
#include "strand/channel.h"
#include "strand/device_positions.h"

namespace ringlet {

class CudaDevice;

class CudaPositions : public DevicePositions {
public:
    explicit CudaPositions(CudaDevice& device) : device_(device) {}

    std::unique_ptr<DeviceTarget> open_target(unsigned buffer) override;
    bool write_to(DeviceTarget& target) override;
    void survey(float reach, int stride, StrandSurvey& out) override;
    void fetch() override;

    const StrandLayout& host_layout() const { return *host_layout_; }
    const DeviceLayout& layout() const { return *layout_; }
    const float* data() const { return data_; }

protected:
    // Sets the source: `data` is the device copy of `host`, which is not owned.
    void set_source(const LayoutRef& host_layout, const DeviceLayout& layout,
                    const Channel<3>* host, float* data);

    CudaDevice& device_;

private:
    void choose_sample(int stride);

    LayoutRef host_layout_;
    const DeviceLayout* layout_ = nullptr;
    const Channel<3>* host_ = nullptr;
    float* data_ = nullptr;
    int stride_ = 0;                                // of the current sample
    DeviceArray<DeviceLayout::Slot> sample_slots_;  // per sampled vertex
    DeviceArray<Vec3f> sample_;
    DeviceArray<std::int32_t> box_{6};
};

// The positions of the simulated strands.
class CudaState final : public CudaPositions {
public:
    using CudaPositions::CudaPositions;

    void set(const Channel<3>& x);
};

}  // namespace ringlet
