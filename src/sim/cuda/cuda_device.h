// The CUDA device, with the interface that the launches in this folder use.
#pragma once

#include <memory>

#include "sim/cuda/cuda_memory.h"
#include "sim/cuda/hair_grid.h"
#include "sim/cuda/merged.h"
#include "sim/cuda/show.h"
#include "sim/cuda/work_queue.h"
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
    WorkQueue queue;

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
    std::unique_ptr<DeviceBuffer> allocate(const LayoutRef& layout, int components,
                                           Per per) override {
        return std::make_unique<CudaBuffer>(memory_, layout, components, per);
    }
    void add_traffic(std::int64_t bytes) override { minimum_bytes_ += bytes; }
    void set_layout(const LayoutRef& layout) override;
    void set_blocks(int first, int end) override;
    const PlacedCollider* upload_colliders(std::span<const PlacedCollider> bodies) override;
    void push_out(const Channel<3>& x, Channel<3>& v, float radius, float rate,
                  int collider_count) override;
    bool couple(const DeviceCoupling& coupling) override;
    MeasuredTotals sum_measurements(const StrandChannel<kMeasuredRows>& measured) override;
    void copy_channel(const Channel<3>& from, Channel<3>& to) override;
    void show(const DeviceShow& what) override;
    DevicePositions* shown() override { return show_.get(); }
    void merge(Device& from, const DeviceMerge& what) override;
    DevicePositions* merged() override { return merged_.get(); }
    std::vector<std::size_t> root_offsets(const LayoutRef& layout) override;
    DevicePositions* positions_of(const Channel<3>& x) override;
    std::int64_t collect_host_bytes() override { return memory_->collect_host_bytes(); }
    void finish() override { memory_->finish(); }
    void mark(int event) override;
    double seconds_between(int from, int to) override;
    std::int64_t collect_minimum_bytes() override { return std::exchange(minimum_bytes_, 0); }
    double measure_bandwidth() override;

    // Prepares a launch with as many warps as are resident at a time, in thread blocks of the given
    // size and shared memory. With `can_give_up` the launch has a queue if each warp processes
    // many groups.
    BlockLaunch prepare(const void* kernel, int threads, int shared_bytes, int scratch_per_row,
                        bool can_give_up);
    // One warp per group, without scratch memory.
    BlockLaunch launch_of_all() const { return {strands(), group_count_, nullptr, nullptr, 0, {}}; }
    cudaStream_t stream() const { return memory_->stream(); }
    CudaMemory& memory() const { return *memory_; }
    // The layout of the simulated strands.
    const DeviceLayout& layout() const { return *layout_; }
    const CudaPositions* show_of() const { return show_.get(); }

private:
    // The device copy of a collider's distance grid.
    struct GridCopy {
        std::uint64_t version = 0;  // DistanceGrid::version
        DeviceArray<float> samples, moves;
    };

    // The strands that launches process.
    DeviceStrands strands() const { return layout().strands(first_group_, group_count_); }
    void upload_grid(DistanceGrid& grid, GridCopy& copy);
    void reserve_colliders(std::size_t count);

    std::string name_;
    int multiprocessors_;
    std::shared_ptr<CudaMemory> memory_ = std::make_shared<CudaMemory>();
    std::vector<cudaEvent_t> events_;
    const DeviceLayout* layout_ = nullptr;  // in memory_
    int first_group_ = 0, group_count_ = 0;
    std::int64_t minimum_bytes_ = 0;
    DeviceArray<float> scratch_;
    DeviceArray<int> next_group_{1};
    WorkQueueMemory queue_;
    std::vector<GridCopy> grids_;  // per collider
    DeviceArray<PlacedCollider> bodies_;
    PlacedCollider* staged_bodies_ = nullptr;
    PlacedCollider* placed_bodies_ = nullptr;
    int body_slot_ = -1;
    std::unique_ptr<CudaHairGrid> grid_;
    DeviceArray<MeasuredSum> sums_;
    DeviceArray<RankSearch> search_;
    std::unique_ptr<CudaShow> show_;
    std::unique_ptr<CudaMerged> merged_;
    std::unique_ptr<CudaState> state_;
};

}  // namespace ringlet
