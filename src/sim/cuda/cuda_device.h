// The CUDA device, with the interface that the launches in this folder use.
#pragma once

#include <memory>
#include <unordered_map>

#include "sim/cuda/device_layout.h"
#include "sim/cuda/hair_grid.h"
#include "sim/cuda/merged.h"
#include "sim/cuda/show.h"
#include "sim/device.h"

namespace ringlet {

// Launch parameters of a kernel over blocks: each warp processes a group of strands with its own
// scratch memory, then fetches the next unprocessed group (some strands take longer).
struct BlockLaunch {
    DeviceStrands strands;
    int warp_count;
    int* next;  // counter of groups fetched beyond the first of each warp
    float* scratch;
    std::size_t warp_scratch;  // floats

#ifdef __CUDACC__
    __device__ int next_group(int lane) const {
        if (warp_count >= strands.group_count) return strands.group_count;
        __syncwarp();
        const int mine = lane == 0 ? warp_count + atomicAdd(next, 1) : 0;
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
    float* second_buffer(const float* host) override;
    void swap_buffers(const float* host) override;
    const PlacedCollider* upload_colliders(std::span<const PlacedCollider> bodies) override;
    void push_out(float* x, float* v, float radius, float rate, int body_count) override;
    bool couple(const DeviceCoupling& coupling) override;
    MeasuredTotals sum_measurements(const float* measured, int strand_count) override;
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

    // Prepares a launch with as many warps as are resident at a time, in thread blocks of the given
    // size and shared memory.
    BlockLaunch prepare(const void* kernel, int threads, int shared_bytes, int scratch_per_row);
    // One warp per group, without scratch memory.
    BlockLaunch launch_of_all() const {
        return {strands(), layout_.group_count(), nullptr, nullptr, 0};
    }
    cudaStream_t stream() const { return stream_; }
    const DeviceLayout& layout() const { return layout_; }
    const CudaPositions* show_of() const { return show_.get(); }
    // Like mirror(), for a channel in another layout. Keeps a pointer to `layout`.
    float* mirror_in(const DeviceLayout& layout, const float* host, int components, Per per,
                     bool written);

private:
    enum class Newer { neither, host, device };
    struct Mirror {
        float* host = nullptr;
        std::size_t host_floats = 0;
        const DeviceLayout* layout = nullptr;  // null: a plain array in host order
        int components = 0;
        Per per = Per::row;
        DeviceArray<float> data, second;
        Newer newer = Newer::host;
    };

    DeviceStrands strands() const { return layout_.strands(); }
    Mirror& channel_of(const DeviceLayout& layout, const float* host, int components, Per per);
    Mirror& mirror_of(const float* host, std::size_t host_floats, std::size_t floats);
    const float* mirror_array(const float* host, std::size_t floats);
    void upload(Mirror& mirror);
    void download(Mirror& mirror);
    float* staging(std::size_t floats);
    void reserve_colliders(std::size_t count);

    std::string name_;
    int multiprocessors_;
    cudaStream_t stream_ = nullptr;
    std::vector<cudaEvent_t> events_;
    DeviceLayout layout_;
    std::int64_t minimum_bytes_ = 0;
    DeviceArray<float> scratch_, staging_;
    DeviceArray<int> next_group_{1};
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
