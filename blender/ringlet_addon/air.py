"""The wind of Blender's force fields."""
import numpy

from . import axes


def wind_velocity(scene, depsgraph):
    """The sum of all force fields of type Wind, in Ringlet's axes: strength 1 is 1 m/s along the object's +Z."""
    total = numpy.zeros(3)
    for obj in scene.objects:
        if obj.field is None or obj.field.type != "WIND":
            continue
        evaluated = obj.evaluated_get(depsgraph)
        direction = numpy.array(evaluated.matrix_world.to_3x3().normalized().col[2])
        total += evaluated.field.strength * direction
    return axes.direction_to_ringlet(total)
