#include "sim/cuda/show.h"

#include <algorithm>

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

__global__ void interpolate(DeviceStrands strands, const float* before, const float* now,
                            float share, float* out) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const Vec3f a = vertex.vec3(before), b = vertex.vec3(now);
    vertex.set_vec3(out, a + (b - a) * share);
}

// The guides' data for interpolating children. Device pointers.
struct GuidesOnDevice {
    const CudaShow::Guide* guides;
    const float *rest, *now;
    GuideMotion* motions;

    __device__ GuideView operator()(int guide) const {
        const CudaShow::Guide own = guides[guide];
        const std::size_t row = static_cast<std::size_t>(own.at.first_row) * kWarp;
        const int lane = own.at.lane;
        return {
            {rest + row * 3 + lane}, {now + row * 3 + lane}, motions + own.first_motion, own.last};
    }
};

struct RootsOnDevice {
    Rigidf head;
    const Rigidf* skin;  // null: the skin is rigid

    __device__ Rigidf of(int strand) const { return skin ? head * skin[strand] : head; }
};

__global__ void bend_skin(NeckBend neck, const float* head_shares, Rigidf* skin, int count) {
    const int root = thread_number();
    if (root < count) skin[root] = neck.skin_motion(head_shares[root]);
}

// One thread per guide, in blocks of one warp: guides are few, and each walks along its strand, so
// that they are spread over as many processors as possible.
__global__ void find_motions(GuidesOnDevice guides, RootsOnDevice roots, int count) {
    const int guide = thread_number();
    if (guide < count) find_guide_motions(guides(guide), roots.of(guide).rotation);
}

__global__ void place_strands(DeviceStrands strands, const CudaShow::Shown* shown,
                              GuidesOnDevice guides, RootsOnDevice roots, const float* rest,
                              float* out) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const int group = thread_number() / kWarp / strands.max_rows;
    const CudaShow::Shown& own = shown[group * kWarp + vertex.lane];
    const int i = vertex.vertex;
    Vec3f p;
    if (own.guide >= 0)
        p = guides(own.guide).now[i];
    else if (i == 0 || own.by.is_rigid())  // a root stays on the skin
        p = apply(roots.of(own.strand), vertex.vec3(rest));
    else
        p = child_vertex(own.by, vertex.vec3(rest), i, vertex.end - 1, guides);
    vertex.set_vec3(out, p);
}

}  // namespace

void CudaShow::show(const DeviceShow& what) {
    if (what.layout->strand_count() == 0) return;
    prepare(what);
    if (has_children_) {
        interpolate_children(what);
        return;
    }
    float* const shown = what.shown->overwrite_on(device_);
    const DeviceStrands strands = device_.layout().strands();
    interpolate<<<vertex_grid(strands), kVertexThreads, 0, device_.stream()>>>(
        strands, what.before->on(device_), what.now->on(device_), what.share, shown);
    check_cuda(cudaGetLastError());
    set_source(what.layout, device_.layout(), what.shown, shown);
}

// Runs once: a device displays one groom.
void CudaShow::prepare(const DeviceShow& what) {
    if (prepared_for_ == what.layout) return;
    prepared_for_ = what.layout;
    has_children_ = what.children != nullptr;
    if (!has_children_) return;
    all_ = &device_.memory().layout_of(what.layout);
    const StrandLayout& of_guides = what.children->guide_rest().layout();
    std::vector<Guide> guides;
    int motions = 0;
    for (int g = 0; g < of_guides.strand_count(); ++g) {
        const int vertices = of_guides.vertex_count(g);
        guides.push_back({device_.layout().slot(of_guides, g), motions, vertices - 1});
        motions += vertices;
    }
    std::vector<Shown> strands(static_cast<std::size_t>(all_->group_count()) * kWarp);
    const auto guide_count = static_cast<std::size_t>(of_guides.strand_count());
    for (int strand = 0; strand < what.layout->strand_count(); ++strand) {
        const auto slot = static_cast<std::size_t>(what.layout->slot_index(strand));
        const auto id = static_cast<std::size_t>(strand);
        strands[slot].strand = strand;
        strands[slot].guide = id < guide_count ? strand : -1;
        if (id >= guide_count) strands[slot].by = what.children->weights()[id - guide_count];
    }
    guides_ = DeviceArray<Guide>(guides.size());
    guides_.upload(guides.data());
    strands_ = DeviceArray<Shown>(strands.size());
    strands_.upload(strands.data());
    interpolated_ = DeviceArray<float>(device_.layout().floats(3, Per::row));
    motions_ = DeviceArray<GuideMotion>(static_cast<std::size_t>(motions));
    if (what.head_shares.empty()) return;
    head_shares_ = DeviceArray<float>(what.head_shares.size());
    head_shares_.upload(what.head_shares.data());
}

// Returns the motion of the skin under each root; null: all roots follow the head.
const Rigidf* CudaShow::move_skin(const DeviceShow& what) {
    const std::size_t count = std::max(what.skin.size(), head_shares_.size());
    if (count == 0) return nullptr;
    if (skin_.size() != count) skin_ = DeviceArray<Rigidf>(count);
    if (head_shares_.size() > 0)
        bend_skin<<<blocks_for(static_cast<std::int64_t>(count)), kVertexThreads, 0,
                    device_.stream()>>>(what.neck, head_shares_.data(), skin_.data(),
                                        static_cast<int>(count));
    else
        check_cuda(cudaMemcpyAsync(skin_.data(), what.skin.data(), skin_.byte_count(),
                                   cudaMemcpyHostToDevice, device_.stream()));
    return skin_.data();
}

void CudaShow::interpolate_children(const DeviceShow& what) {
    const cudaStream_t stream = device_.stream();
    const DeviceStrands simulated = device_.layout().strands();
    interpolate<<<vertex_grid(simulated), kVertexThreads, 0, stream>>>(
        simulated, what.before->on(device_), what.now->on(device_), what.share,
        interpolated_.data());
    const RootsOnDevice roots{what.head, move_skin(what)};
    const GuidesOnDevice guides{guides_.data(), what.children->guide_rest().on(device_),
                                interpolated_.data(), motions_.data()};
    const int guide_count = static_cast<int>(guides_.size());
    find_motions<<<(guide_count + kWarp - 1) / kWarp, kWarp, 0, stream>>>(guides, roots,
                                                                          guide_count);
    const float* const rest = what.rest->on(device_);
    float* const shown = what.shown->overwrite_on(device_);
    place_strands<<<vertex_grid(all_->strands()), kVertexThreads, 0, stream>>>(
        all_->strands(), strands_.data(), guides, roots, rest, shown);
    check_cuda(cudaGetLastError());
    set_source(what.layout, *all_, what.shown, shown);
}

}  // namespace ringlet
