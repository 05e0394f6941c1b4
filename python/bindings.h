// What the files of the Python module share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "ringlet/ringlet.h"
#include "ringlet/sim.h"

namespace ringlet_python {

namespace py = pybind11;

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
