// Vectors in the memory of a GPU as a Python object.
#pragma once

#include "bindings.h"

namespace ringlet_python {

// Keeps the simulation alive.
struct DeviceView {
    ringlet::DeviceVectors vectors;
    py::object owner;
};

void add_device_view(py::module_& module);

}  // namespace ringlet_python
