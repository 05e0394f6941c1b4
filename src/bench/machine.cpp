#include "bench/machine.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "bench/peak.h"

namespace ringlet::speed {

namespace {

constexpr int kRepeats = 9;

double clock_seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double best_rate(PeakLoop loop) {
    double best = 0;
    for (int n = 0; n < kRepeats; ++n) {
        float sink = 0;
        const double start = thread_seconds();
        const double operations = loop(1 << 20, &sink);
        best = std::max(best, operations / (thread_seconds() - start));
    }
    return best * 1e-9;
}

}  // namespace

double thread_seconds() { return clock_seconds(CLOCK_THREAD_CPUTIME_ID); }
double process_seconds() { return clock_seconds(CLOCK_PROCESS_CPUTIME_ID); }
double wall_seconds() { return clock_seconds(CLOCK_MONOTONIC); }

PeakRate measure_peak_rate() {
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return {best_rate(peak_portable), 0};
#endif
    return {best_rate(peak_avx2), best_rate(peak_fma)};
}

double measure_bandwidth() {
    constexpr std::size_t kFloats = 16 << 20;
    std::vector<float> a(kFloats, 0), b(kFloats, 1), c(kFloats, 2);
    double best = 0;
    for (int n = 0; n < kRepeats; ++n) {
        const float scale = static_cast<float>(n);
        const double start = thread_seconds();
        for (std::size_t i = 0; i < kFloats; ++i) a[i] = b[i] + scale * c[i];
        best = std::max(best, 3.0 * kFloats * sizeof(float) / (thread_seconds() - start));
        std::swap(a, b);
    }
    return best * 1e-9;
}

void reset_peak_memory() {
    if (std::FILE* file = std::fopen("/proc/self/clear_refs", "w")) {
        std::fputs("5", file);
        std::fclose(file);
    }
}

std::int64_t peak_memory() {
    long long kilobytes = -1;
    if (std::FILE* file = std::fopen("/proc/self/status", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, file))
            if (std::sscanf(line, "VmHWM: %lld", &kilobytes) == 1) break;
        std::fclose(file);
    }
    if (kilobytes >= 0) return kilobytes * 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace ringlet::speed
