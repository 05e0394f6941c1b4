# The CUDA compiler, if there is one: sets RINGLET_HAS_CUDA and how kernels are compiled.
include(CheckLanguage)
if(NOT CMAKE_CUDA_COMPILER AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    message(STATUS "no CUDA compiler found: the backend `cuda` is left out")
    return()
endif()
# Machine code for the GPU of this machine. Without one, intermediate code that a driver compiles at
# the first start, for any GPU from Turing on. Kernels prefetch rows from Ampere on
# (strand/row_stream.h); with the code for Turing, rods on an H200 take half as long again.
if(RINGLET_CUDA STREQUAL CHECK)
    set(CMAKE_CUDA_ARCHITECTURES 80-virtual)
    add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcicc=-O0>)
elseif(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    if(EXISTS /dev/nvidiactl)
        set(CMAKE_CUDA_ARCHITECTURES native)
    else()
        set(CMAKE_CUDA_ARCHITECTURES 75-virtual 80-virtual)
    endif()
endif()
enable_language(CUDA)
# CMake 3.25 does not know that newer compilers do.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
endif()
set(CMAKE_CUDA_STANDARD 20)
# The program runs where there is no CUDA at all, and says so when asked for it.
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
set(RINGLET_HAS_CUDA ON)
set(CMAKE_CUDA_COMPILER_LAUNCHER ${RINGLET_CCACHE})
