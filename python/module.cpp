#include "bindings.h"
#include "ringlet/version.h"

namespace ringlet_python {

namespace {

// ringlet.Error(message, file, line, column), defined in Python.
void set_python_error(const ringlet::Error& error) {
    const py::object type = py::module_::import("ringlet._error").attr("Error");
    const py::object value = type(error.message, error.file, error.line, error.column);
    PyErr_SetObject(type.ptr(), value.ptr());
}

}  // namespace

PYBIND11_MODULE(_ringlet, module) {
    module.attr("version") = ringlet::version();
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (const Failure& failure) {
            set_python_error(failure.error);
        }
    });
    add_hair_sim(module);
    add_scene(module);
}

}  // namespace ringlet_python
