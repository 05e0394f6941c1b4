// Runs of control vertices small enough for one binding of a storage buffer and one dispatch: the
// limit of some drivers (128 MiB) is below what a full head needs.
#pragma once

#include <algorithm>
#include <cstddef>

#include "render_gl/gl_objects.h"

namespace ringlet {

inline constexpr std::size_t kControlBytes = 32;    // of a ControlVertex
inline constexpr std::size_t kMaxGroups = 65535;    // of a dispatch, on any driver
inline constexpr std::size_t kControlsAligned = 8;  // 256 bytes, the coarsest alignment there is

// Controls first to last, and the bound ones: their neighbours are among them.
struct ControlRange {
    std::size_t first, last, from, to;
};

// visit(range) over all controls, so that neither `bytes_per_slot` times the slots (`steps` per
// control) nor the groups of a dispatch over them exceed what the driver takes.
template <class Visit>
void for_each_control_range(std::size_t controls, std::size_t steps, std::size_t bytes_per_slot,
                            std::size_t group, std::size_t max_storage, const Visit& visit) {
    const std::size_t slots =
        std::min({max_storage / bytes_per_slot, kMaxGroups * group,
                  (max_storage / kControlBytes - 2 * kControlsAligned) * steps});
    const std::size_t chunk =
        std::max(slots / steps / kControlsAligned * kControlsAligned, kControlsAligned);
    for (std::size_t first = 0; first < controls; first += chunk) {
        const std::size_t last = std::min(first + chunk, controls);
        visit(ControlRange{first, last, first - std::min(first, kControlsAligned),
                           std::min(last + kControlsAligned, controls)});
    }
}

// As shaders/curve.glsl expects them.
inline void bind_controls(GLuint buffer, const ControlRange& range) {
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, buffer,
                      static_cast<GLintptr>(range.from * kControlBytes),
                      static_cast<GLsizeiptr>((range.to - range.from) * kControlBytes));
}

// One invocation per item.
inline void dispatch(std::size_t items, std::size_t group) {
    glDispatchCompute(static_cast<GLuint>((items + group - 1) / group), 1, 1);
}

// One invocation of the current program per control vertex. Tells it at uniform location 0 what the
// bound range begins with, at 1 which control vertex is the first and how many there are.
inline void dispatch_over_controls(GLuint buffer, std::size_t controls, std::size_t group,
                                   std::size_t max_storage) {
    for_each_control_range(controls, 1, 1, group, max_storage, [&](const ControlRange& range) {
        bind_controls(buffer, range);
        glUniform1ui(0, static_cast<GLuint>(range.from));
        glUniform2ui(1, static_cast<GLuint>(range.first),
                     static_cast<GLuint>(range.last - range.first));
        dispatch(range.last - range.first, group);
    });
}

}  // namespace ringlet
