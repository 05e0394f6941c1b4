#include <algorithm>

#include "base/assert.h"
#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

// Groups per warp from which on strands may be given up. With fewer groups the strands that are
// repeated last take longer than is gained.
constexpr int kQueueRounds = 6;

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
    : name_(properties.name), multiprocessors_(properties.multiProcessorCount) {}

CudaDevice::~CudaDevice() {
    cudaStreamSynchronize(stream());
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
    if (staged_bodies_) cudaFreeHost(staged_bodies_);
}

void CudaDevice::set_layout(const LayoutRef& layout) {
    layout_ = &memory_->layout_of(layout);
    set_blocks(0, layout->block_count());
}

void CudaDevice::set_blocks(int first, int end) {
    RINGLET_ASSERT(first % kWarpBlocks == 0, "a rank begins with a whole group of strands");
    first_group_ = first / kWarpBlocks;
    group_count_ = (end + kWarpBlocks - 1) / kWarpBlocks - first_group_;
}

BlockLaunch CudaDevice::prepare(const void* kernel, int threads, int shared_bytes,
                                int scratch_per_row, bool can_give_up) {
    check_cuda(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    int resident = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &resident, kernel, threads, static_cast<std::size_t>(shared_bytes)));
    const int warps = std::min(group_count_, resident * multiprocessors_ * threads / kWarp);
    const std::size_t floats =
        static_cast<std::size_t>(layout().max_rows() * scratch_per_row) * kWarp;
    if (scratch_.size() < floats * static_cast<std::size_t>(warps))
        scratch_ = DeviceArray<float>(floats * static_cast<std::size_t>(warps));
    BlockLaunch out{strands(), warps, next_group_.data(), scratch_.data(), floats, {}};
    if (can_give_up && group_count_ >= kQueueRounds * warps)
        out.queue = queue_.start(group_count_, stream());
    else if (warps < group_count_)
        check_cuda(cudaMemsetAsync(next_group_.data(), 0, next_group_.byte_count(), stream()));
    return out;
}

void CudaDevice::copy_channel(const Channel<3>& from, Channel<3>& to) {
    const float* const source = from.on(*this);
    float* const target = to.overwrite_on(*this);
    check_cuda(cudaMemcpyAsync(target, source, to.device_buffer()->byte_count(),
                               cudaMemcpyDeviceToDevice, stream()));
}

void CudaDevice::show(const DeviceShow& what) {
    if (!show_) show_ = std::make_unique<CudaShow>(*this);
    show_->show(what);
}

void CudaDevice::merge(Device& from, const DeviceMerge& what) {
    if (!merged_) merged_ = std::make_unique<CudaMerged>(*this);
    merged_->merge(static_cast<CudaDevice&>(from), what);
}

std::vector<std::size_t> CudaDevice::root_offsets(const LayoutRef& layout) {
    static_assert(kComponentStride == kWarp && kVertexStride == 3 * kWarp);
    const DeviceLayout& own = memory_->layout_of(layout);
    std::vector<std::size_t> out;
    for (int s = 0; s < layout->strand_count(); ++s) {
        const DeviceLayout::Slot at = own.slot(*layout, s);
        out.push_back(static_cast<std::size_t>(at.first_row) * kVertexStride +
                      static_cast<std::size_t>(at.lane));
    }
    return out;
}

DevicePositions* CudaDevice::positions_of(const Channel<3>& x) {
    if (!state_) state_ = std::make_unique<CudaState>(*this);
    state_->set(x);
    return state_.get();
}

// Uploads the samples if they have changed since the last call, and sets the grid's pointers.
void CudaDevice::upload_grid(DistanceGrid& grid, GridCopy& copy) {
    const auto count = static_cast<std::size_t>(grid.size_x * grid.size_y * grid.size_z);
    const auto upload = [&](const float*& host, std::size_t floats, DeviceArray<float>& on_device) {
        if (!host) return;
        if (on_device.size() != floats) on_device = DeviceArray<float>(floats);
        if (copy.version != grid.version) {
            memory_->add_host_bytes(on_device.byte_count());
            check_cuda(cudaMemcpyAsync(on_device.data(), host, on_device.byte_count(),
                                       cudaMemcpyHostToDevice, stream()));
        }
        host = on_device.data();
    };
    upload(grid.moves, count * 3, copy.moves);
    upload(grid.samples, count, copy.samples);
    copy.version = grid.version;
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
    grids_.resize(bodies.size());
    for (std::size_t k = 0; k < bodies.size(); ++k)
        if (staged[k].grid.samples) upload_grid(staged[k].grid, grids_[k]);
    placed_bodies_ = bodies_.data() + first;
    memory_->add_host_bytes(bodies.size_bytes());
    check_cuda(cudaMemcpyAsync(placed_bodies_, staged, bodies.size_bytes(), cudaMemcpyHostToDevice,
                               stream()));
    return placed_bodies_;
}

void CudaDevice::push_out(const Channel<3>& x, Channel<3>& v, float radius, float rate,
                          int collider_count) {
    push_vertices_out<<<vertex_grid(strands()), kVertexThreads, 0, stream()>>>(
        strands(), x.on(*this), v.edit_on(*this), radius, rate, placed_bodies_, collider_count);
    check_cuda(cudaGetLastError());
}

bool CudaDevice::couple(const DeviceCoupling& coupling) {
    if (!grid_)
        grid_ = std::make_unique<CudaHairGrid>(coupling.tile_limit, layout().vertex_total());
    const CudaHairGrid::Channels channels{coupling.x->on(*this), coupling.v->edit_on(*this),
                                          coupling.density->edit_on(*this),
                                          coupling.volume->on(*this)};
    return grid_->couple(strands(), coupling, channels, stream());
}

void CudaDevice::mark(int event) {
    while (static_cast<int>(events_.size()) <= event)
        check_cuda(cudaEventCreate(&events_.emplace_back()));
    check_cuda(cudaEventRecord(events_[static_cast<std::size_t>(event)], stream()));
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
