// An array in device memory that frees itself.
#pragma once

#include <utility>

#include "sim/cuda/check.h"

namespace ringlet {

template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t count) : count_(count) {
        if (count > 0) check_cuda(cudaMalloc(reinterpret_cast<void**>(&data_), byte_count()));
    }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(DeviceArray&& other) noexcept { swap(other); }
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        swap(other);
        return *this;
    }

    T* data() const { return data_; }
    std::size_t size() const { return count_; }
    std::size_t byte_count() const { return count_ * sizeof(T); }

    // Copies from the host; blocks until the copy is done.
    void upload(const T* from) {
        if (count_ > 0) check_cuda(cudaMemcpy(data_, from, byte_count(), cudaMemcpyHostToDevice));
    }

private:
    void swap(DeviceArray& other) {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
    }

    T* data_ = nullptr;
    std::size_t count_ = 0;
};

}  // namespace ringlet
