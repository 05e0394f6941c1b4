"""The baked frames of a Curves object, in a folder beside the .blend file.

    ringlet_cache/NAME_OF_BLEND/NAME_OF_OBJECT/bake.json       what was baked
                                               frame_0012.npy  points in the object's space, float32 (points, 3)
                                               state_0010.bin  the whole state, to continue after this frame

Every file is written under a temporary name and renamed, so that a file under its own name is complete.
"""
import json
import os
import pathlib
import re
import shutil

import bpy
import numpy
import ringlet

_STATE = re.compile(r"state_(-?\d+)\.bin")


def _safe(name):
    return re.sub(r"[^\w.-]", "_", name)


def folder_of(obj):
    """The folder of an object's cache, which need not exist; None if the .blend file was never saved."""
    if not bpy.data.filepath:
        return None
    blend = pathlib.Path(bpy.path.abspath(bpy.data.filepath))
    return blend.parent / "ringlet_cache" / _safe(blend.stem) / _safe(obj.name)


class Cache:
    """The cache of one object."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    @classmethod
    def of(cls, obj):
        folder = folder_of(obj)
        if folder is None:
            raise ringlet.Error("the cache lies beside the .blend file; save the file first")
        return cls(folder)

    def _write(self, name, write):
        """Calls write(file) and gives the complete file its name."""
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / (name + ".part")
        try:
            with open(partial, "wb") as file:
                write(file)
            os.replace(partial, self.folder / name)
        finally:
            partial.unlink(missing_ok=True)

    def about(self):
        """The content of bake.json: key, points, first and last frame. None if nothing valid is there."""
        try:
            out = json.loads((self.folder / "bake.json").read_text(encoding="utf-8"))
            return out if {"key", "points", "first", "last"} <= out.keys() else None
        except (OSError, ValueError, AttributeError):
            return None

    def describe(self, key, points, first, last):
        text = json.dumps({"key": key, "points": points, "first": first, "last": last}, indent=1)
        self._write("bake.json", lambda file: file.write(text.encode()))

    def _frame_path(self, frame):
        return self.folder / f"frame_{frame:04d}.npy"

    def write_frame(self, frame, points):
        self._write(self._frame_path(frame).name, lambda file: numpy.save(file, points, allow_pickle=False))

    def read_frame(self, frame, points):
        """The points of a frame, (points, 3); None if it is not baked or belongs to other curves."""
        try:
            out = numpy.load(self._frame_path(frame), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return out if out.dtype == numpy.float32 and out.shape == (points, 3) else None

    def write_state(self, frame, state):
        self._write(f"state_{frame:04d}.bin", lambda file: file.write(state))

    def read_state(self, frame):
        return (self.folder / f"state_{frame:04d}.bin").read_bytes()

    def states(self):
        """The frames after which a bake can continue, in order."""
        names = (_STATE.fullmatch(path.name) for path in self.folder.glob("state_*.bin"))
        return sorted(int(name[1]) for name in names if name)

    def remove_from(self, frame):
        """Removes the frames and states from `frame` on: they belong to an older bake."""
        for path in self.folder.glob("*_*.*"):
            number = re.fullmatch(r"(?:frame|state)_(-?\d+)\.(?:npy|bin)", path.name)
            if number and int(number[1]) >= frame:
                path.unlink()

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
