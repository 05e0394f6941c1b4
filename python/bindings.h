// Types and functions that the files of the Python module share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <span>

#include "ringlet/ringlet.h"
#include "ringlet/sim.h"

namespace ringlet_python {

namespace py = pybind11;

// Arrays of another type or order are converted.
using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Ints = py::array_t<int, py::array::c_style | py::array::forcecast>;
using Indices = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

// A new array with a copy of the values. The strides are explicit because pybind11 before 2.12
// reads the size of an item at the wrong place in numpy 2.
template <class T>
py::array to_new_array(std::span<const T> values) {
    return py::array(py::dtype::of<T>(), {static_cast<py::ssize_t>(values.size())},
                     {static_cast<py::ssize_t>(sizeof(T))}, values.data());
}

// An Error of the library on its way to Python, where it becomes ringlet.Error.
struct Failure {
    ringlet::Error error;
};

// Returns the value, or throws the error.
template <class T>
T checked(ringlet::Result<T> result) {
    if (!result) throw Failure{result.error()};
    return std::move(*result);
}
inline void checked(const ringlet::Result<void>& result) {
    if (!result) throw Failure{result.error()};
}

void add_hair_sim(py::module_& module);
void add_scene(py::module_& module);

}  // namespace ringlet_python
