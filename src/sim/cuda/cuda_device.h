// A CUDA device as the launches in this folder see it.
#pragma once

#include <memory>
#include <unordered_map>

#include "sim/cuda/hair_grid.h"
#include "sim/device.h"

namespace ringlet {

// How a kernel over blocks is launched: groups of eight threads take one block after another, with
// scratch of their own that stays in the cache.
struct BlockLaunch {
    const std::int32_t* first_rows;  // on the device, per block
    const std::int32_t* rows;        // likewise
    int block_count;
    int group_count;
    float* scratch;
    std::size_t group_scratch;  // floats
};

class CudaDevice final : public Device {
public:
    explicit CudaDevice(const cudaDeviceProp& properties);
    ~CudaDevice() override;

    std::string name() const override { return name_; }
    void set_layout(const StrandLayout& layout) override;
    float* mirror(const float* host, std::size_t floats, bool written) override;
    const PlacedCollider* place(std::span<const PlacedCollider> bodies) override;
    void push_out(float* x, float* v, float radius, float rate, int body_count) override;
    bool mix(const DeviceMixing& mixing) override;
    void fetch(const void* host) override;
    void fetch_all() override;
    void host_changed(const void* host) override;
    void all_host_changed() override;
    void finish() override;
    void mark(int event) override;
    double seconds_between(int from, int to) override;

    // For as many groups as the kernel can have at a time in blocks of that many threads.
    BlockLaunch prepare(const void* kernel, int threads, int scratch_per_row);
    cudaStream_t stream() const { return stream_; }

private:
    enum class Newer { neither, host, device };
    struct Mirror {
        float* host = nullptr;
        DeviceArray<float> data;
        Newer newer = Newer::host;
    };

    DeviceStrands strands() const {
        return {first_rows_.data(), ends_.data(), block_count_, most_rows_};
    }
    std::size_t vec3_floats() const { return row_count_ * 3 * kLanes; }
    void make_room_for(std::size_t bodies);

    std::string name_;
    int multiprocessors_;
    cudaStream_t stream_ = nullptr;
    std::vector<cudaEvent_t> events_;
    DeviceArray<std::int32_t> first_rows_, rows_, ends_;
    int block_count_ = 0, most_rows_ = 1;
    std::size_t row_count_ = 0;
    std::int64_t vertex_total_ = 0;
    DeviceArray<float> scratch_;
    std::unordered_map<const void*, Mirror> mirrors_;
    DeviceArray<PlacedCollider> bodies_;
    PlacedCollider* staged_bodies_ = nullptr;
    PlacedCollider* placed_bodies_ = nullptr;
    int body_slot_ = -1;
    std::unique_ptr<CudaHairGrid> grid_;
};

}  // namespace ringlet
