// Marks a function that runs per lane on the CPU and per thread on the GPU from the same text.
//
// Always inlined: the kernels are compiled several times for different instruction sets, and an
// out-of-line copy of a shared function, compiled for AVX2, could be picked by the linker for all.
#pragma once

#ifdef __CUDACC__
#define RINGLET_KERNEL __host__ __device__ __forceinline__
#define RINGLET_OUTLINED __host__ __device__ __forceinline__
#else
#define RINGLET_KERNEL __attribute__((always_inline)) inline
// For long templates over the lane type that are called rarely: one copy per lane type is enough,
// and each lane type is compiled for one instruction set only.
#define RINGLET_OUTLINED __attribute__((noinline))
#endif
