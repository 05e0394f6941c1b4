// [head] and [[head.key]]: the motion and the deformation of the head.
#include "scene/parameters/declarations.h"

namespace ringlet {

namespace {

void declare_key(ParameterGroup<HeadKey> key) {
    key.real("time", &HeadKey::time).unit("s").range(0, 86400).says("Time of the key.");
    key.vector("translate", &HeadKey::translate)
        .unit("m")
        .range(-1000, 1000)
        .says("Translation of the head at that time.");
    key.vector("rotate", &HeadKey::rotate_degrees)
        .unit("degrees")
        .range(-36000, 36000)
        .says("Rotation of the head at that time: about x (nod), y (turn), z (tilt).");
}

}  // namespace

void declare_sequence(ParameterGroup<SequenceFiles> sequence, const std::string& sentence) {
    sequence.text("sequence", &SequenceFiles::files).names_file().says(sentence);
    sequence.real("sequence_fps", &SequenceFiles::fps)
        .unit("1/s")
        .range(0.01, 1000)
        .says("Frames of the sequence per second.");
    sequence.flag("sequence_loops", &SequenceFiles::loops)
        .says("The first frame follows the last; false: the last frame stays.");
}

void declare_head(ParameterTable& table, Scene& scene) {
    ParameterGroup<AnimationSettings> animation(table.parameters, "head.", scene.animation);
    ParameterGroup<HeadMotion> head(table.parameters, "head.", scene.world.head);
    head.choice("motion", &HeadMotion::motion)
        .says("Periodic motion that is added to that of the keys.");
    head.real("amplitude", &HeadMotion::amplitude)
        .unit("m or rad")
        .range(0, 100)
        .says("Amplitude of shake (m), nod and turn (rad).");
    head.real("frequency", &HeadMotion::frequency)
        .unit("1/s")
        .range(0, 100)
        .says("Periods per second; for spin, revolutions per second.");
    declare_sequence(head.members(&HeadMotion::sequence),
                     "OBJ files of a deforming groom.mesh, one per frame, relative to the scene "
                     "file: walk/frame####.obj, with # for each digit. Roots follow the surface.");
    animation.text("animation", &AnimationSettings::name)
        .says(
            "Animation of the file of groom.mesh (bones, morph targets, moving nodes): its name, "
            "\"auto\" for the first if it has any, or \"none\". Mesh colliders whose file has it "
            "play it too. Ignored where there is a sequence.");
    animation.flag("animation_loops", &AnimationSettings::loops)
        .says("The animation repeats; false: its last pose stays.");
    head.vector("pivot", &HeadMotion::pivot)
        .unit("m")
        .range(-1000, 1000)
        .automatic(scene.automatic.pivot)
        .says("Centre of the head's rotation; auto: in the neck.");
    head.choice("neck", &HeadMotion::neck)
        .says(
            "rigid: the whole mesh follows the head's motion. auto: only the head above the neck "
            "does, and the shoulders stay, where the mesh has shoulders and keeps its shape.");
    table.lists.push_back(declare_list("head.key", scene.world.head.keys, 4096,
                                       "A pose of the head at a time; smooth in between.",
                                       declare_key));
}

}  // namespace ringlet
