"""The simulation of the caller's own strands."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy

from ringlet import _ringlet
from ringlet._arguments import is_gpu, to_pose
from ringlet._error import Error
from ringlet._groom import Groom
from ringlet._settings import SimSettings


class Stepped(NamedTuple):
    """The outcome of HairSim.step()."""

    steps: int
    """The number of steps that were taken; may be 0."""
    interpolation: float
    """The fraction of a step by which the caller's time is ahead of the last step."""
    dropped_seconds: float
    """The frame time that max_steps cut off (s)."""


class Collider(_ringlet.Collider):
    """A body that strands cannot enter.

    shape is "sphere", "capsule", "plane", "ellipsoid" or "mesh"; motion is "fixed", "with_head" or "posed". The
    other arguments are those of SimCollider in C++: centre, end, normal, radii, radius, friction, static_friction,
    restitution, thickness, cell, pose, deforms, room. A mesh has positions (vertices, 3) and triangles (triangles, 3).
    """

    def __init__(self, shape: str = "sphere", motion: str = "fixed", positions: Any = None, triangles: Any = None,
                 pose: Any = None, **values: Any) -> None:
        super().__init__()
        for kind, name in ((_ringlet.SimShape, shape), (_ringlet.SimMotion, motion)):
            if name not in kind.__members__:
                raise Error(f"there is no {name!r}; one of {', '.join(kind.__members__)}")
        self.set_shape(_ringlet.SimShape.__members__[shape])
        self.set_motion(_ringlet.SimMotion.__members__[motion])
        self.set_pose(*to_pose(pose))
        if positions is not None:
            self.set_mesh(numpy.ravel(positions), numpy.ravel(triangles))
        for name, value in values.items():
            if not hasattr(self, "set_" + name):
                raise Error(f"a collider has no {name!r}")
            getattr(self, "set_" + name)(value)


class HairSim(_ringlet.HairSim):
    """Simulates strands.

    positions is an array (strands, vertices, 3) or, with counts, (vertices of all strands, 3): root to tip, in the
    frame of the head, in metres. It may also be a Groom. It is copied. head is a pose: a 4x4 matrix, or a quaternion
    (x, y, z, w) and a translation. positions, velocities and previous_positions are views: hair.positions[strand] is
    an array (vertices, 3) in the memory of the simulation, which changes with every step.

    head_mesh is a pair (positions, triangles): the surface that the strands grow on, if it deforms (set_head_vertices).

    rest_frames is an array (vertices of all strands, 4) of quaternions (x, y, z, w): the orientation of the cross section
    at rest, whose first axis is the wide one of settings.rod.aspect_ratio and whose third lies along the strand.

    With backend="cuda", device_positions and device_velocities are views of the memory of the GPU, which other libraries
    read by __cuda_array_interface__ or DLPack without a copy. level_of_detail=True allows set_active_strands().
    """

    def __init__(self, positions: Any, counts: Any = None, settings: Optional[SimSettings] = None,
                 colliders: Sequence[Collider] = (), *, head: Any = None, seed: int = 1, threads: int = 0,
                 keep_previous: bool = False, max_steps: int = 16, level_of_detail: bool = False,
                 backend: str = "cpu", head_mesh: Optional[Tuple[Any, Any]] = None, rest_frames: Any = None) -> None:
        groom = positions if isinstance(positions, Groom) else Groom(positions, counts)
        settings = settings if settings is not None else SimSettings()
        mesh = head_mesh if head_mesh is not None else (numpy.empty(0), numpy.empty(0))
        widths = groom.widths if groom.widths is not None else numpy.empty(0)
        frames = rest_frames if rest_frames is not None else numpy.empty(0)
        super().__init__(groom.positions.ravel(), groom.counts, *map(numpy.ravel, (*mesh, widths, frames)),
                         settings._settings, list(colliders), seed, threads, keep_previous, max_steps, level_of_detail,
                         is_gpu(backend), *to_pose(head))

    def step(self, seconds: float) -> Stepped:
        """Advances by the caller's frame time in whole steps. Returns a Stepped."""
        return Stepped(*super().step(seconds))

    def set_head(self, pose: Any) -> None:
        """Sets the pose of the head at the end of the next step()."""
        super().set_head(*to_pose(pose))

    def set_collider_pose(self, collider: int, pose: Any) -> None:
        """Sets the pose of a collider whose motion is "posed", at the end of the next step()."""
        super().set_collider_pose(collider, *to_pose(pose))

    def set_head_vertices(self, positions: Any) -> None:
        """Sets the shape of head_mesh at the end of the next step(): (vertices, 3) in the frame of the head."""
        super().set_head_vertices(numpy.ravel(positions))

    def set_collider_vertices(self, collider: int, positions: Any) -> None:
        """The same for a collider with deforms=True."""
        super().set_collider_vertices(collider, numpy.ravel(positions))

    def set_active_strands(self, count: int) -> int:
        """Simulates about this many strands; the others follow the head rigidly. Returns the number that is active."""
        return super().set_active_strands(count)

    def set_push(self, start: Sequence[float], end: Sequence[float], acceleration: Sequence[float],
                 radius: float = 0.05) -> None:
        """Pushes hair around the line from start to end (m) by an acceleration (m/s^2), until end_push()."""
        super().set_push(start, end, radius, acceleration)

    def set_wind(self, settings: SimSettings) -> None:
        """Uses settings.wind from the next step on."""
        super().set_wind(settings._settings)

    def teleport(self, head: Any) -> None:
        """Moves head and hair to a new pose at once, without a whip."""
        super().teleport(*to_pose(head))
