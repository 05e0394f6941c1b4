#include "calls.h"
#include "device_view.h"
#include "ringlet/parameters.h"
#include "view.h"

namespace ringlet_python {

namespace {

py::object to_python(const ringlet::ParameterValue& value) {
    if (const auto* v = std::get_if<ringlet::Vec3f>(&value))
        return py::make_tuple(v->x, v->y, v->z);
    if (const auto* number = std::get_if<double>(&value)) return py::float_(*number);
    if (const auto* flag = std::get_if<bool>(&value)) return py::bool_(*flag);
    return py::str(std::get<std::string>(value));
}

// SimSettings and Wind by key.
struct Settings {
    ringlet::SimSettings sim = ringlet::scene_defaults();
    ringlet::Wind wind;

    py::object get(const std::string& key) const {
        return to_python(checked(ringlet::get_parameter(sim, wind, key)));
    }
    void set(const std::string& key, const py::object& value) {
        checked(ringlet::set_parameter(sim, wind, key, to_value(value)));
    }
    static ringlet::ParameterValue to_value(const py::object& value) {
        if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
        if (py::isinstance<py::str>(value)) return value.cast<std::string>();
        if (py::isinstance<py::sequence>(value)) {
            const auto v = value.cast<std::array<float, 3>>();
            return ringlet::Vec3f{v[0], v[1], v[2]};
        }
        return value.cast<double>();
    }
};

ringlet::Vec3f to_vector(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }
ringlet::Rigidf to_pose(const std::array<float, 4>& q, const std::array<float, 3>& t) {
    return {{q[0], q[1], q[2], q[3]}, to_vector(t)};
}

// A collider with arrays of its own.
struct Collider {
    ringlet::SimCollider sim;
    Floats positions;
    Indices triangles;
};

template <class T>
std::span<const T> span_of(const py::array_t<T, py::array::c_style | py::array::forcecast>& array) {
    return {array.data(), static_cast<std::size_t>(array.size())};
}

struct StrandInput {
    Floats positions;
    Ints counts;
    Floats head_positions;
    Indices head_triangles;
    Floats widths, rest_frames;
};

ringlet::HairSim make(const StrandInput& input, const Settings& settings,
                      const std::vector<Collider>& colliders, ringlet::SimOptions options) {
    const ringlet::StrandArrays strands{
        span_of(input.positions),
        span_of(input.counts),
        {span_of(input.head_positions), span_of(input.head_triangles)},
        span_of(input.widths),
        span_of(input.rest_frames)};
    std::vector<ringlet::SimCollider> bodies;
    for (const Collider& collider : colliders) {
        bodies.push_back(collider.sim);
        bodies.back().mesh_positions = span_of(collider.positions);
        bodies.back().mesh_triangles = span_of(collider.triangles);
    }
    options.wind = settings.wind;
    const py::gil_scoped_release released;
    return checked(ringlet::HairSim::create(strands, settings.sim, bodies, options));
}

py::dict describe(const ringlet::SimReport& report) {
    py::dict out;
    out["model"] = report.model;
    out["strands"] = report.strands;
    out["vertices"] = report.vertices;
    out["steps"] = report.steps;
    out["seconds"] = report.seconds;
    out["max_stretch"] = report.max_stretch;
    out["mean_stretch"] = report.mean_stretch;
    out["max_penetration"] = report.max_penetration;
    out["penetrating_vertices"] = report.penetrating_vertices;
    out["nonfinite_vertices"] = report.nonfinite_vertices;
    out["repaired_strand"] = report.repaired_strand;
    out["repaired_vertex"] = report.repaired_vertex;
    out["strain_limited_strands"] = report.strain_limited_strands;
    out["bytes"] = report.bytes;
    py::list warnings;
    for (const ringlet::Warning& warning : report.warnings) warnings.append(warning.line());
    out["warnings"] = warnings;
    return out;
}

// The fields of ringlet._settings.Parameter, for every parameter.
py::list describe_parameters() {
    py::list out;
    for (const ringlet::ParameterInfo& info : checked(ringlet::sim_parameters())) {
        const char* const kinds[] = {info.is_whole ? "int" : "float", "bool", "word", "vector"};
        out.append(py::make_tuple(info.key, kinds[info.usual.index()], to_python(info.usual),
                                  info.low, info.high, info.unit, py::tuple(py::cast(info.words)),
                                  info.sentence));
    }
    return out;
}

void add_collider(py::module_& module) {
    py::enum_<ringlet::SimShape>(module, "SimShape")
        .value("sphere", ringlet::SimShape::sphere)
        .value("capsule", ringlet::SimShape::capsule)
        .value("plane", ringlet::SimShape::plane)
        .value("ellipsoid", ringlet::SimShape::ellipsoid)
        .value("mesh", ringlet::SimShape::mesh);
    py::enum_<ringlet::SimMotion>(module, "SimMotion")
        .value("fixed", ringlet::SimMotion::fixed)
        .value("with_head", ringlet::SimMotion::with_head)
        .value("posed", ringlet::SimMotion::posed);
    using Three = std::array<float, 3>;
    const auto vector = [](ringlet::Vec3f ringlet::SimCollider::*member) {
        return [member](Collider& c, const Three& a) { c.sim.*member = to_vector(a); };
    };
    py::class_<Collider>(module, "Collider")
        .def(py::init<>())
        .def("set_shape", [](Collider& c, ringlet::SimShape shape) { c.sim.shape = shape; })
        .def("set_motion", [](Collider& c, ringlet::SimMotion motion) { c.sim.motion = motion; })
        .def("set_centre", vector(&ringlet::SimCollider::centre))
        .def("set_end", vector(&ringlet::SimCollider::end))
        .def("set_normal", vector(&ringlet::SimCollider::normal))
        .def("set_radii", vector(&ringlet::SimCollider::radii))
        .def("set_radius", [](Collider& c, float a) { c.sim.radius = a; })
        .def("set_friction", [](Collider& c, float a) { c.sim.friction = a; })
        .def("set_static_friction", [](Collider& c, float a) { c.sim.static_friction = a; })
        .def("set_restitution", [](Collider& c, float a) { c.sim.restitution = a; })
        .def("set_thickness", [](Collider& c, float a) { c.sim.thickness = a; })
        .def("set_cell", [](Collider& c, float a) { c.sim.cell = a; })
        .def("set_deforms", [](Collider& c, bool a) { c.sim.deforms = a; })
        .def("set_room", [](Collider& c, float a) { c.sim.room = a; })
        .def("set_pose", [](Collider& c, const std::array<float, 4>& q,
                            const Three& t) { c.sim.pose = to_pose(q, t); })
        .def("set_mesh", [](Collider& c, const Floats& positions, const Indices& triangles) {
            c.positions = positions;
            c.triangles = triangles;
        });
}

// The call of step() on this thread; null outside. SimOptions::stop_requested uses it.
thread_local Calls* current_call = nullptr;

bool is_step_stopped() { return current_call && current_call->stop_requested(); }

std::tuple<int, float, double> step(ringlet::HairSim& sim, double seconds) {
    Calls calls;
    current_call = &calls;
    const ringlet::Result<ringlet::SimStepped> done = [&] {
        const py::gil_scoped_release released;
        return sim.step(seconds);
    }();
    current_call = nullptr;
    calls.rethrow();
    checked(done);
    return {done->steps, done->interpolation, done->dropped_seconds};
}

void add_steps(py::class_<ringlet::HairSim>& hair) {
    using Four = std::array<float, 4>;
    using Three = std::array<float, 3>;
    hair.def("step", &step)
        .def("set_head", [](ringlet::HairSim& sim, const Four& q,
                            const Three& t) { checked(sim.set_head(to_pose(q, t))); })
        .def("set_collider_pose",
             [](ringlet::HairSim& sim, int collider, const Four& q, const Three& t) {
                 checked(sim.set_collider_pose(collider, to_pose(q, t)));
             })
        .def("set_head_vertices",
             [](ringlet::HairSim& sim, const Floats& positions) {
                 checked(sim.set_head_vertices(span_of(positions)));
             })
        .def("set_collider_vertices",
             [](ringlet::HairSim& sim, int collider, const Floats& positions) {
                 checked(sim.set_collider_vertices(collider, span_of(positions)));
             })
        .def("set_push",
             [](ringlet::HairSim& sim, const Three& from, const Three& to, float radius,
                const Three& acceleration) {
                 checked(sim.set_push(ringlet::SimPush{to_vector(from), to_vector(to), radius,
                                                       to_vector(acceleration)}));
             })
        .def(
            "end_push", [](ringlet::HairSim& sim) { checked(sim.set_push(std::nullopt)); },
            "Ends the push of set_push().")
        .def("set_gravity",
             [](ringlet::HairSim& sim, const Three& gravity) {
                 checked(sim.set_gravity(to_vector(gravity)));
             })
        .def("set_wind", [](ringlet::HairSim& sim,
                            const Settings& settings) { checked(sim.set_wind(settings.wind)); })
        .def("teleport",
             [](ringlet::HairSim& sim, const Four& q, const Three& t) {
                 const py::gil_scoped_release released;
                 checked(sim.teleport(to_pose(q, t)));
             })
        .def("reset", [](ringlet::HairSim& sim) {
            const py::gil_scoped_release released;
            checked(sim.reset());
        });
}

// In the order of the strands.
py::array widths(const ringlet::HairSim& sim) {
    const ringlet::NumberView from = sim.widths();
    std::vector<float> out;
    if (!from.empty())
        for (int s = 0; s < from.strand_count(); ++s)
            for (int i = 0; i < from.counts()[static_cast<std::size_t>(s)]; ++i)
                out.push_back(from.at(s, i));
    return to_new_array(std::span<const float>(out));
}

void add_state(py::class_<ringlet::HairSim>& hair) {
    const auto on_device = [](auto function) {
        return [function](const py::object& self) {
            return DeviceView{checked((self.cast<const ringlet::HairSim&>().*function)()), self};
        };
    };
    const auto view = [](auto function) {
        return [function](const py::object& self) {
            return View{(self.cast<const ringlet::HairSim&>().*function)(), self};
        };
    };
    hair.def_property_readonly("positions", view(&ringlet::HairSim::positions))
        .def_property_readonly("velocities", view(&ringlet::HairSim::velocities))
        .def_property_readonly("previous_positions", view(&ringlet::HairSim::previous_positions))
        .def_property_readonly("device_positions", on_device(&ringlet::HairSim::device_positions))
        .def_property_readonly("device_velocities", on_device(&ringlet::HairSim::device_velocities))
        .def_property_readonly("widths", &widths, "The widths (m), one per vertex; empty if none.")
        .def("set_active_strands", [](ringlet::HairSim& sim,
                                      int count) { return checked(sim.set_active_strands(count)); })
        .def_property_readonly("active_strand_count", &ringlet::HairSim::active_strand_count)
        .def("save",
             [](const ringlet::HairSim& sim) {
                 const std::vector<std::byte> bytes = checked(sim.save());
                 return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
             })
        .def("load",
             [](ringlet::HairSim& sim, const py::bytes& state) {
                 const std::string_view bytes = state;
                 checked(sim.load(std::as_bytes(std::span(bytes))));
             })
        .def_property_readonly("strand_count", &ringlet::HairSim::strand_count)
        .def_property_readonly("time", &ringlet::HairSim::time)
        .def("hash", [](const ringlet::HairSim& sim) { return checked(sim.hash()); })
        .def("report", [](ringlet::HairSim& sim) { return describe(checked(sim.report())); });
}

}  // namespace

void add_hair_sim(py::module_& module) {
    py::class_<Settings>(module, "Settings")
        .def(py::init<>())
        .def("get", &Settings::get)
        .def("set", &Settings::set);
    module.def("sim_parameters", &describe_parameters);
    add_collider(module);
    add_view(module);
    add_device_view(module);
    py::class_<ringlet::HairSim> hair(module, "HairSim");
    hair.def(py::init(
        [](const Floats& positions, const Ints& counts, const Floats& head_positions,
           const Indices& head_triangles, const Floats& widths, const Floats& rest_frames,
           const Settings& settings, const std::vector<Collider>& colliders, std::uint32_t seed,
           int threads, bool keep_previous, int max_steps, bool level_of_detail, bool use_gpu,
           const std::array<float, 4>& rotation, const std::array<float, 3>& translation) {
            ringlet::SimOptions options;
            options.seed = seed;
            options.threads = threads;
            options.keep_previous = keep_previous;
            options.max_steps = max_steps;
            options.level_of_detail = level_of_detail;
            options.stop_requested = is_step_stopped;
            options.backend = use_gpu ? ringlet::Backend::cuda : ringlet::Backend::cpu;
            options.head = to_pose(rotation, translation);
            return make({positions, counts, head_positions, head_triangles, widths, rest_frames},
                        settings, colliders, options);
        }));
    add_steps(hair);
    add_state(hair);
}

}  // namespace ringlet_python
