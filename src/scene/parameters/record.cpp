// [record]: length and format of recordings.
#include "scene/parameters/declarations.h"

namespace ringlet {

void declare_record(ParameterTable& table, Scene& scene) {
    ParameterGroup<Record> record(table.parameters, "record.", scene.record);
    record.real("fps", &Record::fps)
        .unit("1/s")
        .range(1, 240)
        .says("Frames per second of recordings.");
    record.real("duration", &Record::duration)
        .unit("s")
        .range(0, 3600)
        .says("Length of a recording.");
    record.real("settle", &Record::settle)
        .unit("s")
        .range(0, 60)
        .says("Simulated time before the first frame, in which the hair comes to rest.");
    record.real("orbit", &Record::orbit)
        .unit("degrees/s")
        .range(-3600, 3600)
        .says(
            "Speed at which the camera of `ringlet render` circles its target: a turntable of "
            "still "
            "hair.");
    record.choice("format", &Record::format)
        .says("Format of the viewer's recordings: numbered images or a video.");
    record.whole("width", &Record::width).unit("px").range(16, 8192).says("Width of images.");
    record.whole("height", &Record::height).unit("px").range(16, 8192).says("Height of images.");
}

}  // namespace ringlet
