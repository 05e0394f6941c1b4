#include "sim/cuda/show.h"

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

constexpr int kThreads = 128;

int blocks_for(std::size_t threads) {
    return static_cast<int>((threads + kThreads - 1) / kThreads);
}

__device__ int thread_number() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

__global__ void go_between(DeviceStrands strands, const float* before, const float* now,
                           float share, float* out) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const Vec3f a = vertex.vec3(before), b = vertex.vec3(now);
    vertex.set_vec3(out, a + (b - a) * share);
}

// What children need to know of their guides; pointers on the device.
struct GuidesOnDevice {
    const CudaShow::Guide* guides;
    const float *rest, *now;
    float* turns;

    __device__ GuideRows operator()(int guide) const {
        const CudaShow::Guide own = guides[guide];
        const std::size_t row = static_cast<std::size_t>(own.at.first_row) * kWarp;
        const int lane = own.at.lane;
        return {{rest + row * 3 + lane}, {now + row * 3 + lane}, turns + row * 4 + lane, own.last};
    }
};

struct RootsOnDevice {
    Rigidf head;
    const Rigidf* skin;  // null: it keeps its shape

    __device__ Rigidf of(int strand) const { return skin ? head * skin[strand] : head; }
};

// One thread a guide; neighbours in number are not neighbours in memory, but guides are few.
__global__ void turn_guides(GuidesOnDevice guides, RootsOnDevice roots, int count) {
    const int guide = thread_number();
    if (guide < count) turn_guide(guides(guide), roots.of(guide).rotation);
}

__global__ void place_strands(DeviceStrands strands, const CudaShow::Shown* shown,
                              GuidesOnDevice guides, RootsOnDevice roots, const float* rest,
                              float* out) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const int group = thread_number() / kWarp / strands.most_rows;
    const CudaShow::Shown& own = shown[group * kWarp + vertex.lane];
    const int i = vertex.vertex;
    Vec3f p;
    if (own.guide >= 0)
        p = guides(own.guide).now[i];
    else if (i == 0)  // stays on the skin, whatever its guides do
        p = apply(roots.of(own.strand), vertex.vec3(rest));
    else
        p = carried(own.by, vertex.vec3(rest), i, vertex.end - 1, guides);
    vertex.set_vec3(out, p);
}

// Whole numbers in the order of the floats.
RINGLET_KERNEL std::int32_t order_of(float a) {
    const std::int32_t bits = bits_of(a);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}
RINGLET_KERNEL float in_order(std::int32_t order) {
    return from_bits(order < 0 ? order ^ 0x7fffffff : order);
}

__device__ bool is_in_reach(Vec3f p, float reach) {
    return abs(p.x) < reach && abs(p.y) < reach && abs(p.z) < reach;
}

// One thread a strand. `box`: the lowest corner, then the highest, in order_of.
__global__ void find_box(DeviceStrands strands, const float* x, float reach, std::int32_t* box) {
    __shared__ std::int32_t own[6];
    const int group = thread_number() / kWarp, lane = thread_number() % kWarp;
    if (threadIdx.x < 6) own[threadIdx.x] = order_of(threadIdx.x < 3 ? reach : -reach);
    __syncthreads();
    Vec3f low{reach, reach, reach}, high = -low;
    DeviceVertex vertex = vertex_of(strands, group, 0, lane);
    if (vertex.exists && is_in_reach(vertex.vec3(x), reach))
        for (int i = 0; i < vertex.end; ++i, ++vertex.row) {
            const Vec3f p = vertex.vec3(x);
            if (!is_in_reach(p, reach)) continue;
            low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
            high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
        }
    const std::int32_t found[6] = {order_of(low.x),  order_of(low.y),  order_of(low.z),
                                   order_of(high.x), order_of(high.y), order_of(high.z)};
    for (int k = 0; k < 6; ++k) {
        std::int32_t best = found[k];
        for (int step = kWarp / 2; step > 0; step /= 2) {
            const std::int32_t other = __shfl_xor_sync(0xffffffffu, best, step);
            best = (k < 3) == (other < best) ? other : best;
        }
        if (lane != 0) continue;
        if (k < 3)
            atomicMin(&own[k], best);
        else
            atomicMax(&own[k], best);
    }
    __syncthreads();
    if (threadIdx.x < 3)
        atomicMin(&box[threadIdx.x], own[threadIdx.x]);
    else if (threadIdx.x < 6)
        atomicMax(&box[threadIdx.x], own[threadIdx.x]);
}

__global__ void pick_vertices(const DeviceLayout::Place* places, int count, const float* x,
                              Vec3f* out) {
    const int n = thread_number();
    if (n >= count) return;
    const DeviceLayout::Place at = places[n];
    out[n] =
        load_vec3<float>(x + static_cast<std::size_t>(at.first_row) * 3 * kWarp + at.lane, kWarp);
}

}  // namespace

void CudaShow::show(const DeviceShow& what) {
    if (what.layout->strand_count() == 0) return;
    learn(what);
    if (has_children_) {
        spread(what);
        return;
    }
    shown_ = device_.mirror(what.shown, 3, Per::row, true);
    const DeviceStrands strands = device_.layout().strands();
    go_between<<<vertex_grid(strands), kVertexThreads, 0, device_.stream()>>>(
        strands, device_.mirror(what.before, 3, Per::row, false),
        device_.mirror(what.now, 3, Per::row, false), what.share, shown_);
    check_cuda(cudaGetLastError());
}

// A device shows one groom; a further one has a device of its own.
void CudaShow::learn(const DeviceShow& what) {
    host_ = what.shown;
    if (shown_layout_ == what.layout) return;
    shown_layout_ = what.layout;
    stride_ = 0;
    has_children_ = what.children != nullptr;
    if (!has_children_) return;
    all_ = DeviceLayout(*what.layout);
    const StrandLayout& of_guides = what.children->guide_rest().layout();
    std::vector<Guide> guides;
    for (int g = 0; g < of_guides.strand_count(); ++g)
        guides.push_back({device_.layout().place(of_guides, g), of_guides.vertex_count(g) - 1});
    std::vector<Shown> strands(static_cast<std::size_t>(all_.group_count()) * kWarp);
    const auto guide_count = static_cast<std::size_t>(of_guides.strand_count());
    for (std::size_t slot = 0; slot < strands.size(); ++slot) {
        const int block = static_cast<int>(slot) / kLanes, lane = static_cast<int>(slot) % kLanes;
        if (block >= what.layout->block_count()) continue;
        const int strand = what.layout->strand_at(block, lane);
        if (strand < 0) continue;
        const auto id = static_cast<std::size_t>(strand);
        strands[slot].strand = strand;
        strands[slot].guide = id < guide_count ? strand : -1;
        if (id >= guide_count) strands[slot].by = what.children->weights()[id - guide_count];
    }
    guides_ = DeviceArray<Guide>(guides.size());
    guides_.send(guides.data());
    strands_ = DeviceArray<Shown>(strands.size());
    strands_.send(strands.data());
    between_ = DeviceArray<float>(device_.layout().floats(3, Per::row));
    turns_ = DeviceArray<float>(device_.layout().floats(4, Per::row));
}

void CudaShow::spread(const DeviceShow& what) {
    const cudaStream_t stream = device_.stream();
    const DeviceStrands simulated = device_.layout().strands();
    go_between<<<vertex_grid(simulated), kVertexThreads, 0, stream>>>(
        simulated, device_.mirror(what.before, 3, Per::row, false),
        device_.mirror(what.now, 3, Per::row, false), what.share, between_.data());
    RootsOnDevice roots{what.head, nullptr};
    if (!what.skin.empty()) {
        if (skin_.size() != what.skin.size()) skin_ = DeviceArray<Rigidf>(what.skin.size());
        check_cuda(cudaMemcpyAsync(skin_.data(), what.skin.data(), skin_.byte_count(),
                                   cudaMemcpyHostToDevice, stream));
        roots.skin = skin_.data();
    }
    const GuidesOnDevice guides{
        guides_.data(), device_.mirror(what.children->guide_rest().block(0), 3, Per::row, false),
        between_.data(), turns_.data()};
    turn_guides<<<blocks_for(guides_.size()), kThreads, 0, stream>>>(
        guides, roots, static_cast<int>(guides_.size()));
    const float* const rest = device_.mirror_in(all_, what.rest, 3, Per::row, false);
    shown_ = device_.mirror_in(all_, what.shown, 3, Per::row, true);
    place_strands<<<vertex_grid(all_.strands()), kVertexThreads, 0, stream>>>(
        all_.strands(), strands_.data(), guides, roots, rest, shown_);
    check_cuda(cudaGetLastError());
}

const DeviceLayout& CudaShow::layout() const { return has_children_ ? all_ : device_.layout(); }

void CudaShow::choose_sample(int stride) {
    if (stride_ == stride) return;
    stride_ = stride;
    std::vector<DeviceLayout::Place> places;
    for (int strand = 0; strand < shown_layout_->strand_count(); strand += stride) {
        const DeviceLayout::Place root = layout().place(*shown_layout_, strand);
        for (int i = 0; i < shown_layout_->vertex_count(strand); ++i)
            places.push_back({root.first_row + i, root.lane});
    }
    sample_places_ = DeviceArray<DeviceLayout::Place>(places.size());
    sample_places_.send(places.data());
    sample_ = DeviceArray<Vec3f>(places.size());
}

void CudaShow::survey(float reach, int stride, StrandSurvey& out) {
    const cudaStream_t stream = device_.stream();
    std::int32_t box[6];
    for (int k = 0; k < 6; ++k) box[k] = order_of(k < 3 ? reach : -reach);
    check_cuda(cudaMemcpyAsync(box_.data(), box, sizeof box, cudaMemcpyHostToDevice, stream));
    const DeviceStrands strands = layout().strands();
    find_box<<<blocks_for(static_cast<std::size_t>(strands.group_count) * kWarp), kThreads, 0,
               stream>>>(strands, shown_, reach, box_.data());
    choose_sample(stride);
    out.sample.resize(sample_.size());
    pick_vertices<<<blocks_for(sample_.size()), kThreads, 0, stream>>>(
        sample_places_.data(), static_cast<int>(sample_.size()), shown_, sample_.data());
    check_cuda(cudaGetLastError());
    check_cuda(cudaMemcpyAsync(box, box_.data(), sizeof box, cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaMemcpyAsync(out.sample.data(), sample_.data(), sample_.byte_count(),
                               cudaMemcpyDeviceToHost, stream));
    device_.finish();
    out.low = {in_order(box[0]), in_order(box[1]), in_order(box[2])};
    out.high = {in_order(box[3]), in_order(box[4]), in_order(box[5])};
}

void CudaShow::fetch() { device_.fetch(host_); }

}  // namespace ringlet
