#include "session/boundary.h"

#include <new>
#include <stdexcept>
#include <string>

#include "sim/device.h"

namespace ringlet {

namespace {

// There may be no memory for the text either; a short one needs none.
Error no_memory() {
    try {
        return Error{
            "not enough memory; lower groom.strands or groom.vertices, or close other programs"};
    } catch (const std::bad_alloc&) {
        return Error{"out of memory"};
    }
}

}  // namespace

Error error_from_exception() {
    try {
        throw;
    } catch (const Stopped&) {
        return Error{"stopped"};
    } catch (const std::bad_alloc&) {
        return no_memory();
    } catch (const std::length_error&) {
        return no_memory();
    } catch (const DeviceError& error) {
        return Error{error.what()};
    } catch (const std::exception& error) {
        return Error{std::string("ringlet has a bug, please report it: ") + error.what()};
    } catch (...) {
        return Error{"ringlet has a bug, please report it: unknown exception"};
    }
}

}  // namespace ringlet
