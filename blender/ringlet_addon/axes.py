"""Converts between Blender's space (+Z up, the scene's unit) and Ringlet's (+Y up, metres).

A point (x, y, z) of Blender is s * (x, z, -y) in Ringlet, where s is the length of a Blender unit in metres.
"""
import mathutils
import numpy

# Rows: the axes of Ringlet in Blender's space.
_TURN = numpy.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]], dtype=float)


def metres_per_unit(scene):
    return scene.unit_settings.scale_length


def to_ringlet(points, metres):
    """Points (n, 3) of Blender's world in Ringlet's."""
    return metres * (numpy.asarray(points, dtype=float) @ _TURN.T)


def to_blender(points, metres):
    """Points (n, 3) of Ringlet's world in Blender's."""
    return (numpy.asarray(points, dtype=float) @ _TURN) / metres


def direction_to_ringlet(vector):
    """A vector without a length unit, or in SI units."""
    return tuple(_TURN @ numpy.asarray(vector, dtype=float))


def transform(matrix, points):
    """Applies a 4x4 matrix to points (n, 3)."""
    m = numpy.array(matrix, dtype=float)
    return numpy.asarray(points, dtype=float) @ m[:3, :3].T + m[:3, 3]


def pose_of(matrix_world, metres):
    """The rigid part of an object's matrix as a 4x4 matrix of Ringlet: rotation and translation, without scale."""
    location, rotation, _ = mathutils.Matrix(matrix_world).decompose()
    pose = numpy.eye(4)
    pose[:3, :3] = _TURN @ numpy.array(rotation.to_matrix(), dtype=float) @ _TURN.T
    pose[:3, 3] = metres * (_TURN @ numpy.array(location, dtype=float))
    return pose


def stretch_of(matrix_world):
    """Scale and shear of an object's matrix: 3x3, applied before its rotation.

    Rounded to six decimals, so that a body that only moves has the same points at every frame, bit by bit.
    """
    matrix = mathutils.Matrix(matrix_world)
    rotation = numpy.array(matrix.decompose()[1].to_matrix(), dtype=float)
    return numpy.round(rotation.T @ numpy.array(matrix, dtype=float)[:3, :3], 6)


def relative(matrix, to):
    """The 4x4 matrix from the space of `matrix` to that of `to`, rounded like stretch_of()."""
    out = numpy.linalg.inv(numpy.array(to, dtype=float)) @ numpy.array(matrix, dtype=float)
    return numpy.round(out, 6)


def to_body(points, matrix_world, metres):
    """Points of an object's space in the frame of its pose_of()."""
    return to_ringlet(numpy.asarray(points, dtype=float) @ stretch_of(matrix_world).T, metres)
