#include "bindings.h"

namespace ringlet_python {

namespace {

// Calls Python functions from long-running jobs, which run without Python's lock.
class Calls {
public:
    Calls(py::object progress, py::object log)
        : progress_(std::move(progress)), log_(std::move(log)) {}

    ringlet::Listener listener() {
        ringlet::Listener out;
        if (!log_.is_none())
            out.log = [this](std::string_view message) {
                const py::gil_scoped_acquire lock;
                call([&] { log_(message); });
            };
        out.progress = [this](std::string_view activity, int done, int total) {
            const py::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() != 0) keep_error();
            call([&] {
                if (progress_.is_none()) return;
                const py::object answer = progress_(activity, done, total);
                if (!answer.is_none() && !answer.cast<bool>()) is_stopped_ = true;
            });
            return !is_stopped_;
        };
        return out;
    }
    // Throws what a Python function threw.
    void rethrow() {
        if (error_) std::rethrow_exception(error_);
    }

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
    void keep_error() {
        call([] { throw py::error_already_set(); });
    }

    py::object progress_, log_;
    std::exception_ptr error_;
    bool is_stopped_ = false;
};

ringlet::Session open(const std::string& scene, std::vector<std::string> overrides, int threads,
                      bool use_gpu) {
    ringlet::SessionOptions options;
    options.overrides = std::move(overrides);
    options.threads = threads;
    options.backend = use_gpu ? ringlet::Backend::cuda : ringlet::Backend::cpu;
    const py::gil_scoped_release released;
    return checked(ringlet::Session::open(scene, options));
}

py::array_t<float> positions_of(const ringlet::Session& session) {
    // The array takes the memory of the vector.
    auto* const xyz = new std::vector<float>(session.positions());
    const py::capsule owner(xyz, [](void* p) { delete static_cast<std::vector<float>*>(p); });
    return py::array_t<float>({static_cast<py::ssize_t>(xyz->size() / 3), py::ssize_t{3}},
                              xyz->data(), owner);
}

std::vector<int> counts_of(const ringlet::Session& session) {
    std::vector<int> out;
    for (int s = 0; s < session.strand_count(); ++s) out.push_back(session.vertex_count(s));
    return out;
}

void render(ringlet::Session& session, const ringlet::RenderOptions& options, py::object progress,
            py::object log) {
    Calls calls(std::move(progress), std::move(log));
    const ringlet::Listener listener = calls.listener();
    ringlet::Result<void> done;
    {
        const py::gil_scoped_release released;
        done = ringlet::render(session, options, listener);
    }
    calls.rethrow();
    checked(done);
}

}  // namespace

void add_scene(py::module_& module) {
    py::class_<ringlet::Session>(module, "Session")
        .def(py::init(&open))
        .def("step",
             [](ringlet::Session& session) {
                 const py::gil_scoped_release released;
                 session.step();
             })
        .def("reset", &ringlet::Session::reset, py::call_guard<py::gil_scoped_release>())
        .def_property_readonly("time", &ringlet::Session::time)
        .def_property_readonly("strand_count", &ringlet::Session::strand_count)
        .def("positions", &positions_of)
        .def("vertex_counts", &counts_of)
        .def("hash", &ringlet::Session::hash)
        .def("report_json",
             [](const ringlet::Session& session) { return session.report().to_json(); })
        .def("render", [](ringlet::Session& session, const std::string& output, int frames,
                          int width, int height, double fps, py::object progress, py::object log) {
            ringlet::RenderOptions options;
            options.output = output;
            options.frames = frames;
            options.width = width;
            options.height = height;
            options.fps = fps;
            render(session, options, std::move(progress), std::move(log));
        });
    module.def("builtin_scenes", [] {
        std::vector<std::pair<std::string, std::string>> out;
        for (const ringlet::SceneInfo& info : ringlet::builtin_scenes())
            out.emplace_back(info.name, info.title);
        return out;
    });
}

}  // namespace ringlet_python
