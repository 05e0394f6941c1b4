"""The simulation of one Curves object."""
import hashlib

import numpy
import ringlet

from . import air, axes, bodies, properties, strands


class CurvesSimulation:
    """A ringlet.HairSim with the strands, bodies and air of a Curves object.

    Create it at the first frame; call advance() with the depsgraph of each later frame.
    """

    def __init__(self, scene, obj, depsgraph):
        self.scene, self.obj = scene, obj
        own = obj.ringlet
        metres = axes.metres_per_unit(scene)
        self.metres = metres
        self.settings = properties.to_sim_settings(scene, own)
        self.settings.wind.velocity = self._wind(depsgraph)
        surface = bodies.surface_of(obj)
        self.surface = bodies.Body(surface, depsgraph, metres) if surface else None
        self.colliders = [bodies.Body(other, depsgraph, metres) for other in bodies.collider_objects(obj, own)]
        self.positions = self._groomed(depsgraph)
        head = self._head_pose(depsgraph)
        self.counts = strands.counts(obj.data)
        if len(self.counts) == 0:
            raise ringlet.Error(f"{obj.name} has no curves")
        self.hair = ringlet.HairSim(self.positions, self.counts, self.settings, self._make_colliders(own), head=head,
                                    threads=own.threads, max_steps=1000, **self._head_mesh())
        if self._surface_deforms:
            self._set_shapes()
            self.hair.reset()

    @property
    def _surface_deforms(self):
        return self.surface is not None and self.surface.deforms

    def _head_mesh(self):
        return {"head_mesh": (self.surface.rest, self.surface.triangles)} if self._surface_deforms else {}

    def _head_pose(self, depsgraph):
        if self.surface is not None:
            return self.surface.pose
        return axes.pose_of(self.obj.evaluated_get(depsgraph).matrix_world, self.metres)

    def _groomed(self, depsgraph):
        """The points of the groomed curves in the frame of the head."""
        own = self.obj.evaluated_get(depsgraph).matrix_world
        head = self.surface.obj.evaluated_get(depsgraph).matrix_world if self.surface else own
        points = axes.transform(axes.relative(own, head), strands.rest(self.obj.data))
        return axes.to_body(points, head, self.metres).astype(numpy.float32)

    def _make_colliders(self, own):
        out = [body.collider("posed", own) for body in self.colliders]
        if self.surface is not None and own.surface_collides:
            out.append(self.surface.collider("with_head", own))
        return out

    def _wind(self, depsgraph):
        return air.wind_velocity(self.scene, depsgraph) if self.obj.ringlet.use_wind else (0, 0, 0)

    def _set_shapes(self):
        if self._surface_deforms:
            self.hair.set_head_vertices(self.surface.positions)
            if self.obj.ringlet.surface_collides:
                self.hair.set_collider_vertices(len(self.colliders), self.surface.positions)
        for index, body in enumerate(self.colliders):
            if body.deforms:
                self.hair.set_collider_vertices(index, body.positions)

    def settle(self, frames):
        """Simulates while everything stands still."""
        for _ in range(frames):
            self.hair.step(properties.frame_seconds(self.scene))

    def advance(self, depsgraph, frames=1):
        """Simulates to the depsgraph's frame, which is `frames` after the last one."""
        for body in (self.surface, *self.colliders):
            if body is not None:
                body.update(depsgraph)
        self.hair.set_head(self._head_pose(depsgraph))
        for index, body in enumerate(self.colliders):
            self.hair.set_collider_pose(index, body.pose)
        self._set_shapes()
        if self.obj.ringlet.use_wind:
            self.settings.wind.velocity = self._wind(depsgraph)
            self.hair.set_wind(self.settings)
        self.hair.step(frames * properties.frame_seconds(self.scene))

    def local_positions(self, depsgraph):
        """The points of the curves in the object's space, (points, 3) of float32."""
        world = axes.to_blender(self.hair.positions.copy(), self.metres)
        matrix = self.obj.evaluated_get(depsgraph).matrix_world
        return axes.transform(matrix.inverted(), world).astype(numpy.float32)

    def key(self):
        """Identifies everything that a saved state depends on: strands, settings and meshes."""
        digest = hashlib.sha256()
        text = [ringlet.__version__, self.metres, self.obj.ringlet.preroll, self.obj.ringlet.surface_collides,
                self.obj.ringlet.friction, self.obj.ringlet.thickness]
        text += [self.settings.get(parameter.key) for parameter in ringlet.parameters()
                 if parameter.key != "wind.velocity"]
        digest.update(repr(text).encode())
        for array in (self.positions, self.counts):
            digest.update(numpy.ascontiguousarray(array).tobytes())
        for body in (self.surface, *self.colliders):
            if body is not None:
                digest.update(body.rest.tobytes() + body.triangles.tobytes())
        return digest.hexdigest()
