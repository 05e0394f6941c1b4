// A VectorView of the library as a Python object.
#pragma once

#include "bindings.h"

namespace ringlet_python {

// Keeps the object that owns the memory alive.
struct View {
    ringlet::VectorView vectors;
    py::object owner;
};

void add_view(py::module_& module);

}  // namespace ringlet_python
