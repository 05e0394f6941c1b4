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

// Between the order of the host and that of the device; a block of threads for each of the host's.
// Rows that a block does not have are zero on the host.
__global__ void reorder(DeviceStrands strands, const std::int32_t* host_first_rows, Per per,
                        int components, float* in_host_order, float* in_device_order,
                        bool to_device) {
    const int block = static_cast<int>(blockIdx.x), group = block / kWarpBlocks;
    const bool by_row = per == Per::row;
    const int host_first = by_row ? host_first_rows[block] : block;
    const int host_rows = by_row ? host_first_rows[block + 1] - host_first : 1;
    const int rows = by_row ? strands.rows[block] : 1;
    const int first = by_row ? strands.first_rows[group] : group;
    const int width = components * kLanes;
    const auto at = [](int row, int floats) { return static_cast<std::size_t>(row) * floats; };
    for (int k = static_cast<int>(threadIdx.x); k < host_rows * width;
         k += static_cast<int>(blockDim.x)) {
        const int row = k / width, component = k % width / kLanes, lane = k % kLanes;
        float& there = in_host_order[at(host_first, width) + k];
        if (row >= rows) {
            if (!to_device) there = 0;
            continue;
        }
        float& here = in_device_order[at(first + row, components * kWarp) + component * kWarp +
                                      block % kWarpBlocks * kLanes + lane];
        (to_device ? here : there) = to_device ? there : here;
    }
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
    block_count_ = layout.block_count();
    group_count_ = (block_count_ + kWarpBlocks - 1) / kWarpBlocks;
    std::vector<std::int32_t> first_rows{0}, rows, ends, host_first_rows;
    most_rows_ = 1;
    for (int g = 0; g < group_count_; ++g) {
        int most = 0;
        for (int b = g * kWarpBlocks; b < (g + 1) * kWarpBlocks; ++b) {
            const bool exists = b < block_count_;
            rows.push_back(exists ? layout.rows(b) : 0);
            most = std::max(most, rows.back());
            for (int lane = 0; lane < kLanes; ++lane) {
                const int strand = exists ? layout.strand_at(b, lane) : -1;
                ends.push_back(strand < 0 ? 0 : layout.vertex_count(strand));
            }
        }
        first_rows.push_back(first_rows.back() + most);
        most_rows_ = std::max(most_rows_, most);
    }
    for (int b = 0; b < block_count_; ++b) host_first_rows.push_back(layout.first_row(b));
    host_first_rows.push_back(layout.row_count());
    const auto keep = [](DeviceArray<std::int32_t>& on_device, std::vector<std::int32_t>& list) {
        on_device = DeviceArray<std::int32_t>(list.size());
        on_device.send(list.data());
    };
    keep(first_rows_, first_rows);
    keep(rows_, rows);
    keep(ends_, ends);
    keep(host_first_rows_, host_first_rows);
    row_count_ = static_cast<std::size_t>(first_rows.back());
    host_row_count_ = static_cast<std::size_t>(layout.row_count());
    vertex_total_ = layout.vertex_total();
}

BlockLaunch CudaDevice::prepare(const void* kernel, int threads, int shared_bytes,
                                int scratch_per_row) {
    check_cuda(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    int resident = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, kernel, threads, static_cast<std::size_t>(shared_bytes)));
    const int warps = std::min(group_count_, resident * multiprocessors_ * threads / kWarp);
    const std::size_t floats = static_cast<std::size_t>(most_rows_ * scratch_per_row) * kWarp;
    if (scratch_.size() < floats * static_cast<std::size_t>(warps))
        scratch_ = DeviceArray<float>(floats * static_cast<std::size_t>(warps));
    if (warps < group_count_)
        check_cuda(cudaMemsetAsync(taken_.data(), 0, taken_.byte_count(), stream_));
    return {strands(), warps, taken_.data(), scratch_.data(), floats};
}

CudaDevice::Mirror& CudaDevice::mirror_of(const float* host, std::size_t host_floats,
                                          std::size_t floats) {
    Mirror& mirror = mirrors_[host];
    if (mirror.host_floats != host_floats || mirror.data.size() != floats) {
        mirror.host = const_cast<float*>(host);
        mirror.host_floats = host_floats;
        mirror.data = DeviceArray<float>(floats);
        mirror.newer = Newer::host;
        check_cuda(cudaMemsetAsync(mirror.data.data(), 0, mirror.data.byte_count(), stream_));
    }
    return mirror;
}

float* CudaDevice::mirror(const float* host, int components, Per per, bool written) {
    const std::size_t host_rows =
        per == Per::row ? host_row_count_ : static_cast<std::size_t>(block_count_);
    const std::size_t rows = per == Per::row ? row_count_ : static_cast<std::size_t>(group_count_);
    const auto floats_a_row = [&](int lanes) {
        return static_cast<std::size_t>(components * lanes);
    };
    Mirror& mirror = mirror_of(host, host_rows * floats_a_row(kLanes), rows * floats_a_row(kWarp));
    mirror.components = components;
    mirror.per = per;
    send(mirror);
    least_bytes_ += static_cast<std::int64_t>(mirror.data.byte_count()) * (written ? 2 : 1);
    if (written) mirror.newer = Newer::device;
    return mirror.data.data();
}

float* CudaDevice::beside(const float* host) {
    Mirror& mirror = mirrors_.at(host);
    if (mirror.beside.size() != mirror.data.size()) {
        mirror.beside = DeviceArray<float>(mirror.data.size());
        check_cuda(cudaMemsetAsync(mirror.beside.data(), 0, mirror.beside.byte_count(), stream_));
    }
    return mirror.beside.data();
}
void CudaDevice::take_beside(const float* host) {
    Mirror& mirror = mirrors_.at(host);
    std::swap(mirror.data, mirror.beside);
}

const float* CudaDevice::mirror_list(const float* host, std::size_t floats) {
    Mirror& mirror = mirror_of(host, floats, floats);
    send(mirror);
    return mirror.data.data();
}

void CudaDevice::send(Mirror& mirror) {
    if (mirror.newer != Newer::host || mirror.host_floats == 0) return;
    mirror.newer = Newer::neither;
    const bool is_list = mirror.components == 0;
    float* const to = is_list ? mirror.data.data() : staging(mirror.host_floats);
    check_cuda(cudaMemcpyAsync(to, mirror.host, mirror.host_floats * sizeof(float),
                               cudaMemcpyHostToDevice, stream_));
    if (is_list) return;
    reorder<<<block_count_, kVertexThreads, 0, stream_>>>(strands(), host_first_rows_.data(),
                                                          mirror.per, mirror.components, to,
                                                          mirror.data.data(), true);
    check_cuda(cudaGetLastError());
}

void CudaDevice::bring(Mirror& mirror) {
    float* const from = staging(mirror.host_floats);
    reorder<<<block_count_, kVertexThreads, 0, stream_>>>(strands(), host_first_rows_.data(),
                                                          mirror.per, mirror.components, from,
                                                          mirror.data.data(), false);
    check_cuda(cudaMemcpyAsync(mirror.host, from, mirror.host_floats * sizeof(float),
                               cudaMemcpyDeviceToHost, stream_));
    finish();
    mirror.newer = Newer::neither;
}

float* CudaDevice::staging(std::size_t floats) {
    if (staging_.size() < floats) {
        finish();  // whoever uses it
        staging_ = DeviceArray<float>(floats);
    }
    return staging_.data();
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
            if (grid.moves) grid.moves = mirror_list(grid.moves, count * 3);
            grid.samples = mirror_list(grid.samples, count);
        }
    placed_bodies_ = bodies_.data() + first;
    check_cuda(cudaMemcpyAsync(placed_bodies_, staged, bodies.size_bytes(), cudaMemcpyHostToDevice,
                               stream_));
    return placed_bodies_;
}

void CudaDevice::push_out(float* x, float* v, float radius, float rate, int body_count) {
    push_vertices_out<<<vertex_grid(strands()), kVertexThreads, 0, stream_>>>(
        strands(), mirror(x, 3, Per::row, false), mirror(v, 3, Per::row, true), radius, rate,
        placed_bodies_, body_count);
    check_cuda(cudaGetLastError());
}

bool CudaDevice::mix(const DeviceMixing& mixing) {
    if (!grid_) grid_ = std::make_unique<CudaHairGrid>(mixing.tile_limit, vertex_total_);
    DeviceMixing there = mixing;
    there.x = mirror(mixing.x, 3, Per::row, false);
    there.v = mirror(mixing.v, 3, Per::row, true);
    there.density = mirror(mixing.density, 1, Per::row, true);
    there.volume = mirror(mixing.volume, 1, Per::row, false);
    return grid_->mix(strands(), there, stream_);
}

void CudaDevice::fetch(const void* host) {
    const auto found = mirrors_.find(host);
    if (found != mirrors_.end() && found->second.newer == Newer::device) bring(found->second);
}
void CudaDevice::fetch_all() {
    for (auto& [host, mirror] : mirrors_)
        if (mirror.newer == Newer::device) bring(mirror);
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
