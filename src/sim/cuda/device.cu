#include <algorithm>
#include <unordered_map>

#include "sim/cuda/hair_grid.h"
#include "sim/device.h"

namespace ringlet {

namespace {

// Blocks of strands that are worked on at a time, so that their scratch stays in the second-level
// cache.
constexpr int kResidentBlocks = 4096;

// Sets of bodies that may be in use at a time.
constexpr int kBodySlots = 128;

__global__ void push_vertices_out(DeviceStrands strands, const float* x, float* v, float radius,
                                  float rate, const PlacedCollider* bodies, int body_count) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const Vec3f place = vertex.vec3(x);
    SurfacePoint<float> nearest{radius, {0, 0, 0}};
    for (int k = 0; k < body_count; ++k) {
        const SurfacePoint<float> surface = nearest_surface(bodies[k], place);
        if (surface.distance < nearest.distance) nearest = surface;
    }
    const float depth = radius - nearest.distance;
    if (depth > 0) vertex.set_vec3(v, vertex.vec3(v) + nearest.normal * (rate * depth));
}

class CudaDevice final : public Device {
public:
    explicit CudaDevice(std::string name) : name_(std::move(name)) {
        check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~CudaDevice() override {
        cudaStreamSynchronize(stream_);
        for (cudaEvent_t event : events_) cudaEventDestroy(event);
        if (staged_bodies_) cudaFreeHost(staged_bodies_);
        cudaStreamDestroy(stream_);
    }

    std::string name() const override { return name_; }

    void set_layout(const StrandLayout& layout) override {
        const int blocks = layout.block_count();
        std::vector<std::int32_t> first_rows, rows, ends;
        most_rows_ = 1;
        for (int b = 0; b < blocks; ++b) {
            first_rows.push_back(layout.first_row(b));
            rows.push_back(layout.rows(b));
            most_rows_ = std::max(most_rows_, layout.rows(b));
            for (int lane = 0; lane < kLanes; ++lane) {
                const int strand = layout.strand_at(b, lane);
                ends.push_back(strand < 0 ? 0 : layout.vertex_count(strand));
            }
        }
        const auto keep = [](DeviceArray<std::int32_t>& on_device,
                             std::vector<std::int32_t>& list) {
            on_device = DeviceArray<std::int32_t>(list.size());
            on_device.send(list.data());
        };
        keep(first_rows_, first_rows);
        keep(rows_, rows);
        keep(ends_, ends);
        block_count_ = blocks;
        row_count_ = static_cast<std::size_t>(layout.row_count());
        vertex_total_ = layout.vertex_total();
    }

    DeviceLaunch prepare(int scratch_per_row) override {
        const int resident = std::min(block_count_, kResidentBlocks);
        const std::size_t floats =
            static_cast<std::size_t>(resident) * most_rows_ * scratch_per_row * kLanes;
        if (scratch_.size() < floats) scratch_ = DeviceArray<float>(floats);
        return {first_rows_.data(), rows_.data(), block_count_, most_rows_,
                scratch_.data(),    resident,     stream_};
    }

    float* mirror(const float* host, std::size_t floats, bool written) override {
        auto [found, is_new] = mirrors_.try_emplace(host);
        Mirror& mirror = found->second;
        if (is_new || mirror.data.size() != floats) {
            mirror.host = const_cast<float*>(host);
            mirror.data = DeviceArray<float>(floats);
            mirror.newer = Newer::host;
        }
        if (mirror.newer == Newer::host)
            check_cuda(cudaMemcpyAsync(mirror.data.data(), host, mirror.data.byte_count(),
                                       cudaMemcpyHostToDevice, stream_));
        if (written)
            mirror.newer = Newer::device;
        else if (mirror.newer == Newer::host)
            mirror.newer = Newer::neither;
        return mirror.data.data();
    }

    const PlacedCollider* place(std::span<const PlacedCollider> bodies) override {
        if (bodies.empty()) return nullptr;
        if (bodies_.size() < bodies.size() * kBodySlots) make_room_for(bodies.size());
        if (++body_slot_ == kBodySlots) {
            finish();  // whoever uses the first slot
            body_slot_ = 0;
        }
        const std::size_t first = static_cast<std::size_t>(body_slot_) * bodies.size();
        PlacedCollider* staged = staged_bodies_ + first;
        std::copy(bodies.begin(), bodies.end(), staged);
        for (std::size_t k = 0; k < bodies.size(); ++k)
            if (DistanceGrid& grid = staged[k].grid; grid.samples) {
                const float count = grid.size_x * grid.size_y * grid.size_z;
                grid.samples = mirror(grid.samples, static_cast<std::size_t>(count), false);
            }
        placed_bodies_ = bodies_.data() + first;
        check_cuda(cudaMemcpyAsync(placed_bodies_, staged, bodies.size_bytes(),
                                   cudaMemcpyHostToDevice, stream_));
        return placed_bodies_;
    }

    void push_out(float* x, float* v, float radius, float rate, int body_count) override {
        const std::size_t floats = vec3_floats();
        push_vertices_out<<<vertex_grid(strands()), kVertexThreads, 0, stream_>>>(
            strands(), mirror(x, floats, false), mirror(v, floats, true), radius, rate,
            placed_bodies_, body_count);
        check_cuda(cudaGetLastError());
    }

    bool mix(const DeviceMixing& mixing) override {
        if (!grid_) grid_ = std::make_unique<CudaHairGrid>(mixing.tile_limit, vertex_total_);
        DeviceMixing there = mixing;
        there.x = mirror(mixing.x, vec3_floats(), false);
        there.v = mirror(mixing.v, vec3_floats(), true);
        there.density = mirror(mixing.density, vec3_floats() / 3, true);
        there.volume = mirror(mixing.volume, vec3_floats() / 3, false);
        return grid_->mix(strands(), there, stream_);
    }

    void fetch(const void* host) override {
        const auto found = mirrors_.find(host);
        if (found == mirrors_.end() || found->second.newer != Newer::device) return;
        Mirror& mirror = found->second;
        check_cuda(cudaMemcpyAsync(mirror.host, mirror.data.data(), mirror.data.byte_count(),
                                   cudaMemcpyDeviceToHost, stream_));
        finish();
        mirror.newer = Newer::neither;
    }
    void fetch_all() override {
        for (auto& [host, mirror] : mirrors_) fetch(host);
    }
    void host_changed(const void* host) override {
        const auto found = mirrors_.find(host);
        if (found != mirrors_.end()) found->second.newer = Newer::host;
    }
    void all_host_changed() override {
        for (auto& [host, mirror] : mirrors_) mirror.newer = Newer::host;
    }
    void finish() override { check_cuda(cudaStreamSynchronize(stream_)); }

    void mark(int event) override {
        while (static_cast<int>(events_.size()) <= event)
            check_cuda(cudaEventCreate(&events_.emplace_back()));
        check_cuda(cudaEventRecord(events_[static_cast<std::size_t>(event)], stream_));
    }
    double seconds_between(int from, int to) override {
        float milliseconds = 0;
        check_cuda(cudaEventSynchronize(events_[static_cast<std::size_t>(to)]));
        check_cuda(cudaEventElapsedTime(&milliseconds, events_[static_cast<std::size_t>(from)],
                                        events_[static_cast<std::size_t>(to)]));
        return static_cast<double>(milliseconds) * 1e-3;
    }

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

    void make_room_for(std::size_t bodies) {
        finish();
        if (staged_bodies_) check_cuda(cudaFreeHost(staged_bodies_));
        bodies_ = DeviceArray<PlacedCollider>(bodies * kBodySlots);
        check_cuda(cudaMallocHost(reinterpret_cast<void**>(&staged_bodies_), bodies_.byte_count()));
        body_slot_ = -1;
    }

    std::string name_;
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

}  // namespace

Result<std::unique_ptr<Device>> open_cuda_device() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
        return Error{std::string("no CUDA device: ") +
                     (count == 0 && status == cudaSuccess ? "none is installed"
                                                          : cudaGetErrorString(status)) +
                     "; check the driver with nvidia-smi, or use --backend cpu"};
    cudaDeviceProp properties{};
    check_cuda(cudaGetDeviceProperties(&properties, 0));
    return std::unique_ptr<Device>(std::make_unique<CudaDevice>(properties.name));
}

}  // namespace ringlet
