// The public boundary: turns exceptions into Errors, so that none leaves the library.
#pragma once

#include "base/parallel.h"
#include "base/ranks.h"
#include "ringlet/progress.h"
#include "ringlet/result.h"

namespace ringlet {

// Describes the exception that is being handled. Call it from the catch (...) of a public function:
//
//     Result<Session> open(...) try {
//         ...
//     } catch (...) {
//         return error_from_exception();
//     }
Error error_from_exception();

// While it exists, the listener can stop the loops of a pool, which then throw Stopped. With
// several ranks it cannot, because the others would wait for the rest of the loop's work.
class StopScope {
public:
    StopScope(TaskPool& pool, const Listener& listener) : pool_(pool) {
        if (!process_ranks()) pool.stop_when(listener.stop_requested);
    }
    ~StopScope() { pool_.stop_when({}); }
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;

private:
    TaskPool& pool_;
};

}  // namespace ringlet
