#include "sim_api/boundary.h"

#include <exception>
#include <new>
#include <stdexcept>

namespace ringlet {

Error sim_error_from_exception() {
    const char* const out_of_memory = "out of memory";  // short enough to need no allocation
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return Error{out_of_memory};
    } catch (const std::length_error&) {
        return Error{out_of_memory};
    } catch (const std::exception& error) {
        try {
            return Error{error.what()};
        } catch (...) {
            return Error{out_of_memory};
        }
    } catch (...) {
        return Error{"unknown fault"};
    }
}

const Error& lost_state() {
    static const Error error{"state lost"};  // short enough to need no allocation
    return error;
}

}  // namespace ringlet
