"""Scenes: built in, or TOML files."""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Mapping, Optional

import numpy

from ringlet import _ringlet
from ringlet._arguments import is_gpu, to_overrides
from ringlet._groom import Groom

Progress = Optional[Callable[[str, int, int], Any]]
Log = Optional[Callable[[str], Any]]


class Scene(_ringlet.Session):
    """A scene that is being simulated: a built-in name (builtin_scenes()) or the path of a TOML file.

    overrides is a dict of scene keys: {"groom.strands": 500, "sim.model": "rod"}.

    progress(activity, done, total) is called from time to time in functions that take long and may return False to
    cancel; log(message) receives messages. Ctrl+C cancels, too. A scene whose simulate() or render() was cancelled
    must be reset.
    """

    def __init__(self, scene: str | os.PathLike[str], overrides: Optional[Mapping[str, Any]] = None, *,
                 threads: int = 0, backend: str = "cpu", progress: Progress = None, log: Log = None) -> None:
        super().__init__(os.fspath(scene), to_overrides(overrides), threads, is_gpu(backend), progress, log)

    def groom(self) -> Groom:
        """The strands at rest, children included."""
        return Groom._at_rest(self)

    def report(self) -> Dict[str, Any]:
        """The statistics since the start, as a dict."""
        return json.loads(self.report_json())

    def simulate(self, frames: int = 0, output: str | os.PathLike[str] = "", *, progress: Progress = None,
                 log: Log = None) -> Dict[str, Any]:
        """Takes `frames` steps (0: record.duration) and returns the report.

        output is a groom file for the last step, or a folder that ends in / for one .hair file per step.
        """
        return json.loads(super().simulate(os.fspath(output), frames, progress, log))

    def render(self, output: str | os.PathLike[str], *, frames: int = 0, width: int = 0, height: int = 0,
               fps: float = 0.0, renderer: str = "gl", progress: Progress = None, log: Log = None) -> None:
        """Renders from time 0 to .mp4, .png, .bmp or a folder that ends in /."""
        super().render(os.fspath(output), frames, width, height, fps, renderer, progress, log)

    def render_image(self, width: int = 0, height: int = 0, *, renderer: str = "gl",
                     progress: Progress = None) -> numpy.ndarray:
        """Draws the scene as it is now: an array (height, width, 4) of uint8, sRGB with alpha, the top row first."""
        return super().render_image(width, height, renderer, progress)


def builtin_scenes() -> Dict[str, str]:
    """The built-in scenes: {name: title}."""
    return dict(_ringlet.builtin_scenes())
