#include <algorithm>

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

// Collider arrays that launches may use at the same time.
constexpr int kColliderSlots = 128;

__global__ void push_vertices_out(DeviceStrands strands, const float* x, float* v, float radius,
                                  float rate, const PlacedCollider* bodies, int body_count) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const Vec3f position = vertex.vec3(x);
    SurfacePoint<float> nearest{radius, {0, 0, 0}};
    for (int k = 0; k < body_count; ++k) {
        const SurfacePoint<float> surface = nearest_surface(bodies[k], position);
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

void CudaDevice::set_layout(const StrandLayout& layout) { layout_ = DeviceLayout(layout); }

BlockLaunch CudaDevice::prepare(const void* kernel, int threads, int shared_bytes,
                                int scratch_per_row) {
    check_cuda(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    int resident = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, kernel, threads, static_cast<std::size_t>(shared_bytes)));
    const int warps =
        std::min(layout_.group_count(), resident * multiprocessors_ * threads / kWarp);
    const std::size_t floats =
        static_cast<std::size_t>(layout_.max_rows() * scratch_per_row) * kWarp;
    if (scratch_.size() < floats * static_cast<std::size_t>(warps))
        scratch_ = DeviceArray<float>(floats * static_cast<std::size_t>(warps));
    if (warps < layout_.group_count())
        check_cuda(cudaMemsetAsync(next_group_.data(), 0, next_group_.byte_count(), stream_));
    return {strands(), warps, next_group_.data(), scratch_.data(), floats};
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

CudaDevice::Mirror& CudaDevice::channel_of(const DeviceLayout& layout, const float* host,
                                           int components, Per per) {
    Mirror& mirror =
        mirror_of(host, layout.host_floats(components, per), layout.floats(components, per));
    mirror.layout = &layout;
    mirror.components = components;
    mirror.per = per;
    return mirror;
}

float* CudaDevice::mirror_in(const DeviceLayout& layout, const float* host, int components, Per per,
                             bool written) {
    Mirror& mirror = channel_of(layout, host, components, per);
    upload(mirror);
    minimum_bytes_ += static_cast<std::int64_t>(mirror.data.byte_count()) * (written ? 2 : 1);
    if (written) mirror.newer = Newer::device;
    return mirror.data.data();
}

float* CudaDevice::mirror(const float* host, int components, Per per, bool written) {
    return mirror_in(layout_, host, components, per, written);
}

void CudaDevice::copy_channel(const float* from, float* to, int components, Per per) {
    const float* const here = mirror(from, components, per, false);
    Mirror& there = channel_of(layout_, to, components, per);
    there.newer = Newer::device;
    check_cuda(cudaMemcpyAsync(there.data.data(), here, there.data.byte_count(),
                               cudaMemcpyDeviceToDevice, stream_));
}

void CudaDevice::show(const DeviceShow& what) {
    if (!show_) show_ = std::make_unique<CudaShow>(*this);
    show_->show(what);
}

void CudaDevice::merge(Device& from, const DeviceMerge& what) {
    if (!merged_) merged_ = std::make_unique<CudaMerged>(*this);
    merged_->merge(static_cast<CudaDevice&>(from), what);
}

float* CudaDevice::second_buffer(const float* host) {
    Mirror& mirror = mirrors_.at(host);
    if (mirror.second.size() != mirror.data.size()) {
        mirror.second = DeviceArray<float>(mirror.data.size());
        check_cuda(cudaMemsetAsync(mirror.second.data(), 0, mirror.second.byte_count(), stream_));
    }
    return mirror.second.data();
}
void CudaDevice::swap_buffers(const float* host) {
    Mirror& mirror = mirrors_.at(host);
    std::swap(mirror.data, mirror.second);
}

const float* CudaDevice::mirror_array(const float* host, std::size_t floats) {
    Mirror& mirror = mirror_of(host, floats, floats);
    upload(mirror);
    return mirror.data.data();
}

void CudaDevice::upload(Mirror& mirror) {
    if (mirror.newer != Newer::host || mirror.host_floats == 0) return;
    mirror.newer = Newer::neither;
    const bool is_array = mirror.layout == nullptr;
    float* const to = is_array ? mirror.data.data() : staging(mirror.host_floats);
    check_cuda(cudaMemcpyAsync(to, mirror.host, mirror.host_floats * sizeof(float),
                               cudaMemcpyHostToDevice, stream_));
    if (is_array) return;
    mirror.layout->reorder(mirror.components, mirror.per, to, mirror.data.data(), true, stream_);
}

void CudaDevice::download(Mirror& mirror) {
    float* const from = staging(mirror.host_floats);
    mirror.layout->reorder(mirror.components, mirror.per, from, mirror.data.data(), false, stream_);
    check_cuda(cudaMemcpyAsync(mirror.host, from, mirror.host_floats * sizeof(float),
                               cudaMemcpyDeviceToHost, stream_));
    finish();
    mirror.newer = Newer::neither;
}

float* CudaDevice::staging(std::size_t floats) {
    if (staging_.size() < floats) {
        finish();  // launches may still use it
        staging_ = DeviceArray<float>(floats);
    }
    return staging_.data();
}

const PlacedCollider* CudaDevice::upload_colliders(std::span<const PlacedCollider> bodies) {
    if (bodies.empty()) return nullptr;
    if (bodies_.size() < bodies.size() * kColliderSlots) reserve_colliders(bodies.size());
    if (++body_slot_ == kColliderSlots) {
        finish();  // launches may still use the first slot
        body_slot_ = 0;
    }
    const std::size_t first = static_cast<std::size_t>(body_slot_) * bodies.size();
    PlacedCollider* staged = staged_bodies_ + first;
    std::copy(bodies.begin(), bodies.end(), staged);
    for (std::size_t k = 0; k < bodies.size(); ++k)
        if (DistanceGrid& grid = staged[k].grid; grid.samples) {
            const auto count = static_cast<std::size_t>(grid.size_x * grid.size_y * grid.size_z);
            if (grid.moves) grid.moves = mirror_array(grid.moves, count * 3);
            grid.samples = mirror_array(grid.samples, count);
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

bool CudaDevice::couple(const DeviceCoupling& coupling) {
    if (!grid_) grid_ = std::make_unique<CudaHairGrid>(coupling.tile_limit, layout_.vertex_total());
    DeviceCoupling on_device = coupling;
    on_device.x = mirror(coupling.x, 3, Per::row, false);
    on_device.v = mirror(coupling.v, 3, Per::row, true);
    on_device.density = mirror(coupling.density, 1, Per::row, true);
    on_device.volume = mirror(coupling.volume, 1, Per::row, false);
    return grid_->couple(strands(), on_device, stream_);
}

void CudaDevice::fetch(const void* host) {
    const auto found = mirrors_.find(host);
    if (found != mirrors_.end() && found->second.newer == Newer::device) download(found->second);
}
void CudaDevice::fetch_all() {
    for (auto& [host, mirror] : mirrors_)
        if (mirror.newer == Newer::device) download(mirror);
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

void CudaDevice::reserve_colliders(std::size_t count) {
    finish();
    if (staged_bodies_) check_cuda(cudaFreeHost(staged_bodies_));
    bodies_ = DeviceArray<PlacedCollider>(count * kColliderSlots);
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
