#include "dlpack.h"

#include <memory>

namespace ringlet_python {

namespace {

// The structs of the protocol, whose binary layout it defines.
struct Tensor {
    void* data;
    std::int32_t device_type, device_id;
    std::int32_t dimensions;
    std::uint8_t type_code, type_bits;  // 2, 32: float
    std::uint16_t type_lanes;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};
struct Managed {
    static constexpr const char* kName = "dltensor";
    Tensor tensor;
    void* context;
    void (*deleter)(Managed*);
};
struct ManagedVersioned {
    static constexpr const char* kName = "dltensor_versioned";
    static constexpr std::uint64_t kReadOnly = 1;
    std::uint32_t major, minor;
    void* context;
    void (*deleter)(ManagedVersioned*);
    std::uint64_t flags;
    Tensor tensor;
};

template <class Header>
struct Export {
    Header header;
    std::int64_t shape, stride;
    py::object owner;
};

// Called by the consumer on any thread.
template <class Header>
void destroy(Header* header) {
    const py::gil_scoped_acquire lock;
    delete static_cast<Export<Header>*>(header->context);
}

// A consumer renames the capsule and destroys the tensor itself.
template <class Header>
void destroy_unused(PyObject* capsule) {
    if (!PyCapsule_IsValid(capsule, Header::kName)) return;
    auto* const header = static_cast<Header*>(PyCapsule_GetPointer(capsule, Header::kName));
    header->deleter(header);
}

template <class Header>
py::capsule make(Header header, std::span<const float> values, const py::object& owner,
                 DlpackDevice device) {
    auto made = std::make_unique<Export<Header>>(
        Export<Header>{header, static_cast<std::int64_t>(values.size()), 1, owner});
    // The protocol has no pointer to constant data.
    made->header.tensor = {const_cast<float*>(values.data()),
                           device.kind,
                           device.number,
                           1,
                           2,
                           32,
                           1,
                           &made->shape,
                           &made->stride,
                           0};
    made->header.context = made.get();
    made->header.deleter = &destroy<Header>;
    PyObject* const capsule = PyCapsule_New(&made->header, Header::kName, &destroy_unused<Header>);
    if (!capsule) throw py::error_already_set();
    made.release();
    return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace

py::capsule to_dlpack(std::span<const float> values, const py::object& owner, bool versioned,
                      DlpackDevice device) {
    if (!versioned) return make(Managed{}, values, owner, device);
    ManagedVersioned header{};
    header.major = 1;
    header.flags = ManagedVersioned::kReadOnly;
    return make(header, values, owner, device);
}

}  // namespace ringlet_python
