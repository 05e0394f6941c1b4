// [camera].
#include "scene/parameters/declarations.h"

namespace ringlet {

void declare_camera(ParameterTable& table, Scene& scene) {
    ParameterGroup<Camera> camera(table.parameters, "camera.", scene.camera);
    camera.vector("eye", &Camera::eye)
        .automatic(scene.automatic.camera_eye)
        .unit("m")
        .range(-1000, 1000)
        .says(
            "Position of the camera; auto: in front of the head, so far that all hair is in view.");
    camera.vector("target", &Camera::target)
        .automatic(scene.automatic.camera_target)
        .unit("m")
        .range(-1000, 1000)
        .says("Point at the centre of the image; auto: the middle of head and hair.");
    camera.real("field_of_view", &Camera::field_of_view_degrees)
        .unit("degrees")
        .range(1, 150)
        .says("Vertical angle of view.");
}

}  // namespace ringlet
