#include "sim/cuda/cuda_memory.h"

#include "sim/cuda/cuda_device.h"

namespace ringlet {

namespace {

__global__ void count_strands_above(DeviceStrands strands, const float* values, float limit,
                                    int* count) {
    const int slot = thread_number();
    const bool counts =
        slot < strands.group_count * kWarp && strands.ends[slot] > 0 && values[slot] > limit;
    const unsigned found = __ballot_sync(0xffffffffu, counts);
    if (found != 0 && slot % kWarp == 0) atomicAdd(count, __popc(found));
}

}  // namespace

CudaMemory::CudaMemory() { check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }

CudaMemory::~CudaMemory() {
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
}

const DeviceLayout& CudaMemory::layout_of(const LayoutRef& layout) {
    for (const Known& known : layouts_)
        if (known.host == layout) return *known.device;
    layouts_.push_back({layout, std::make_unique<DeviceLayout>(*layout)});
    return *layouts_.back().device;
}

float* CudaMemory::staging(std::size_t floats) {
    if (staging_.size() < floats) {
        finish();  // launches may still use it
        staging_ = DeviceArray<float>(floats);
    }
    return staging_.data();
}

int CudaMemory::count_above(const DeviceLayout& layout, const float* values, float limit) {
    const DeviceStrands strands = layout.strands();
    if (strands.group_count == 0) return 0;
    check_cuda(cudaMemsetAsync(count_.data(), 0, count_.byte_count(), stream_));
    count_strands_above<<<blocks_for(std::int64_t{strands.group_count} * kWarp), kVertexThreads, 0,
                          stream_>>>(strands, values, limit, count_.data());
    check_cuda(cudaGetLastError());
    int count = 0;
    add_host_bytes(sizeof count);
    check_cuda(
        cudaMemcpyAsync(&count, count_.data(), sizeof count, cudaMemcpyDeviceToHost, stream_));
    finish();
    return count;
}

CudaBuffer::CudaBuffer(std::shared_ptr<CudaMemory> memory, const LayoutRef& layout, int components,
                       Per per)
    : memory_(std::move(memory)),
      layout_(memory_->layout_of(layout)),
      components_(components),
      per_(per),
      data_(zeroed()) {}

bool CudaBuffer::belongs_to(const DeviceMemory& memory) const {
    const auto* const cuda = dynamic_cast<const CudaDevice*>(&memory);
    return cuda && &cuda->memory() == memory_.get();
}

DeviceArray<float> CudaBuffer::zeroed() const {
    DeviceArray<float> out(layout_.floats(components_, per_));
    check_cuda(cudaMemsetAsync(out.data(), 0, out.byte_count(), memory_->stream()));
    return out;
}

float* CudaBuffer::second() {
    if (second_.size() != data_.size()) second_ = zeroed();
    return second_.data();
}

void CudaBuffer::upload(const float* host) {
    memory_->add_host_bytes(host_floats() * sizeof(float));
    float* const staging = memory_->staging(host_floats());
    check_cuda(cudaMemcpyAsync(staging, host, host_floats() * sizeof(float), cudaMemcpyHostToDevice,
                               memory_->stream()));
    layout_.reorder(components_, per_, staging, data_.data(), true, memory_->stream());
}

void CudaBuffer::download(float* host) {
    memory_->add_host_bytes(host_floats() * sizeof(float));
    float* const staging = memory_->staging(host_floats());
    layout_.reorder(components_, per_, staging, data_.data(), false, memory_->stream());
    check_cuda(cudaMemcpyAsync(host, staging, host_floats() * sizeof(float), cudaMemcpyDeviceToHost,
                               memory_->stream()));
    memory_->finish();
}

int CudaBuffer::count_above(float limit) {
    return memory_->count_above(layout_, data_.data(), limit);
}

void CudaBuffer::fill_with_zeros() {
    check_cuda(cudaMemsetAsync(data_.data(), 0, data_.byte_count(), memory_->stream()));
}

}  // namespace ringlet
