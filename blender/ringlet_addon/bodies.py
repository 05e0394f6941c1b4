"""Reads meshes as the depsgraph evaluates them: the surface that hair grows on, and colliders."""
import numpy
import ringlet

from . import axes


def _vertices(mesh):
    out = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
    mesh.vertices.foreach_get("co", out)
    return out.reshape(-1, 3)


def _triangles(mesh):
    mesh.calc_loop_triangles()
    out = numpy.empty(3 * len(mesh.loop_triangles), dtype=numpy.int32)
    mesh.loop_triangles.foreach_get("vertices", out)
    return out.reshape(-1, 3).astype(numpy.uint32)


def is_closed(triangles):
    """True if every edge belongs to an even number of triangles."""
    edges = numpy.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, uses = numpy.unique(edges, axis=0, return_counts=True)
    return bool((uses % 2 == 0).all())


def may_deform(obj):
    """Whether modifiers or shape keys can change the shape of a mesh."""
    return len(obj.modifiers) > 0 or obj.data.shape_keys is not None


class Body:
    """A mesh object. Its points are in the frame of its pose: in metres, with the object's scale, +Y up."""

    def __init__(self, obj, depsgraph, metres):
        self.obj, self.metres = obj, metres
        self.deforms = may_deform(obj)
        self.pose, self.positions = self.read(depsgraph)
        mesh = obj.evaluated_get(depsgraph).to_mesh()
        self.triangles = _triangles(mesh)
        obj.evaluated_get(depsgraph).to_mesh_clear()
        if len(self.triangles) == 0:
            raise ringlet.Error(f"{obj.name} has no faces; choose a mesh with faces")
        self.rest = self._rest_positions(depsgraph)

    def read(self, depsgraph):
        """(pose, positions) at the depsgraph's frame."""
        evaluated = self.obj.evaluated_get(depsgraph)
        mesh = evaluated.to_mesh()
        own = axes.to_body(_vertices(mesh), evaluated.matrix_world, self.metres)
        evaluated.to_mesh_clear()
        return axes.pose_of(evaluated.matrix_world, self.metres), own.astype(numpy.float32)

    def update(self, depsgraph):
        """Reads pose and positions again."""
        pose, positions = self.read(depsgraph)
        if len(positions) != len(self.positions):
            raise ringlet.Error(
                f"{self.obj.name} has {len(positions)} vertices instead of {len(self.positions)}; remove modifiers "
                "that change the number of vertices during the animation")
        if not self.deforms and numpy.abs(positions - self.rest).max() > 1e-5:
            raise ringlet.Error(f"{self.obj.name} changes its size; animate its location and rotation, or a shape key")
        self.pose, self.positions = pose, positions

    def _rest_positions(self, depsgraph):
        """The mesh without modifiers, on which curves are groomed; the evaluated one if it has other vertices."""
        mesh = self.obj.data
        if not self.deforms or len(mesh.vertices) != len(self.positions):
            return self.positions
        matrix = self.obj.evaluated_get(depsgraph).matrix_world
        basis = mesh.shape_keys.reference_key if mesh.shape_keys else None
        points = _vertices(mesh)
        if basis is not None:
            basis.data.foreach_get("co", points.reshape(-1))
        return axes.to_body(points, matrix, self.metres).astype(numpy.float32)

    def collider(self, motion, settings):
        """The body as a ringlet.Collider that moves "with_head" or "posed"."""
        thickness = 0 if is_closed(self.triangles) else settings.thickness
        more = {"deforms": True} if self.deforms else {}
        pose = self.pose if motion == "posed" else None
        return ringlet.Collider("mesh", motion, positions=self.rest, triangles=self.triangles, pose=pose,
                                friction=settings.friction, thickness=thickness, **more)


def surface_of(obj):
    """The mesh object that the curves grow on, or None."""
    surface = obj.data.surface or obj.parent
    return surface if surface is not None and surface.type == "MESH" else None


def collider_objects(obj, settings):
    """The meshes of the collection, without the surface."""
    if settings.colliders is None:
        return []
    return [other for other in settings.colliders.all_objects if other.type == "MESH" and other != surface_of(obj)]
