#include "calls.h"

namespace ringlet_python {

namespace {

// An array that takes the memory of a vector.
template <class T>
py::array_t<T> to_array(std::vector<T> values, std::vector<py::ssize_t> shape) {
    auto* const kept = new std::vector<T>(std::move(values));
    const py::capsule owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
    return py::array_t<T>(std::move(shape), kept->data(), owner);
}

py::ssize_t length(const auto& values) { return static_cast<py::ssize_t>(values.size()); }

ringlet::Session open(const std::string& scene, std::vector<std::string> overrides, int threads,
                      bool use_gpu, py::object progress, py::object log) {
    ringlet::SessionOptions options;
    options.overrides = std::move(overrides);
    options.threads = threads;
    options.backend = use_gpu ? ringlet::Backend::cuda : ringlet::Backend::cpu;
    return run_job(std::move(progress), std::move(log), [&](const ringlet::Listener& listener) {
        return ringlet::Session::open(scene, options, listener);
    });
}

py::array_t<float> positions_of(const ringlet::Session& session) {
    std::vector<float> xyz = session.positions();
    const py::ssize_t count = length(xyz) / 3;
    return to_array(std::move(xyz), {count, 3});
}

std::vector<int> counts_of(const ringlet::Session& session) {
    std::vector<int> out;
    for (int s = 0; s < session.strand_count(); ++s) out.push_back(session.vertex_count(s));
    return out;
}

std::string simulate(ringlet::Session& session, const std::string& output, int frames,
                     py::object progress, py::object log) {
    const ringlet::SimulateOptions options{output, frames};
    return run_job(std::move(progress), std::move(log),
                   [&](const ringlet::Listener& listener) {
                       return ringlet::simulate(session, options, listener);
                   })
        .to_json();
}

void render(ringlet::Session& session, const std::string& output, int frames, int width, int height,
            double fps, const std::string& renderer, py::object progress, py::object log) {
    ringlet::RenderOptions options;
    options.output = output;
    options.frames = frames;
    options.width = width;
    options.height = height;
    options.fps = fps;
    options.renderer = renderer;
    run_job(std::move(progress), std::move(log), [&](const ringlet::Listener& listener) {
        return ringlet::render(session, options, listener);
    });
}

py::array_t<std::uint8_t> render_image(ringlet::Session& session, int width, int height,
                                       const std::string& renderer, py::object progress) {
    const ringlet::ImageOptions options{width, height, renderer};
    ringlet::Image image =
        run_job(std::move(progress), py::none(), [&](const ringlet::Listener& listener) {
            return ringlet::render_image(session, options, listener);
        });
    return to_array(std::move(image.rgba), {image.height, image.width, 4});
}

// (positions, counts, widths, colours, root_uv); None for what is missing.
py::tuple describe(ringlet::GroomArrays groom) {
    const auto optional = [](std::vector<float> values, py::ssize_t components) -> py::object {
        if (values.empty()) return py::none();
        std::vector<py::ssize_t> shape{length(values) / components};
        if (components > 1) shape.push_back(components);
        return to_array(std::move(values), std::move(shape));
    };
    const py::ssize_t vertices = length(groom.positions) / 3, strands = length(groom.vertex_counts);
    return py::make_tuple(
        to_array(std::move(groom.positions), {vertices, 3}),
        to_array(std::move(groom.vertex_counts), {strands}), optional(std::move(groom.widths), 1),
        optional(std::move(groom.colours), 3), optional(std::move(groom.root_uv), 2));
}

py::tuple read_groom(const std::string& path, float scale, bool z_up, int vertices) {
    const ringlet::ConvertOptions options{scale, z_up, vertices};
    return describe([&] {
        const py::gil_scoped_release released;
        return checked(ringlet::read_groom_file(path, options));
    }());
}

void write_groom(const std::string& path, const Floats& positions, const Ints& counts,
                 const Floats& widths, const Floats& colours, const Floats& root_uv) {
    const auto copied = [](const auto& array) {
        return std::vector(array.data(), array.data() + array.size());
    };
    const ringlet::GroomArrays groom{copied(positions),
                                     copied(counts),
                                     copied(widths),
                                     copied(colours),
                                     copied(root_uv),
                                     {},
                                     {}};
    const py::gil_scoped_release released;
    checked(ringlet::write_groom_file(path, groom));
}

void add_jobs(py::class_<ringlet::Session>& session) {
    session
        .def("simulate", &simulate, py::arg("output"), py::arg("frames"), py::arg("progress"),
             py::arg("log"))
        .def("render", &render, py::arg("output"), py::arg("frames"), py::arg("width"),
             py::arg("height"), py::arg("fps"), py::arg("renderer"), py::arg("progress"),
             py::arg("log"))
        .def("render_image", &render_image, py::arg("width"), py::arg("height"),
             py::arg("renderer"), py::arg("progress"))
        .def("groom_at_rest", [](ringlet::Session& self) {
            return describe([&] {
                const py::gil_scoped_release released;
                return checked(ringlet::groom_at_rest(self));
            }());
        });
}

}  // namespace

void add_scene(py::module_& module) {
    py::class_<ringlet::Session> session(module, "Session");
    session
        .def(py::init(&open), py::arg("scene"), py::arg("overrides"), py::arg("threads"),
             py::arg("use_gpu"), py::arg("progress"), py::arg("log"))
        .def(
            "step",
            [](ringlet::Session& self) {
                self.step();
                checked(self.status());
            },
            py::call_guard<py::gil_scoped_release>(), "Advances by one step of sim.dt.")
        .def(
            "reset",
            [](ringlet::Session& self) {
                self.reset();
                checked(self.status());
            },
            py::call_guard<py::gil_scoped_release>(),
            "Returns to time 0; the next steps give the same bits as the first time.")
        .def_property_readonly("time", &ringlet::Session::time, "Simulated time (s).")
        .def_property_readonly("strand_count", &ringlet::Session::strand_count,
                               "The number of strands of all heads, children included.")
        .def("positions", &positions_of,
             "All vertices after the last step, strand after strand: a new array (vertices, 3), "
             "metres.")
        .def("vertex_counts", &counts_of, "The number of vertices of each strand.")
        .def("hash", &ringlet::Session::hash,
             "16 hexadecimal digits that identify positions and velocities.")
        .def("report_json", [](const ringlet::Session& self) { return self.report().to_json(); });
    add_jobs(session);
    module.def("read_groom", &read_groom, py::arg("path"), py::arg("scale"), py::arg("z_up"),
               py::arg("vertices"));
    module.def("write_groom", &write_groom, py::arg("path"), py::arg("positions"),
               py::arg("counts"), py::arg("widths"), py::arg("colours"), py::arg("root_uv"));
    module.def("builtin_scenes", [] {
        std::vector<std::pair<std::string, std::string>> out;
        for (const ringlet::SceneInfo& info : ringlet::builtin_scenes())
            out.emplace_back(info.name, info.title);
        return out;
    });
}

}  // namespace ringlet_python
