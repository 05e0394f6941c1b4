// How the channels a kernel works on are found. A kernel's Block struct lists its pointers once, in
// visit(); whoever moves or copies them walks that list: from the first block to another, from one
// lane to the next, from the host's memory to a device's.
//
//     template <class Visit> RINGLET_KERNEL void visit(const Visit& visit) {
//         visit(x, 3, Per::row);
//         visit(root, 3, Per::block);
//         visit(scratch, kScratch, Per::run);
//     }
#pragma once

#include "strand/layout.h"

namespace ringlet {

// What a channel has its components for: each row of each block, each block once, or each row of
// whichever block is being worked on (scratch). A null pointer is a channel nobody uses.
enum class Per { row, block, run };

struct GoToBlock {
    std::size_t first_row, block;
    template <class T>
    RINGLET_KERNEL void operator()(T*& at, int components, Per per) const {
        if (!at || per == Per::run) return;
        const std::size_t steps = per == Per::row ? first_row : block;
        at += steps * static_cast<std::size_t>(components * kRowWidth);
    }
};

struct GoToLane {
    int lane;
    template <class T>
    RINGLET_KERNEL void operator()(T*& at, int, Per) const {
        if (at) at += lane;
    }
};

// The block-th block of the layout, where `first` is its first.
template <class Block>
RINGLET_KERNEL Block at_block(Block first, int block, int first_row, int rows) {
    first.visit(GoToBlock{static_cast<std::size_t>(first_row), static_cast<std::size_t>(block)});
    first.rows = rows;
    return first;
}

template <class Block>
RINGLET_KERNEL void give_scratch(Block& block, float* at) {
    if constexpr (Block::kScratch > 0) block.scratch = at;
}

// The block seen from its lane-th strand on.
template <class Block>
RINGLET_KERNEL Block from_lane(Block block, int lane) {
    block.visit(GoToLane{lane});
    return block;
}

}  // namespace ringlet
