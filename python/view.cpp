// Vectors of all vertices in the memory of a simulation, for numpy and for DLPack.
#include "view.h"
#include "dlpack.h"

namespace ringlet_python {

namespace {

// An array that cannot be written, in the memory of `owner`.
template <class T>
py::array lent(const py::object& owner, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, const T* data) {
    py::array out(py::dtype::of<T>(), std::move(shape), std::move(strides), data, owner);
    out.attr("flags").attr("writeable") = false;
    return out;
}

py::array array_of_strand(const View& view, int index) {
    const int count = view.vectors.strand_count();
    if (index < 0) index += count;
    if (index < 0 || index >= count) throw py::index_error("there is no such strand");
    using Strand = ringlet::StrandVectors;
    const Strand strand = view.vectors[index];
    constexpr py::ssize_t size = sizeof(float);
    return lent(view.owner, {strand.count, 3},
                {Strand::kVertexStride * size, Strand::kComponentStride * size}, strand.first);
}

py::array memory(const View& view) {
    return lent(view.owner, {static_cast<py::ssize_t>(view.vectors.memory().size())},
                {sizeof(float)}, view.vectors.memory().data());
}

py::array offsets(const View& view) {
    return lent(view.owner, {view.vectors.strand_count()}, {sizeof(std::size_t)},
                view.vectors.offsets().data());
}

py::array counts(const View& view) {
    return lent(view.owner, {view.vectors.strand_count()}, {sizeof(int)},
                view.vectors.counts().data());
}

py::ssize_t vertex_total(const View& view) {
    py::ssize_t total = 0;
    for (const int count : view.vectors.counts()) total += count;
    return total;
}

void write(const ringlet::VectorView& vectors, float* to) {
    for (int s = 0; s < vectors.strand_count(); ++s) {
        const ringlet::StrandVectors strand = vectors[s];
        const float* from = strand.first;
        for (int i = 0; i < strand.count; ++i, from += ringlet::StrandVectors::kVertexStride) {
            *to++ = from[0];
            *to++ = from[ringlet::StrandVectors::kComponentStride];
            *to++ = from[2 * ringlet::StrandVectors::kComponentStride];
        }
    }
}

// All vertices, strand after strand, in `out` or a new array.
py::array copy(const View& view, const py::object& out) {
    const py::ssize_t total = vertex_total(view);
    py::array_t<float> array;
    if (out.is_none()) {
        array = py::array_t<float>({total, py::ssize_t{3}});
    } else {
        // An array of another type or order would be converted, and the result lost.
        if (!py::isinstance<py::array_t<float, py::array::c_style>>(out))
            throw py::type_error("out: pass a C-contiguous array of float32");
        array = py::reinterpret_borrow<py::array_t<float>>(out);
        if (array.size() != 3 * total)
            throw py::value_error("out: pass an array of " + std::to_string(3 * total) +
                                  " numbers");
    }
    float* const to = array.mutable_data();
    {
        const py::gil_scoped_release released;
        write(view.vectors, to);
    }
    return array;
}

}  // namespace

void add_view(py::module_& module) {
    py::class_<View>(
        module, "VectorView",
        "One vector per vertex, in the memory of the simulation; nothing is copied.\n\n"
        "view[strand] is an array (vertices, 3) that cannot be written. Its values "
        "change with every step. numpy.asarray(view) and copy() return new arrays.")
        .def("__len__", [](const View& view) { return view.vectors.strand_count(); })
        .def("__getitem__", &array_of_strand, py::arg("strand"))
        .def("copy", &copy, py::arg("out") = py::none(),
             "All vertices, strand after strand: a new array (vertices, 3), or `out`, an array of "
             "float32 of that size.")
        .def(
            "__array__",
            [](const View& view, const py::object& dtype, const py::object&) -> py::object {
                const py::array all = copy(view, py::none());
                return dtype.is_none() ? py::object(all) : all.attr("astype")(dtype);
            },
            py::arg("dtype") = py::none(), py::arg("copy") = py::none())
        .def_property_readonly("memory", &memory,
                               "The whole memory, padding included, as one array of floats.")
        .def_property_readonly(
            "offsets", &offsets,
            "The index in `memory` of the x of each strand's root. y and z are 8 "
            "and 16 floats behind it, the next vertex 24.")
        .def_property_readonly("counts", &counts, "The number of vertices of each strand.")
        .def(
            "__dlpack__",
            [](const View& view, const py::object&, const py::object& max_version,
               const py::object&, const py::object& wants_copy) {
                if (!wants_copy.is_none() && wants_copy.cast<bool>())
                    throw py::buffer_error("a view does not copy; call copy()");
                const bool versioned =
                    !max_version.is_none() && max_version[py::int_(0)].cast<int>() >= 1;
                return to_dlpack(view.vectors.memory(), view.owner, versioned);
            },
            py::kw_only(), py::arg("stream") = py::none(), py::arg("max_version") = py::none(),
            py::arg("dl_device") = py::none(), py::arg("copy") = py::none(),
            "`memory` by the DLPack protocol, without a copy. Do not write to it.")
        .def("__dlpack_device__", [](const View&) { return py::make_tuple(1, 0); });
}

}  // namespace ringlet_python
