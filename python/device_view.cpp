// Vectors of all vertices in the memory of a GPU, for libraries that read the CUDA array interface
// (version 3) or DLPack: CuPy, PyTorch, JAX, Numba, Warp.
#include "device_view.h"
#include "dlpack.h"

namespace ringlet_python {

namespace {

// The vectors of one strand.
struct DeviceStrand {
    const float* first;
    int count;
    std::ptrdiff_t vertex_stride, component_stride;  // floats
    py::object owner;
};

// A simulation has finished its work on the GPU when step() returns, so no stream is named.
py::dict array_interface(const void* data, py::tuple shape, py::object strides) {
    py::dict out;
    out["shape"] = std::move(shape);
    out["strides"] = std::move(strides);
    out["typestr"] = "<f4";
    out["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(data), true);  // read only
    out["version"] = 3;
    out["stream"] = py::none();
    return out;
}

py::array device_offsets(const DeviceView& view) { return to_new_array(view.vectors.offsets); }

py::array device_counts(const DeviceView& view) { return to_new_array(view.vectors.counts); }

DeviceStrand strand(const DeviceView& view, int index) {
    const int count = static_cast<int>(view.vectors.counts.size());
    if (index < 0) index += count;
    if (index < 0 || index >= count) throw py::index_error("there is no such strand");
    const auto s = static_cast<std::size_t>(index);
    return {static_cast<const float*>(view.vectors.memory) + view.vectors.offsets[s],
            view.vectors.counts[s], view.vectors.vertex_stride, view.vectors.component_stride,
            view.owner};
}

py::capsule dlpack(const DeviceView& view, const py::object&, const py::object& max_version,
                   const py::object&, const py::object& wants_copy) {
    if (!wants_copy.is_none() && wants_copy.cast<bool>())
        throw py::buffer_error("a view does not copy");
    const bool versioned = !max_version.is_none() && max_version[py::int_(0)].cast<int>() >= 1;
    return to_dlpack({static_cast<const float*>(view.vectors.memory), view.vectors.size},
                     view.owner, versioned, {kDlpackCuda, view.vectors.device});
}

// For tests on machines without a GPU: a view of any memory.
DeviceView view_of(const py::array_t<float, py::array::c_style>& memory,
                   const py::array_t<std::size_t, py::array::c_style>& first,
                   const py::array_t<int, py::array::c_style>& lengths, int device) {
    return {{memory.data(),
             static_cast<std::size_t>(memory.size()),
             {first.data(), static_cast<std::size_t>(first.size())},
             {lengths.data(), static_cast<std::size_t>(lengths.size())},
             3,
             1,
             device},
            py::make_tuple(memory, first, lengths)};
}

}  // namespace

void add_device_view(py::module_& module) {
    py::class_<DeviceStrand>(module, "DeviceStrand",
                             "The vectors of one strand in the memory of a GPU, (vertices, 3).")
        .def_property_readonly("__cuda_array_interface__", [](const DeviceStrand& strand) {
            constexpr std::ptrdiff_t size = sizeof(float);
            return array_interface(
                strand.first, py::make_tuple(strand.count, 3),
                py::make_tuple(strand.vertex_stride * size, strand.component_stride * size));
        });
    py::class_<DeviceView>(
        module, "DeviceVectorView",
        "One vector per vertex in the memory of a GPU; nothing is copied.\n\n"
        "The view itself is an array of floats, padding included, by __cuda_array_interface__ and "
        "DLPack; component c of vertex i of a strand is the float offsets[strand] + i * "
        "vertex_stride + c * component_stride. view[strand] has the shape (vertices, 3). Do not "
        "write. Valid until the next call of a function of the simulation; take a new view then.")
        .def("__len__", [](const DeviceView& view) { return view.vectors.counts.size(); })
        .def("__getitem__", &strand, py::arg("strand"))
        .def_property_readonly("__cuda_array_interface__",
                               [](const DeviceView& view) {
                                   return array_interface(view.vectors.memory,
                                                          py::make_tuple(view.vectors.size),
                                                          py::none());
                               })
        .def("__dlpack__", &dlpack, py::kw_only(), py::arg("stream") = py::none(),
             py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(),
             py::arg("copy") = py::none())
        .def(
            "__dlpack_device__",
            [](const DeviceView& view) { return py::make_tuple(kDlpackCuda, view.vectors.device); })
        .def_property_readonly("offsets", &device_offsets,
                               "The index of the x of each strand's root.")
        .def_property_readonly("counts", &device_counts, "The number of vertices of each strand.")
        .def_property_readonly("vertex_stride",
                               [](const DeviceView& view) { return view.vectors.vertex_stride; })
        .def_property_readonly("component_stride",
                               [](const DeviceView& view) { return view.vectors.component_stride; })
        .def_property_readonly(
            "device", [](const DeviceView& view) { return view.vectors.device; },
            "The number of the GPU in CUDA.")
        .def_static("_of", &view_of);
}

}  // namespace ringlet_python
