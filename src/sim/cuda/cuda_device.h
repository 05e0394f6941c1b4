// A CUDA device as the launches in this folder see it.
#pragma once

#include <memory>
#include <unordered_map>

#include "sim/cuda/device_layout.h"
#include "sim/cuda/hair_grid.h"
#include "sim/cuda/merged.h"
#include "sim/cuda/show.h"
#include "sim/device.h"

namespace ringlet {

// How a kernel over blocks is launched: warps take a group of strands each, then whichever is next
// (some strands take longer), with scratch of their own.
struct BlockLaunch {
    DeviceStrands strands;
    int warp_count;
    int* taken;  // groups beyond the first of each warp
    float* scratch;
    std::size_t warp_scratch;  // floats

#ifdef __CUDACC__
    __device__ int next_group(int lane) const {
        if (warp_count >= strands.group_count) return strands.group_count;
        __syncwarp();
        const int mine = lane == 0 ? warp_count + atomicAdd(taken, 1) : 0;
        return __shfl_sync(0xffffffffu, mine, 0);
    }
#endif
};

struct RankSearch;  // measure.cu

class CudaDevice final : public Device {
public:
    explicit CudaDevice(const cudaDeviceProp& properties);
    ~CudaDevice() override;

    std::string name() const override { return name_; }
    void set_layout(const StrandLayout& layout) override;
    float* mirror(const float* host, int components, Per per, bool written) override;
    float* beside(const float* host) override;
    void take_beside(const float* host) override;
    const PlacedCollider* upload_colliders(std::span<const PlacedCollider> bodies) override;
    void push_out(float* x, float* v, float radius, float rate, int body_count) override;
    bool couple(const DeviceCoupling& coupling) override;
    MeasuredFigures add_up(const float* found, int strand_count) override;
    void copy_channel(const float* from, float* to, int components, Per per) override;
    void show(const DeviceShow& what) override;
    DevicePositions* shown() override { return show_.get(); }
    void merge(Device& from, const DeviceMerge& what) override;
    DevicePositions* merged() override { return merged_.get(); }
    void fetch(const void* host) override;
    void fetch_all() override;
    void host_changed(const void* host) override;
    void all_host_changed() override;
    void finish() override;
    void mark(int event) override;
    double seconds_between(int from, int to) override;
    std::int64_t collect_minimum_bytes() override { return std::exchange(minimum_bytes_, 0); }
    double measure_bandwidth() override;

    // For as many warps as the kernel can have at a time in blocks of that many threads, each block
    // with that much shared memory.
    BlockLaunch prepare(const void* kernel, int threads, int shared_bytes, int scratch_per_row);
    // A warp for every group, without scratch.
    BlockLaunch launch_of_all() const {
        return {strands(), layout_.group_count(), nullptr, nullptr, 0};
    }
    cudaStream_t stream() const { return stream_; }
    const DeviceLayout& layout() const { return layout_; }
    const CudaPositions* show_of() const { return show_.get(); }
    // As mirror(), of a channel in another layout, which must stay where it is.
    float* mirror_in(const DeviceLayout& layout, const float* host, int components, Per per,
                     bool written);

private:
    enum class Newer { neither, host, device };
    struct Mirror {
        float* host = nullptr;
        std::size_t host_floats = 0;
        const DeviceLayout* layout = nullptr;  // null: a list, in the order of the host
        int components = 0;
        Per per = Per::row;
        DeviceArray<float> data, beside;
        Newer newer = Newer::host;
    };

    DeviceStrands strands() const { return layout_.strands(); }
    Mirror& channel_of(const DeviceLayout& layout, const float* host, int components, Per per);
    Mirror& mirror_of(const float* host, std::size_t host_floats, std::size_t floats);
    const float* mirror_list(const float* host, std::size_t floats);
    void send(Mirror& mirror);
    void bring(Mirror& mirror);
    float* staging(std::size_t floats);
    void make_room_for(std::size_t bodies);

    std::string name_;
    int multiprocessors_;
    cudaStream_t stream_ = nullptr;
    std::vector<cudaEvent_t> events_;
    DeviceLayout layout_;
    std::int64_t minimum_bytes_ = 0;
    DeviceArray<float> scratch_, staging_;
    DeviceArray<int> taken_{1};
    std::unordered_map<const void*, Mirror> mirrors_;
    DeviceArray<PlacedCollider> bodies_;
    PlacedCollider* staged_bodies_ = nullptr;
    PlacedCollider* placed_bodies_ = nullptr;
    int body_slot_ = -1;
    std::unique_ptr<CudaHairGrid> grid_;
    DeviceArray<MeasuredSum> sums_;
    DeviceArray<RankSearch> search_;
    std::unique_ptr<CudaShow> show_;
    std::unique_ptr<CudaMerged> merged_;
};

}  // namespace ringlet
