"""Moves curves when the frame changes: from the cache, or by simulating in real time."""
import bpy
import ringlet
from bpy.app.handlers import persistent

from . import bake, cache, strands
from .simulation import CurvesSimulation

# The running simulations of real time, by the object's session_uid: (simulation, last frame).
_live = {}
# The longest gap in frames that real time simulates; longer jumps start again.
_LONGEST_GAP = 8
# The last failure of real time by session_uid, for the panel.
failures = {}


def _objects(scene, mode):
    return [obj for obj in scene.objects if obj.type == "CURVES" and obj.ringlet.mode == mode]


def show_cached(obj, frame):
    """Shows the baked frame, or the nearest one of the range. Returns False if there is none."""
    folder = cache.folder_of(obj)
    own = cache.Cache(folder) if folder else None
    about = own.about() if own else None
    if not about:
        return False
    points = own.read_frame(min(max(frame, about["first"]), about["last"]), len(obj.data.points))
    if points is None:
        return False
    strands.show(obj.data, points)
    return True


def step_live(scene, obj, depsgraph):
    """Simulates to the scene's frame and shows it."""
    frame, uid = scene.frame_current, obj.session_uid
    simulation, last = _live.get(uid, (None, None))
    gap = frame - last if simulation else 0
    if gap == 0 and simulation:
        return
    if simulation and 0 < gap <= _LONGEST_GAP and frame != scene.frame_start:
        simulation.advance(depsgraph, gap)
    else:
        strands.enable_surface_deformers(obj, False)
        simulation = CurvesSimulation(scene, obj, depsgraph)
    _live[uid] = simulation, frame
    strands.show(obj.data, simulation.local_positions(depsgraph))


def forget_live(obj):
    """The next frame of real time starts from rest."""
    _live.pop(obj.session_uid, None)
    failures.pop(obj.session_uid, None)


# Before the depsgraph is evaluated, so that a final render of the frame has the points.
@persistent
def _before_frame(scene, _depsgraph=None):
    if not bake.is_running:
        for obj in _objects(scene, "CACHE"):
            show_cached(obj, scene.frame_current)


# After it, because a simulation reads the evaluated meshes of the frame.
@persistent
def _after_frame(scene, depsgraph=None):
    if bake.is_running:
        return
    for obj in _objects(scene, "LIVE"):
        try:
            step_live(scene, obj, depsgraph or bpy.context.evaluated_depsgraph_get())
            failures.pop(obj.session_uid, None)
        except ringlet.Error as error:
            forget_live(obj)
            failures[obj.session_uid] = str(error)


@persistent
def _after_load(*_):
    _live.clear()
    failures.clear()


_HANDLERS = (("frame_change_pre", _before_frame), ("frame_change_post", _after_frame), ("load_post", _after_load))


def register():
    for name, function in _HANDLERS:
        getattr(bpy.app.handlers, name).append(function)


def unregister():
    _live.clear()
    for name, function in _HANDLERS:
        if function in getattr(bpy.app.handlers, name):
            getattr(bpy.app.handlers, name).remove(function)
