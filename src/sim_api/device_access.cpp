// The state of a HairSim in the memory of a GPU.
#include "ringlet/sim.h"
#include "sim_api/boundary.h"
#include "sim_api/hair_sim_impl.h"

namespace ringlet {

namespace {

Error no_device() {
    return Error{"the CPU simulates; create with SimOptions::backend = Backend::cuda"};
}

}  // namespace

Result<DeviceVectors> HairSim::device_positions() const try {
    if (impl_->is_lost) return lost_state();
    if (!impl_->simulation->device()) return no_device();
    return impl_->device_view(impl_->simulation->state_on_device().x);
} catch (...) {
    return sim_error_from_exception();
}

Result<DeviceVectors> HairSim::device_velocities() const try {
    if (impl_->is_lost) return lost_state();
    if (!impl_->simulation->device()) return no_device();
    return impl_->device_view(impl_->simulation->state_on_device().v);
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::attach_gl_buffer(unsigned buffer) try {
    if (impl_->is_lost) return lost_state();
    if (!impl_->simulation->device()) return no_device();
    impl_->gl_buffer.reset();
    impl_->gl_buffer = impl_->simulation->positions_on_device()->open_target(buffer);
    if (impl_->gl_buffer) return {};
    return Error{
        "the OpenGL context is not on the GPU that simulates; make a context current that is, or "
        "draw positions()"};
} catch (...) {
    return sim_error_from_exception();
}

Result<void> HairSim::write_gl_buffer() try {
    if (impl_->is_lost) return lost_state();
    if (!impl_->simulation->device()) return no_device();
    if (!impl_->gl_buffer) return Error{"no OpenGL buffer is attached; call attach_gl_buffer()"};
    if (impl_->simulation->positions_on_device()->write_to(*impl_->gl_buffer)) return {};
    return Error{"the driver refuses to write the OpenGL buffer; it needs 4 * memory_size() bytes"};
} catch (...) {
    return sim_error_from_exception();
}

void HairSim::detach_gl_buffer() { impl_->gl_buffer.reset(); }

}  // namespace ringlet
