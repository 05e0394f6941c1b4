"""Strands at rest, as groom files hold them."""
from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Optional

import numpy

from ringlet import _ringlet
from ringlet._arguments import to_overrides
from ringlet._error import Error


class Groom:
    """Strands at rest: arrays, strand after strand, from root to tip.

    positions is an array (strands, vertices, 3) or, with counts, (vertices of all strands, 3), in metres with +Y up.
    Optional are widths (vertices; diameters in metres), colours (vertices, 3; linear) and root_uv (strands, 2).
    """

    positions: numpy.ndarray
    counts: numpy.ndarray
    widths: Optional[numpy.ndarray]
    colours: Optional[numpy.ndarray]
    root_uv: Optional[numpy.ndarray]

    def __init__(self, positions: Any, counts: Any = None, *, widths: Any = None, colours: Any = None,
                 root_uv: Any = None) -> None:
        positions = numpy.asarray(positions, dtype=numpy.float32)
        if counts is None:
            if positions.ndim != 3 or positions.shape[2] != 3:
                raise Error("positions: pass an array (strands, vertices, 3), or counts")
            counts = numpy.full(positions.shape[0], positions.shape[1], dtype=numpy.int32)
        self.positions = positions.reshape(-1, 3)
        self.counts = numpy.asarray(counts, dtype=numpy.int32)
        self.widths, self.colours, self.root_uv = (
            None if a is None else numpy.asarray(a, dtype=numpy.float32) for a in (widths, colours, root_uv))

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, scale: float = 1, z_up: bool = False, vertices: int = 0) -> Groom:
        """Reads a groom file; the extension selects the format.

        scale is metres per unit of the file, z_up rotates +Z to +Y, and vertices resamples every strand to this many.
        """
        positions, counts, widths, colours, root_uv = _ringlet.read_groom(os.fspath(path), scale, z_up, vertices)
        return cls(positions, counts, widths=widths, colours=colours, root_uv=root_uv)

    @classmethod
    def grow(cls, scene: str | os.PathLike[str], overrides: Optional[Mapping[str, Any]] = None, *, threads: int = 0,
             progress: Optional[Callable[[str, int, int], Any]] = None) -> Groom:
        """Grows the hair of a scene: a built-in name (builtin_scenes()) or the path of a TOML file.

        overrides is a dict of scene keys: {"groom.strands": 500, "groom.mesh": "head.obj"}. Patches such as eyebrows
        are left out unless "groom.grow_patches" is True.
        """
        given = to_overrides({"groom.grow_patches": False, **(overrides or {})})
        return cls._at_rest(_ringlet.Session(os.fspath(scene), given, threads, False, progress, None))

    @classmethod
    def _at_rest(cls, session: _ringlet.Session) -> Groom:
        positions, counts, widths, colours, root_uv = session.groom_at_rest()
        return cls(positions, counts, widths=widths, colours=colours, root_uv=root_uv)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a groom file; the extension selects the format. What it does not store is left out."""
        none = numpy.empty(0, dtype=numpy.float32)
        optional = [none if a is None else a.ravel() for a in (self.widths, self.colours, self.root_uv)]
        _ringlet.write_groom(os.fspath(path), self.positions.ravel(), self.counts, *optional)

    def strands(self) -> list[numpy.ndarray]:
        """The positions of each strand, (vertices, 3), as views of `positions`."""
        return numpy.split(self.positions, numpy.cumsum(self.counts)[:-1]) if len(self.counts) else []

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"Groom: {len(self.counts)} strands, {len(self.positions)} vertices"
