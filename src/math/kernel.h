// RINGLET_KERNEL marks a function that runs per lane on the CPU and per thread on the GPU.
//
// Such functions are always inlined. Kernels are compiled several times for different instruction
// sets; the linker could otherwise pick one out-of-line copy, compiled for AVX2, for all of them.
#pragma once

#ifdef __CUDACC__
#define RINGLET_KERNEL __host__ __device__ __forceinline__
#define RINGLET_OUTLINED __host__ __device__ __forceinline__
#else
#ifdef RINGLET_CALLED_KERNELS
// GCC compiles calls six times as fast. For copies that are not optimized: all of them use the
// basic instruction set, so that the linker may pick any (cmake/RingletBuild.cmake).
#define RINGLET_KERNEL inline
#else
#define RINGLET_KERNEL __attribute__((always_inline)) inline
#endif
// Marks long templates over the lane type that are called rarely. They need no inlining: each lane
// type is compiled for one instruction set only.
#define RINGLET_OUTLINED __attribute__((noinline))
#endif
