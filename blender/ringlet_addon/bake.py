"""Simulates a Curves object over the timeline and writes every frame to its cache."""
import contextlib

import bpy

from . import strands
from .cache import Cache
from .simulation import CurvesSimulation

# True while a bake moves the timeline: the handlers of playback then leave the curves alone.
is_running = False


class Bake:
    """A bake of the frames from `first` to `last`, which run() takes one by one.

    A simulation starts at scene.frame_start. Frames before `first` are simulated again unless the cache has the state
    of one of them and neither strands, settings nor meshes have changed since.
    """

    def __init__(self, scene, obj, first=None, last=None):
        self.scene, self.obj = scene, obj
        self.start = scene.frame_start
        self.first = max(self.start, scene.frame_start if first is None else first)
        self.last = scene.frame_end if last is None else last
        self.cache = Cache.of(obj)
        self.total = max(0, self.last - self.first + 1)
        self.continued_from = None  # the frame whose state was loaded, or None

    def _depsgraph(self, frame):
        self.scene.frame_set(frame)
        return bpy.context.evaluated_depsgraph_get()

    def _start(self):
        """The simulation, and the last frame that it has."""
        simulation = CurvesSimulation(self.scene, self.obj, self._depsgraph(self.start))
        about, key = self.cache.about(), simulation.key()
        if about and about["key"] == key:
            usable = [frame for frame in self.cache.states() if frame < self.first]
            if usable:
                self.continued_from = usable[-1]
                self._depsgraph(usable[-1])
                simulation.hair.load(self.cache.read_state(usable[-1]))
        if self.continued_from is None:
            simulation.settle(self.obj.ringlet.preroll)
        done = self.start if self.continued_from is None else self.continued_from
        # Frames behind those that stay valid belong to an older bake.
        self.cache.remove_from(self.start if self.continued_from is None else done + 1)
        last = min(self.last, done) if self.continued_from is not None else self.start - 1
        self.cache.describe(key, len(self.obj.data.points), self.start, last)
        return simulation, key, done

    def run(self):
        """A generator that yields each frame once it is written. Closing it keeps the frames that are complete."""
        with _timeline(self.scene):
            strands.rest(self.obj.data)
            strands.enable_surface_deformers(self.obj, False)
            simulation, key, done = self._start()
            if self.continued_from is None:
                self._write(simulation, key, self.start)
                yield self.start
            for frame in range(done + 1, self.last + 1):
                depsgraph = self._depsgraph(frame)
                simulation.advance(depsgraph)
                self._write(simulation, key, frame)
                yield frame

    def _write(self, simulation, key, frame):
        self.cache.write_frame(frame, simulation.local_positions(bpy.context.evaluated_depsgraph_get()))
        # The state of the last frame lets a cancelled or shorter bake continue there.
        step = self.obj.ringlet.checkpoint
        self.cache.write_state(frame, simulation.hair.save())
        before = frame - 1
        if (before - self.start) % step != 0:
            (self.cache.folder / f"state_{before:04d}.bin").unlink(missing_ok=True)
        self.cache.describe(key, len(self.obj.data.points), self.start, frame)


@contextlib.contextmanager
def _timeline(scene):
    """Keeps playback away from the curves while the timeline moves, and returns to the frame of before."""
    global is_running
    frame, is_running = scene.frame_current, True
    try:
        yield
    finally:
        is_running = False
        scene.frame_set(frame)
