// Access to the channels of a kernel. A kernel's Block struct lists its channel pointers once, in
// visit(). That list is used to advance all pointers to another block or lane and to replace host
// pointers by device pointers.
//
//     template <class Visit> RINGLET_KERNEL void visit(const Visit& visit) {
//         visit(x, 3, Per::row);
//         visit(root, 3, Per::block);
//         visit(scratch, kScratch, Per::run);
//     }
#pragma once

#include "strand/layout.h"

namespace ringlet {

struct AdvanceToBlock {
    std::size_t first_row, block;
    template <class T>
    RINGLET_KERNEL void operator()(T*& at, int components, Per per) const {
        if (!at || per == Per::run) return;
        const std::size_t steps = per == Per::row ? first_row : block;
        at += steps * static_cast<std::size_t>(components * kRowWidth);
    }
};

struct AdvanceToLane {
    int lane;
    template <class T>
    RINGLET_KERNEL void operator()(T*& at, int, Per) const {
        if (at) at += lane;
    }
};

// Returns the given block; `first` points at the layout's first block.
template <class Block>
RINGLET_KERNEL Block at_block(Block first, int block, int first_row, int rows) {
    first.visit(
        AdvanceToBlock{static_cast<std::size_t>(first_row), static_cast<std::size_t>(block)});
    first.rows = rows;
    return first;
}

// Returns the block with all pointers advanced to the given lane.
template <class Block>
RINGLET_KERNEL Block from_lane(Block block, int lane) {
    block.visit(AdvanceToLane{lane});
    return block;
}

}  // namespace ringlet
