#include <algorithm>

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

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

}  // namespace

CudaDevice::CudaDevice(const cudaDeviceProp& properties)
    : name_(properties.name), multiprocessors_(properties.multiProcessorCount) {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
}

CudaDevice::~CudaDevice() {
    cudaStreamSynchronize(stream_);
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
    if (staged_bodies_) cudaFreeHost(staged_bodies_);
    cudaStreamDestroy(stream_);
}

void CudaDevice::set_layout(const StrandLayout& layout) {
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
    const auto keep = [](DeviceArray<std::int32_t>& on_device, std::vector<std::int32_t>& list) {
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

BlockLaunch CudaDevice::prepare(const void* kernel, int threads, int scratch_per_row) {
    int resident = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    const int groups = std::min(block_count_, resident * multiprocessors_ * threads / kLanes);
    const std::size_t floats = static_cast<std::size_t>(most_rows_ * scratch_per_row) * kLanes;
    if (scratch_.size() < floats * static_cast<std::size_t>(groups))
        scratch_ = DeviceArray<float>(floats * static_cast<std::size_t>(groups));
    return {first_rows_.data(), rows_.data(), block_count_, groups, scratch_.data(), floats};
}

float* CudaDevice::mirror(const float* host, std::size_t floats, bool written) {
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

const PlacedCollider* CudaDevice::place(std::span<const PlacedCollider> bodies) {
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
            const auto count = static_cast<std::size_t>(grid.size_x * grid.size_y * grid.size_z);
            if (grid.moves) {  // then the host has just changed both
                host_changed(grid.samples);
                host_changed(grid.moves);
                grid.moves = mirror(grid.moves, count * 3, false);
            }
            grid.samples = mirror(grid.samples, count, false);
        }
    placed_bodies_ = bodies_.data() + first;
    check_cuda(cudaMemcpyAsync(placed_bodies_, staged, bodies.size_bytes(), cudaMemcpyHostToDevice,
                               stream_));
    return placed_bodies_;
}

void CudaDevice::push_out(float* x, float* v, float radius, float rate, int body_count) {
    const std::size_t floats = vec3_floats();
    push_vertices_out<<<vertex_grid(strands()), kVertexThreads, 0, stream_>>>(
        strands(), mirror(x, floats, false), mirror(v, floats, true), radius, rate, placed_bodies_,
        body_count);
    check_cuda(cudaGetLastError());
}

bool CudaDevice::mix(const DeviceMixing& mixing) {
    if (!grid_) grid_ = std::make_unique<CudaHairGrid>(mixing.tile_limit, vertex_total_);
    DeviceMixing there = mixing;
    there.x = mirror(mixing.x, vec3_floats(), false);
    there.v = mirror(mixing.v, vec3_floats(), true);
    there.density = mirror(mixing.density, vec3_floats() / 3, true);
    there.volume = mirror(mixing.volume, vec3_floats() / 3, false);
    return grid_->mix(strands(), there, stream_);
}

void CudaDevice::fetch(const void* host) {
    const auto found = mirrors_.find(host);
    if (found == mirrors_.end() || found->second.newer != Newer::device) return;
    Mirror& mirror = found->second;
    check_cuda(cudaMemcpyAsync(mirror.host, mirror.data.data(), mirror.data.byte_count(),
                               cudaMemcpyDeviceToHost, stream_));
    finish();
    mirror.newer = Newer::neither;
}
void CudaDevice::fetch_all() {
    for (auto& [host, mirror] : mirrors_) fetch(host);
}
void CudaDevice::host_changed(const void* host) {
    const auto found = mirrors_.find(host);
    if (found != mirrors_.end()) found->second.newer = Newer::host;
}
void CudaDevice::all_host_changed() {
    for (auto& [host, mirror] : mirrors_) mirror.newer = Newer::host;
}
void CudaDevice::finish() { check_cuda(cudaStreamSynchronize(stream_)); }

void CudaDevice::mark(int event) {
    while (static_cast<int>(events_.size()) <= event)
        check_cuda(cudaEventCreate(&events_.emplace_back()));
    check_cuda(cudaEventRecord(events_[static_cast<std::size_t>(event)], stream_));
}
double CudaDevice::seconds_between(int from, int to) {
    float milliseconds = 0;
    check_cuda(cudaEventSynchronize(events_[static_cast<std::size_t>(to)]));
    check_cuda(cudaEventElapsedTime(&milliseconds, events_[static_cast<std::size_t>(from)],
                                    events_[static_cast<std::size_t>(to)]));
    return static_cast<double>(milliseconds) * 1e-3;
}

void CudaDevice::make_room_for(std::size_t bodies) {
    finish();
    if (staged_bodies_) check_cuda(cudaFreeHost(staged_bodies_));
    bodies_ = DeviceArray<PlacedCollider>(bodies * kBodySlots);
    check_cuda(cudaMallocHost(reinterpret_cast<void**>(&staged_bodies_), bodies_.byte_count()));
    body_slot_ = -1;
}

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
    return std::unique_ptr<Device>(std::make_unique<CudaDevice>(properties));
}

}  // namespace ringlet
