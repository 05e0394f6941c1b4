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
    camera.real("f_stop", &Camera::f_stop)
        .range(0, 128)
        .says(
            "Focal length, for a sensor 24 mm high, over the diameter of the lens: a small number "
            "blurs what is out of focus; 0: all is sharp; renderer trace only.");
    camera.real("focus", &Camera::focus)
        .automatic(scene.automatic.camera_focus)
        .unit("m")
        .range(0, 1000)
        .says(
            "Distance from the camera at which the image is sharp; 0 or auto: that of the target; "
            "renderer trace only.");
}

}  // namespace ringlet
