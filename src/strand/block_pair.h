// Interleaves the rows of two blocks into rows of twice the width, for lane types with the lanes of
// both blocks (rows.h).
#pragma once

#include "strand/layout.h"

namespace ringlet {

struct BlockPair {
    float* at;  // memory for the next rows

    // Returns memory for that many rows.
    RINGLET_KERNEL float* reserve(int rows) {
        float* const out = at;
        at += 2 * rows * kLanes;
        return out;
    }
    // Interleaves rows of the blocks a and b.
    RINGLET_KERNEL float* interleave(const float* a, const float* b, int rows) {
        float* const to = reserve(rows);
        for (int i = 0; i < rows; ++i) {
            std::memcpy(to + 2 * i * kLanes, a + i * kLanes, kLanes * sizeof(float));
            std::memcpy(to + (2 * i + 1) * kLanes, b + i * kLanes, kLanes * sizeof(float));
        }
        return to;
    }
    // The inverse of interleave().
    RINGLET_KERNEL static void separate(const float* from, float* a, float* b, int rows) {
        for (int i = 0; i < rows; ++i) {
            std::memcpy(a + i * kLanes, from + 2 * i * kLanes, kLanes * sizeof(float));
            std::memcpy(b + i * kLanes, from + (2 * i + 1) * kLanes, kLanes * sizeof(float));
        }
    }
};

}  // namespace ringlet
