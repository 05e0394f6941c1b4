// Strands as they are shown (sim/device.h), made on the device, and from there to OpenGL.
#pragma once

#include "sim/cuda/device_layout.h"
#include "sim/device.h"

namespace ringlet {

class CudaDevice;

class CudaShow final : public DevicePositions {
public:
    explicit CudaShow(CudaDevice& device) : device_(device) {}

    void show(const DeviceShow& what);

    std::unique_ptr<DeviceTarget> open_target(unsigned buffer) override;
    bool write_to(DeviceTarget& target) override;
    void survey(float reach, int stride, StrandSurvey& out) override;
    void fetch() override;

    // A strand that is shown, by its place on the device.
    struct Shown {
        GuideWeights by;      // where it follows others
        std::int32_t guide;   // its number among those that are simulated, or -1
        std::int32_t strand;  // its number among all
    };
    struct Guide {
        DeviceLayout::Place at;
        std::int32_t last;  // number of its tip
    };

private:
    void learn(const DeviceShow& what);
    void spread(const DeviceShow& what);
    const DeviceLayout& layout() const;
    void choose_sample(int stride);

    CudaDevice& device_;
    LayoutRef shown_layout_;
    bool has_children_ = false;
    float* host_ = nullptr;   // of what was shown
    float* shown_ = nullptr;  // the device's copy of that
    // Where some follow others:
    DeviceLayout all_;
    DeviceArray<Shown> strands_;  // of the layout of all
    DeviceArray<Guide> guides_;   // by number
    DeviceArray<float> between_, turns_;
    DeviceArray<Rigidf> skin_;
    // Of the survey:
    int stride_ = 0;
    DeviceArray<DeviceLayout::Place> sample_places_;  // of vertices
    DeviceArray<Vec3f> sample_;
    DeviceArray<std::int32_t> box_{6};
};

}  // namespace ringlet
