#include "calls.h"

namespace ringlet_python {

Calls::Calls(py::object progress, py::object log)
    : progress_(std::move(progress)), log_(std::move(log)) {}

ringlet::Listener Calls::listener() {
    ringlet::Listener out;
    if (!log_.is_none())
        out.log = [this](std::string_view message) {
            const py::gil_scoped_acquire lock;
            call([&] { log_(message); });
        };
    if (!progress_.is_none())
        out.progress = [this](std::string_view activity, int done, int total) {
            const py::gil_scoped_acquire lock;
            call([&] {
                const py::object answer = progress_(activity, done, total);
                if (!answer.is_none() && !answer.cast<bool>()) is_stopped_ = true;
            });
            return !is_stopped_;
        };
    out.stop_requested = [this] { return stop_requested(); };
    return out;
}

bool Calls::stop_requested() {
    if (is_stopped_) return true;
    if (std::this_thread::get_id() != caller_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_poll_ < std::chrono::milliseconds(50)) return false;
    last_poll_ = now;
    handle_signals();
    return is_stopped_;
}

void Calls::rethrow() {
    if (error_) std::rethrow_exception(error_);
}

void Calls::handle_signals() {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) call([] { throw py::error_already_set(); });
}

}  // namespace ringlet_python
