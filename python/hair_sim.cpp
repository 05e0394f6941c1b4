#include "bindings.h"
#include "ringlet/parameters.h"

namespace ringlet_python {

namespace {

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Ints = py::array_t<int, py::array::c_style | py::array::forcecast>;
using Indices = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

// SimSettings and Wind by key.
struct Settings {
    ringlet::SimSettings sim = ringlet::scene_defaults();
    ringlet::Wind wind;

    py::object get(const std::string& key) const {
        const ringlet::ParameterValue value = checked(ringlet::get_parameter(sim, wind, key));
        if (const auto* v = std::get_if<ringlet::Vec3f>(&value))
            return py::make_tuple(v->x, v->y, v->z);
        return std::visit(
            [](const auto& v) -> py::object {
                if constexpr (std::is_same_v<std::decay_t<decltype(v)>, ringlet::Vec3f>)
                    return py::none();
                else
                    return py::cast(v);
            },
            value);
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

ringlet::HairSim make(const Floats& positions, const Ints& counts, const Settings& settings,
                      const std::vector<Collider>& colliders, ringlet::SimOptions options) {
    std::vector<ringlet::SimCollider> bodies;
    for (const Collider& collider : colliders) {
        bodies.push_back(collider.sim);
        bodies.back().mesh_positions = span_of(collider.positions);
        bodies.back().mesh_triangles = span_of(collider.triangles);
    }
    options.wind = settings.wind;
    const py::gil_scoped_release released;
    return checked(ringlet::HairSim::create({span_of(positions), span_of(counts)}, settings.sim,
                                            bodies, options));
}

// An array that cannot be written, in the memory of `owner`.
template <class T>
py::array lent(const py::object& owner, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, const T* data) {
    py::array out(py::dtype::of<T>(), std::move(shape), std::move(strides), data, owner);
    out.attr("flags").attr("writeable") = false;
    return out;
}

// A VectorView that keeps its HairSim alive.
struct View {
    ringlet::VectorView vectors;
    py::object owner;

    py::array strand(int index) const {
        const int count = vectors.strand_count();
        if (index < 0) index += count;
        if (index < 0 || index >= count) throw py::index_error("there is no such strand");
        using Strand = ringlet::StrandVectors;
        const Strand strand = vectors[index];
        constexpr py::ssize_t size = sizeof(float);
        return lent(owner, {strand.count, 3},
                    {Strand::kVertexStride * size, Strand::kComponentStride * size}, strand.first);
    }
    py::array memory() const {
        return lent(owner, {static_cast<py::ssize_t>(vectors.memory().size())}, {sizeof(float)},
                    vectors.memory().data());
    }
    py::array offsets() const {
        return lent(owner, {vectors.strand_count()}, {sizeof(std::size_t)},
                    vectors.offsets().data());
    }
    // All vertices, strand after strand.
    py::array_t<float> copy() const {
        py::ssize_t total = 0;
        for (const int count : vectors.counts()) total += count;
        py::array_t<float> out({total, py::ssize_t{3}});
        float* to = out.mutable_data();
        const py::gil_scoped_release released;
        for (int s = 0; s < vectors.strand_count(); ++s)
            for (int i = 0; i < vectors[s].count; ++i) {
                const ringlet::Vec3f v = vectors[s][i];
                *to++ = v.x;
                *to++ = v.y;
                *to++ = v.z;
            }
        return out;
    }
};

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

py::list describe_parameters() {
    py::list out;
    for (const ringlet::ParameterInfo& info : checked(ringlet::sim_parameters()))
        out.append(py::make_tuple(info.key, info.is_whole, info.low, info.high, info.unit,
                                  info.words, info.sentence));
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
        .def("set_pose", [](Collider& c, const std::array<float, 4>& q,
                            const Three& t) { c.sim.pose = to_pose(q, t); })
        .def("set_mesh", [](Collider& c, const Floats& positions, const Indices& triangles) {
            c.positions = positions;
            c.triangles = triangles;
        });
}

void add_view(py::module_& module) {
    py::class_<View>(
        module, "VectorView",
        "One vector per vertex, in the memory of the simulation; nothing is copied.\n\n"
        "view[strand] is an array (vertices, 3) that cannot be written. Its values "
        "change with every step.")
        .def("__len__", [](const View& view) { return view.vectors.strand_count(); })
        .def("__getitem__", &View::strand)
        .def("copy", &View::copy, "All vertices, strand after strand: a new array (vertices, 3).")
        .def_property_readonly("memory", &View::memory,
                               "The whole memory, padding included, as one array of floats.")
        .def_property_readonly(
            "offsets", &View::offsets,
            "The index in `memory` of the x of each strand's root. y and z are 8 "
            "and 16 floats behind it, the next vertex 24.");
}

void add_steps(py::class_<ringlet::HairSim>& hair) {
    using Four = std::array<float, 4>;
    using Three = std::array<float, 3>;
    hair.def("step",
             [](ringlet::HairSim& sim, double seconds) {
                 const py::gil_scoped_release released;
                 const ringlet::SimStepped done = checked(sim.step(seconds));
                 return std::tuple(done.steps, done.interpolation, done.dropped_seconds);
             })
        .def("set_head", [](ringlet::HairSim& sim, const Four& q,
                            const Three& t) { checked(sim.set_head(to_pose(q, t))); })
        .def("set_collider_pose",
             [](ringlet::HairSim& sim, int collider, const Four& q, const Three& t) {
                 checked(sim.set_collider_pose(collider, to_pose(q, t)));
             })
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

void add_state(py::class_<ringlet::HairSim>& hair) {
    const auto view = [](auto function) {
        return [function](const py::object& self) {
            return View{(self.cast<const ringlet::HairSim&>().*function)(), self};
        };
    };
    hair.def_property_readonly("positions", view(&ringlet::HairSim::positions))
        .def_property_readonly("velocities", view(&ringlet::HairSim::velocities))
        .def_property_readonly("previous_positions", view(&ringlet::HairSim::previous_positions))
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
    py::class_<ringlet::HairSim> hair(module, "HairSim");
    hair.def(
        py::init([](const Floats& positions, const Ints& counts, const Settings& settings,
                    const std::vector<Collider>& colliders, std::uint32_t seed, int threads,
                    bool keep_previous, int max_steps, bool use_gpu,
                    const std::array<float, 4>& rotation, const std::array<float, 3>& translation) {
            ringlet::SimOptions options;
            options.seed = seed;
            options.threads = threads;
            options.keep_previous = keep_previous;
            options.max_steps = max_steps;
            options.backend = use_gpu ? ringlet::Backend::cuda : ringlet::Backend::cpu;
            options.head = to_pose(rotation, translation);
            return make(positions, counts, settings, colliders, options);
        }));
    add_steps(hair);
    add_state(hair);
}

}  // namespace ringlet_python
