// The boundary of ringlet::sim: turns exceptions into Errors, so that none leaves the library.
#pragma once

#include "ringlet/result.h"

namespace ringlet {

// Describes the exception that is being handled. Call it from a catch (...). Allocates nothing if
// memory ran out.
Error sim_error_from_exception();

// The Error of a HairSim whose last step failed.
const Error& lost_state();

}  // namespace ringlet
