"""Grows, simulates and renders hair.

Own strands:   hair = ringlet.HairSim(positions, counts); hair.step(1 / 60); hair.positions[0]
Scenes:        scene = ringlet.Scene("curls", {"groom.strands": 500}); scene.step()

Units are SI: metres, kilograms, seconds, radians; +Y is up. Names are those of the C++ library.
Failures raise ringlet.Error. Functions that take long release the lock of Python.
"""
import collections
import json

import numpy

from ringlet import _ringlet
from ringlet._error import Error
from ringlet._settings import SimSettings

__version__ = _ringlet.version
__all__ = ["Collider", "Error", "HairSim", "Scene", "SimSettings", "Stepped", "builtin_scenes"]

Stepped = collections.namedtuple("Stepped", "steps interpolation dropped_seconds")
Stepped.__doc__ = """The outcome of HairSim.step(): the number of steps that were taken, the fraction of a step
by which the caller's time is ahead of the last one, and the frame time that max_steps cut off (s)."""


def _pose(pose):
    """(rotation, translation) of None, a 4x4 matrix, or a pair of a quaternion (x, y, z, w) and a vector."""
    if pose is None:
        return (0, 0, 0, 1), (0, 0, 0)
    if len(pose) == 2:
        return tuple(map(float, pose[0])), tuple(map(float, pose[1]))
    m = numpy.asarray(pose, dtype=float)
    if m.shape != (4, 4):
        raise Error("a pose is a 4x4 matrix, or a quaternion (x, y, z, w) and a translation")
    # Of the four ways to read a quaternion from a matrix, the one with the largest divisor.
    trace = [m[0, 0] - m[1, 1] - m[2, 2], m[1, 1] - m[0, 0] - m[2, 2],
             m[2, 2] - m[0, 0] - m[1, 1], m[0, 0] + m[1, 1] + m[2, 2]]
    k = int(numpy.argmax(trace))
    q = numpy.zeros(4)
    q[k] = 1 + trace[k]
    if k == 3:
        q[:3] = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    else:
        i, j = (k + 1) % 3, (k + 2) % 3
        q[i], q[j], q[3] = m[i, k] + m[k, i], m[j, k] + m[k, j], m[j, i] - m[i, j]
    return tuple(q / numpy.linalg.norm(q)), tuple(m[:3, 3])


class Collider(_ringlet.Collider):
    """A body that strands cannot enter.

    shape is "sphere", "capsule", "plane", "ellipsoid" or "mesh"; motion is "fixed", "with_head" or "posed". The
    other arguments are those of SimCollider in C++: centre, end, normal, radii, radius, friction, static_friction,
    restitution, thickness, cell, pose. A mesh has positions (vertices, 3) and triangles (triangles, 3).
    """

    def __init__(self, shape="sphere", motion="fixed", positions=None, triangles=None, pose=None, **values):
        super().__init__()
        for kind, name in ((_ringlet.SimShape, shape), (_ringlet.SimMotion, motion)):
            if name not in kind.__members__:
                raise Error(f"there is no {name!r}; one of {', '.join(kind.__members__)}")
        self.set_shape(_ringlet.SimShape.__members__[shape])
        self.set_motion(_ringlet.SimMotion.__members__[motion])
        self.set_pose(*_pose(pose))
        if positions is not None:
            self.set_mesh(numpy.ravel(positions), numpy.ravel(triangles))
        for name, value in values.items():
            if not hasattr(self, "set_" + name):
                raise Error(f"a collider has no {name!r}")
            getattr(self, "set_" + name)(value)


class HairSim(_ringlet.HairSim):
    """Simulates strands.

    positions is an array (strands, vertices, 3) or, with counts, (vertices of all strands, 3): root to tip, in the
    frame of the head, in metres. It is copied. head is a pose: a 4x4 matrix, or a quaternion (x, y, z, w) and a
    translation. positions, velocities and previous_positions are views: hair.positions[strand] is an array
    (vertices, 3) in the memory of the simulation, which changes with every step.
    """

    def __init__(self, positions, counts=None, settings=None, colliders=(), *, head=None, seed=1, threads=0,
                 keep_previous=False, max_steps=16, backend="cpu"):
        positions = numpy.asarray(positions, dtype=numpy.float32)
        if counts is None:
            if positions.ndim != 3 or positions.shape[2] != 3:
                raise Error("positions: pass an array (strands, vertices, 3), or counts")
            counts = numpy.full(positions.shape[0], positions.shape[1], dtype=numpy.int32)
        settings = settings if settings is not None else SimSettings()
        super().__init__(numpy.ravel(positions), numpy.asarray(counts, dtype=numpy.int32), settings._settings,
                         list(colliders), seed, threads, keep_previous, max_steps, _is_gpu(backend), *_pose(head))

    def step(self, seconds):
        """Advances by the caller's frame time in whole steps. Returns a Stepped."""
        return Stepped(*super().step(seconds))

    def set_head(self, pose):
        """Sets the pose of the head at the end of the next step()."""
        super().set_head(*_pose(pose))

    def set_collider_pose(self, collider, pose):
        """Sets the pose of a collider whose motion is "posed", at the end of the next step()."""
        super().set_collider_pose(collider, *_pose(pose))

    def set_wind(self, settings):
        """Uses settings.wind from the next step on."""
        super().set_wind(settings._settings)

    def teleport(self, head):
        """Moves head and hair to a new pose at once, without a whip."""
        super().teleport(*_pose(head))


def _is_gpu(backend):
    if backend not in ("cpu", "cuda"):
        raise Error(f'there is no backend {backend!r}; "cpu" or "cuda"')
    return backend == "cuda"


def _toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)


class Scene(_ringlet.Session):
    """A scene that is being simulated: a built-in name (builtin_scenes()) or the path of a TOML file.

    overrides is a dict of scene keys: {"groom.strands": 500, "sim.model": "rod"}.
    """

    def __init__(self, scene, overrides=None, *, threads=0, backend="cpu"):
        assignments = [f"{key}={_toml(value)}" for key, value in (overrides or {}).items()]
        super().__init__(str(scene), assignments, threads, _is_gpu(backend))

    def report(self):
        """The statistics since the start, as a dict."""
        return json.loads(self.report_json())

    def render(self, output, *, frames=0, width=0, height=0, fps=0.0, progress=None, log=None):
        """Renders to .mp4, .png, .bmp or a folder that ends in /.

        progress(activity, done, total) is called from time to time and may return False to cancel; log(message)
        receives messages.
        """
        super().render(str(output), frames, width, height, fps, progress, log)


def builtin_scenes():
    """The built-in scenes: {name: title}."""
    return dict(_ringlet.builtin_scenes())
