// A camera that orbits its target on a sphere.
#pragma once

#include "picture/camera.h"

namespace ringlet {

class Orbit {
public:
    explicit Orbit(const Camera& camera);

    void turn(float yaw, float pitch);  // rad
    void zoom(float factor);            // multiplies the distance to the target
    void pan(float right, float up);    // in fractions of the picture's height
    void raise(float metres);           // moves eye and target together

    Camera camera() const;

private:
    Vec3f target_;
    float distance_, yaw_, pitch_;
    Camera lens_;  // only its angle of view and its focus are used
};

}  // namespace ringlet
