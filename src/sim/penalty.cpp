#include "sim/penalty.h"

namespace ringlet {

void push_out(SimState& state, const SimSettings& settings,
              std::span<const PlacedCollider> colliders, float h, Device* device,
              std::span<const char> pushed, const TaskPool& pool) {
    const float rate = h * min(settings.penalty_stiffness, 1 / (h * h));
    if (device) {
        device->push_out(state.x, state.v, settings.collision_radius, rate,
                         static_cast<int>(colliders.size()));
        return;
    }
    const StrandLayout& layout = state.x.layout();
    pool.for_each(layout.strand_count(), [&](int s) {
        if (!pushed.empty() && pushed[static_cast<std::size_t>(s)] == 0) return;
        for (int i = 0; i < layout.vertex_count(s); ++i) {
            const Vec3f x = state.x.vec3(s, i);
            SurfacePoint<float> nearest{settings.collision_radius, {0, 0, 0}};
            for (const PlacedCollider& body : colliders) {
                const SurfacePoint<float> surface = nearest_surface(body, x);
                if (surface.distance < nearest.distance) nearest = surface;
            }
            const float depth = settings.collision_radius - nearest.distance;
            if (depth > 0)
                state.v.set_vec3(s, i, state.v.vec3(s, i) + nearest.normal * (rate * depth));
        }
    });
}

}  // namespace ringlet
