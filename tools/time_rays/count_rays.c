// Counts the rays that a program traces with Embree, and the time within Embree. Loaded before the
// program (LD_PRELOAD) by time_rays; writes one line to the file $RAY_COUNTS when the program ends:
// the number of rays, and the mean time of one in seconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <embree3/rtcore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_ulong rays, timed_rays, nanoseconds;
static unsigned long clock_nanoseconds;  // of one call of now()
static void (*intersect)(RTCScene, struct RTCIntersectContext*, struct RTCRayHit*);
static void (*occluded)(RTCScene, struct RTCIntersectContext*, struct RTCRay*);

static unsigned long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (unsigned long)t.tv_sec * 1000000000ul + (unsigned long)t.tv_nsec;
}

// Every 16th ray of a thread is timed, because reading the clock takes a part of a ray's time. Rays
// that take longer than any ray does were interrupted by other programs and do not count.
enum { kTimed = 16, kInterrupted = 100000, kOften = 1024 };
static _Thread_local unsigned number;
static _Thread_local unsigned long own_rays, own_timed, own_nanoseconds;

static void note(unsigned long start) {
    if (start != 0) {
        const unsigned long spent = now() - start;
        if (spent < kInterrupted) {
            own_nanoseconds += spent > clock_nanoseconds ? spent - clock_nanoseconds : 0;
            ++own_timed;
        }
    }
    if (++own_rays < kOften) return;
    atomic_fetch_add(&rays, own_rays);
    atomic_fetch_add(&timed_rays, own_timed);
    atomic_fetch_add(&nanoseconds, own_nanoseconds);
    own_rays = own_timed = own_nanoseconds = 0;
}

static unsigned long start_of_ray(void) { return number++ % kTimed == 0 ? now() : 0; }

__attribute__((constructor)) static void prepare(void) {
    clock_nanoseconds = ~0ul;
    for (int i = 0; i < 1000; ++i) {
        const unsigned long start = now(), spent = now() - start;
        if (spent < clock_nanoseconds) clock_nanoseconds = spent;
    }
    intersect = dlsym(RTLD_NEXT, "rtcIntersect1");
    occluded = dlsym(RTLD_NEXT, "rtcOccluded1");
}

void rtcIntersect1(RTCScene scene, struct RTCIntersectContext* context, struct RTCRayHit* ray) {
    const unsigned long start = start_of_ray();
    intersect(scene, context, ray);
    note(start);
}

void rtcOccluded1(RTCScene scene, struct RTCIntersectContext* context, struct RTCRay* ray) {
    const unsigned long start = start_of_ray();
    occluded(scene, context, ray);
    note(start);
}

__attribute__((destructor)) static void write_counts(void) {
    const char* const path = getenv("RAY_COUNTS");
    FILE* const file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    const double timed = (double)atomic_load(&timed_rays);
    fprintf(file, "%lu %.9f\n", atomic_load(&rays),
            timed > 0 ? 1e-9 * (double)atomic_load(&nanoseconds) / timed : 0.0);
    fclose(file);
}
