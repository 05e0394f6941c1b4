"""Reads and writes the points of a Curves object."""
import numpy

# The attribute that keeps the groomed positions while the object shows simulated ones.
REST = "ringlet_rest"


def counts(curves):
    """The number of points of each curve."""
    offsets = numpy.empty(len(curves.curve_offset_data), dtype=numpy.int32)
    curves.curve_offset_data.foreach_get("value", offsets)
    return numpy.diff(offsets)


def positions(curves):
    """All points, (points, 3), in the object's space."""
    out = numpy.empty(3 * len(curves.points), dtype=numpy.float32)
    curves.position_data.foreach_get("vector", out)
    return out.reshape(-1, 3)


def show(curves, points):
    """Moves the points of the curves."""
    curves.position_data.foreach_set("vector", numpy.ascontiguousarray(points, dtype=numpy.float32).ravel())
    curves.update_tag()


def rest(curves):
    """The groomed positions. The first call keeps those of now."""
    attribute = curves.attributes.get(REST)
    if attribute is not None and len(attribute.data) == len(curves.points):
        out = numpy.empty(3 * len(curves.points), dtype=numpy.float32)
        attribute.data.foreach_get("vector", out)
        return out.reshape(-1, 3)
    if attribute is not None:
        curves.attributes.remove(attribute)
    groomed = positions(curves)
    curves.attributes.new(REST, "FLOAT_VECTOR", "POINT").data.foreach_set("vector", groomed.ravel())
    return groomed


def restore(curves):
    """Shows the groomed positions again, and forgets that they were kept."""
    attribute = curves.attributes.get(REST)
    if attribute is None:
        return
    show(curves, rest(curves))
    curves.attributes.remove(curves.attributes[REST])


def surface_deformers(obj):
    """Modifiers that move the curves with their surface. Ringlet does that itself."""
    for modifier in obj.modifiers:
        nodes = modifier.node_group.nodes if modifier.type == "NODES" and modifier.node_group else ()
        if any(node.bl_idname == "GeometryNodeDeformCurvesOnSurface" for node in nodes):
            yield modifier


def enable_surface_deformers(obj, enabled):
    for modifier in surface_deformers(obj):
        modifier.show_viewport = modifier.show_render = enabled
