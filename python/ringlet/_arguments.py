"""Conversions of arguments that several classes accept."""
from __future__ import annotations

import json
from typing import Any, Mapping, Tuple

import numpy

from ringlet._error import Error


def to_pose(pose: Any) -> Tuple[Tuple[float, ...], Tuple[float, ...]]:
    """(rotation, translation) of None, a 4x4 matrix, or a pair of a quaternion (x, y, z, w) and a vector."""
    if pose is None:
        return (0, 0, 0, 1), (0, 0, 0)
    if len(pose) == 2:
        return tuple(map(float, pose[0])), tuple(map(float, pose[1]))
    m = numpy.asarray(pose, dtype=float)
    if m.shape != (4, 4):
        raise Error("a pose is a 4x4 matrix, or a quaternion (x, y, z, w) and a translation")
    # There are four ways to read a quaternion from a matrix. This is the one with the largest divisor.
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


def is_gpu(backend: str) -> bool:
    if backend not in ("cpu", "cuda"):
        raise Error(f'there is no backend {backend!r}; "cpu" or "cuda"')
    return backend == "cuda"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)


def to_overrides(values: Mapping[str, Any] | None) -> list[str]:
    """Assignments "key=value" of the keys of a scene file."""
    return [f"{key}={_toml(value)}" for key, value in (values or {}).items()]
