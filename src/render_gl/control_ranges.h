// Splits the control vertices into ranges that fit one storage-buffer binding and one dispatch. The
// limit of some drivers (128 MiB) is below what a full head of hair needs.
#pragma once

#include <algorithm>
#include <cstddef>

#include "render_gl/gl_objects.h"
#include "render_gl/shader_constants.h"

namespace ringlet {

inline constexpr std::size_t kControlBytes = 32;    // sizeof(ControlVertex)
inline constexpr std::size_t kMaxGroups = 65535;    // per dispatch, guaranteed by OpenGL
inline constexpr std::size_t kControlsAligned = 8;  // 256 bytes, the coarsest buffer alignment

// Processes controls [first, last) with [from, to) bound, which includes their neighbours.
struct ControlRange {
    std::size_t first, last, from, to;
};

// Calls visit(range) for ranges that cover all controls. Neither `bytes_per_slot` times the slots
// (`steps` per control) nor the workgroups of a dispatch exceed the driver's limits.
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

// Binds the range for shaders/curve.glsl. The program that reads it must be current.
inline void bind_controls(GLuint buffer, const ControlRange& range) {
    glUniform1ui(shader::kFirstControlUniform, static_cast<GLuint>(range.from));
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, shader::kControlBinding, buffer,
                      static_cast<GLintptr>(range.from * kControlBytes),
                      static_cast<GLsizeiptr>((range.to - range.from) * kControlBytes));
}

// Dispatches one invocation per item, `layers` times with gl_WorkGroupID.z from 0 on.
inline void dispatch(std::size_t items, std::size_t group, GLuint layers = 1) {
    glDispatchCompute(static_cast<GLuint>((items + group - 1) / group), 1, layers);
}

// Dispatches workgroups that number themselves gl_WorkGroupID.x + gl_WorkGroupID.y *
// gl_NumWorkGroups.x. The last numbers may exceed the count.
inline void dispatch_groups(int count, GLuint layers = 1) {
    constexpr int kMost = static_cast<int>(kMaxGroups);
    glDispatchCompute(static_cast<GLuint>(std::min(count, kMost)),
                      static_cast<GLuint>((count + kMost - 1) / kMost), layers);
}

// Dispatches one invocation of the current program per `stride` control vertices and layer. Sets
// the uniforms first_control and control_range.
inline void dispatch_over_controls(GLuint buffer, std::size_t controls, std::size_t group,
                                   std::size_t max_storage, std::size_t stride = 1,
                                   GLuint layers = 1) {
    for_each_control_range(controls, 1, 1, group, max_storage, [&](const ControlRange& range) {
        bind_controls(buffer, range);
        glUniform2ui(shader::kControlRangeUniform, static_cast<GLuint>(range.first),
                     static_cast<GLuint>(range.last - range.first));
        dispatch((range.last - range.first + stride - 1) / stride, group, layers);
    });
}

}  // namespace ringlet
