// The state of the simulated strands, which every model advances.
#pragma once

#include "strand/strand_set.h"

namespace ringlet {

struct SimState {
    Channel<3> x;  // m
    Channel<3> v;  // m/s
};

}  // namespace ringlet
