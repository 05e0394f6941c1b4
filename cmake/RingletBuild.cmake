# Flags and helpers shared by every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
# The same objects go into programs, static and shared libraries. Hidden symbols cost nothing when code
# is position-independent.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)
endif()
# Assertions are ours (RINGLET_ASSERTIONS), so Release is plain -O3.
set(CMAKE_CXX_FLAGS_RELEASE "-O3")

# ccache serves files with precompiled headers only if it may ignore macros and dates inside them. Paths
# relative to the sources let one clone use what another compiled.
find_program(CCACHE ccache)
if(CCACHE)
    set(RINGLET_CCACHE env CCACHE_SLOPPINESS=pch_defines,time_macros
        CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true ${CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${RINGLET_CCACHE})
endif()
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)

add_library(ringlet_flags INTERFACE)
# Same bits: the compiler may neither fuse nor reorder floating-point operations.
target_compile_options(ringlet_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off
    -fno-fast-math -fno-math-errno -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-psabi>)
target_compile_options(ringlet_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false
    --prec-div=true --prec-sqrt=true --ftz=false -Xcompiler=-ffp-contract=off>)
# GCC 12 sees overlaps in std::string operator+ that are not there (GCC bug 105651).
target_compile_options(ringlet_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
# Clang's -Wconversion also reports changes of sign, which GCC's does not.
target_compile_options(ringlet_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-sign-conversion>)
# In joined files it also reports a local name that another of them has in its anonymous namespace.
if(RINGLET_JOIN_FILES)
    target_compile_options(ringlet_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-shadow>)
endif()
target_compile_definitions(ringlet_flags INTERFACE
    RINGLET_ASSERTIONS=$<BOOL:${RINGLET_ASSERTIONS}>)
# GCC 13 ignores a precompiled header where the optimization level differs. That costs only time.
set(CMAKE_PCH_WARN_INVALID OFF)
if(RINGLET_WARNINGS_AS_ERRORS)
    target_compile_options(ringlet_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Werror>
        $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(RINGLET_SANITIZE_ADDRESS)
    # ASan finds null pointers too; UBSan's own checks of every pointer cost a third of the build.
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
        -fno-sanitize=null,vptr,object-size,nonnull-attribute,returns-nonnull-attribute)
    add_link_options(-fsanitize=address,undefined)
    # GCC defines this macro itself.
    if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
        add_compile_definitions(__SANITIZE_ADDRESS__)
    endif()
    # Clang reports numbers that no integer can hold, which a lane whose result is not used may convert.
    if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND NOT RINGLET_FUZZ)
        add_compile_options(-fno-sanitize=float-cast-overflow)
    endif()
endif()
if(RINGLET_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(RINGLET_SANITIZE_THREAD)
    add_compile_options(-fsanitize=thread)
    add_link_options(-fsanitize=thread)
endif()

# TSan does not see how TBB, which is compiled without it, orders its tasks.
set(RINGLET_WITH_TBB ON)
if(RINGLET_KERNELS_ONLY OR RINGLET_SANITIZE_THREAD)
    set(RINGLET_WITH_TBB OFF)
endif()

# The standard headers that most files include, parsed once. Names in <> only: with a path inside,
# ccache could not share the result between clones. ccache needs -fpch-preprocess to look inside.
# A file still includes what it uses: tools/check_style.py checks it. With them, GCC 12 reports overflows
# in std::string that do not exist (GCC bug 105651).
add_library(ringlet_std OBJECT ${CMAKE_CURRENT_LIST_DIR}/std_headers.cpp)
target_link_libraries(ringlet_std PRIVATE ringlet_flags)
target_precompile_headers(ringlet_std PRIVATE <algorithm> <array> <cmath> <cstdint> <cstring>
    <filesystem> <functional> <map> <memory> <optional> <span> <string> <string_view> <utility> <vector>)
function(ringlet_use_std_headers TARGET)
    target_precompile_headers(${TARGET} REUSE_FROM ringlet_std)
    target_compile_options(${TARGET} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess
        -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
endfunction()

# Kernels are compiled once per lane kind. RINGLET_NATIVE_LANES is the kind that runs here
# (math/lane_choice.h).
file(STRINGS /proc/cpuinfo processor REGEX "^flags" LIMIT_COUNT 1)
if(RINGLET_SANITIZE_ADDRESS OR RINGLET_SANITIZE_THREAD)
    set(RINGLET_NATIVE_LANES scalar)
elseif(processor MATCHES avx512vl AND processor MATCHES avx512dq)
    set(RINGLET_NATIVE_LANES avx512)
elseif(processor MATCHES avx2)
    set(RINGLET_NATIVE_LANES avx2)
else()
    set(RINGLET_NATIVE_LANES wide8)
endif()

# The lane types are separate types (math/wide8.h), so that files compiled for different instruction
# sets share no symbol. On other processors the flags are missing, and these kinds are never chosen.
set(RINGLET_LANE_TYPE_scalar float)
set(RINGLET_LANE_TYPE_wide8 Wide8<IsaPortable>)
set(RINGLET_LANE_TYPE_avx2 Wide8<IsaAvx2>)
set(RINGLET_LANE_TYPE_avx512 Wide8<IsaAvx512>)
set(RINGLET_LANE_TYPE_counted Counted)
set(not_optimized -O0 -fno-sanitize=all -DRINGLET_CALLED_KERNELS)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(RINGLET_LANE_FLAGS_avx2 -mavx2)
    set(RINGLET_LANE_FLAGS_avx512 -mavx2 -mavx512f -mavx512vl -mavx512dq -mprefer-vector-width=256)
    # Portable vectors serve processors without AVX2 only, and GCC needs most of a build's time to
    # optimize them fully.
    if(RINGLET_LANES STREQUAL ALL)
        set(RINGLET_LANE_FLAGS_wide8 -O1)
    endif()
endif()
# -Og compiles portable vectors in less than half of the time of -O1.
foreach(lanes scalar wide8)
    if(RINGLET_LANES STREQUAL CHECK AND NOT lanes STREQUAL RINGLET_NATIVE_LANES)
        set(RINGLET_LANE_FLAGS_${lanes} -Og)
    endif()
endforeach()
# GCC spends a fifth of a build on the optimization of copies that this processor never runs. Copies
# that are not optimized do without instruction sets, so that the linker may mix them (math/kernel.h).
foreach(lanes scalar wide8 avx2 avx512)
    if(RINGLET_LANES STREQUAL NATIVE AND NOT lanes STREQUAL RINGLET_NATIVE_LANES)
        set(RINGLET_LANE_FLAGS_${lanes} ${not_optimized})
    endif()
endforeach()
# The counted copies only count operations, and take GCC four times as long when optimized.
set(RINGLET_LANE_FLAGS_counted ${not_optimized})

# ringlet_add_instantiation(TARGET TEMPLATE NAME LANES LANE_TYPE): writes the source file NAME_LANES.cpp
# from TEMPLATE, in which grep and a debugger find the instantiation, and adds it to TARGET with the
# flags of a lane kind. TEMPLATE may use LANE_TYPE and the variables of the caller.
function(ringlet_add_instantiation TARGET TEMPLATE NAME LANES LANE_TYPE)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/kernels/${NAME}_${LANES}.cpp)
    configure_file(${TEMPLATE} ${file} @ONLY)
    target_sources(${TARGET} PRIVATE ${file})
    set_source_files_properties(${file} TARGET_DIRECTORY ${TARGET} PROPERTIES COMPILE_OPTIONS
        "${RINGLET_LANE_FLAGS_${LANES}}" SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Compiles a target, in which a running program spends little time, a third faster than -O3 does.
function(ringlet_compile_quickly TARGET)
    target_compile_options(${TARGET} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Compiles eight files of a target as one, or another number: most of a file's time goes into headers.
# Files with flags of their own stay alone. Two files of the target cannot use one name in anonymous
# namespaces.
function(ringlet_join_files TARGET)
    set(count ${ARGN} 8)
    list(GET count 0 count)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${RINGLET_JOIN_FILES} UNITY_BUILD_BATCH_SIZE ${count})
    # GCC takes each joined file for a header, whose types should not use anonymous namespaces.
    target_compile_options(${TARGET} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# ringlet_module(NAME SOURCES ... USES other modules ... LINKS third-party targets ...)
# One static library per folder of src/. Third-party headers stay private to the module.
function(ringlet_module NAME)
    cmake_parse_arguments(ARG "" "" "SOURCES;USES;LINKS" ${ARGN})
    add_library(ringlet_${NAME} STATIC ${ARG_SOURCES})
    target_include_directories(ringlet_${NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
    list(TRANSFORM ARG_USES PREPEND ringlet_)
    target_link_libraries(ringlet_${NAME} PUBLIC ${ARG_USES} PRIVATE ringlet_flags ${ARG_LINKS})
    ringlet_use_std_headers(ringlet_${NAME})
endfunction()
