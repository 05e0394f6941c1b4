// The moving strands: what every model advances and what is hashed, cached and drawn.
#pragma once

#include "strand/strand_set.h"

namespace ringlet {

struct SimState {
    Channel<3> x;  // m
    Channel<3> v;  // m/s
};

}  // namespace ringlet
