// Marks a function that runs per lane on the CPU and per thread on the GPU from the same text.
//
// Always inlined: the kernels are compiled several times for different instruction sets, and an
// out-of-line copy of a shared function, compiled for AVX2, could be picked by the linker for all.
#pragma once

#ifdef __CUDACC__
#define RINGLET_KERNEL __host__ __device__ inline
#else
#define RINGLET_KERNEL __attribute__((always_inline)) inline
#endif
