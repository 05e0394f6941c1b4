// Connects long-running functions of the library with Python: callbacks, and Ctrl+C.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "bindings.h"

namespace ringlet_python {

// Calls Python functions from functions of the library, which run without Python's lock. Create it
// with the lock held, on the thread that calls the library. Must outlive its listener().
//
// Ctrl+C, or any other signal whose Python handler raises, cancels the work: rethrow() then raises
// the exception of the handler.
class Calls {
public:
    explicit Calls(py::object progress = py::none(), py::object log = py::none());

    ringlet::Listener listener();
    // True if the work is to be cancelled. Thread-safe; handles signals on the thread that created
    // this object, at most every 50 ms.
    bool stop_requested();
    // Throws what a Python function or a signal handler raised. Needs the lock.
    void rethrow();

private:
    template <class Body>
    void call(const Body& body) {
        try {
            body();
        } catch (...) {
            error_ = std::current_exception();
            is_stopped_ = true;
        }
    }
    void handle_signals();

    py::object progress_, log_;
    std::exception_ptr error_;
    std::atomic<bool> is_stopped_ = false;
    std::thread::id caller_ = std::this_thread::get_id();
    std::chrono::steady_clock::time_point last_poll_ = std::chrono::steady_clock::now();
};

// Runs `work(listener)` without Python's lock and returns its value, or throws its error.
template <class Work>
auto run_job(py::object progress, py::object log, const Work& work) {
    Calls calls(std::move(progress), std::move(log));
    const ringlet::Listener listener = calls.listener();
    auto done = [&] {
        const py::gil_scoped_release released;
        return work(listener);
    }();
    calls.rethrow();
    return checked(std::move(done));
}

}  // namespace ringlet_python
