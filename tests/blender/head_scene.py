"""A scene for the tests and pictures of the add-on: the bust of Ringlet with a hairstyle as Curves, turning its head."""
import math
import pathlib

import bpy
import numpy
import ringlet
from mathutils.bvhtree import BVHTree

BUST = pathlib.Path(__file__).resolve().parents[2] / "scenes/assets/bust.obj"


def add_curves(name, positions, counts, surface):
    """A Curves object on a surface, from points in the surface's space."""
    data = bpy.data.hair_curves.new(name)
    data.add_curves([int(n) for n in counts])
    data.position_data.foreach_set("vector", numpy.ascontiguousarray(positions, dtype=numpy.float32).ravel())
    data.surface = surface
    obj = bpy.data.objects.new(name, data)
    obj.parent = surface
    bpy.context.scene.collection.objects.link(obj)
    return obj


def on_skin(groom, mesh):
    """The positions of a groom, each strand moved so that its root lies on the mesh."""
    mesh.calc_loop_triangles()
    tree = BVHTree.FromPolygons([vertex.co for vertex in mesh.vertices],
                                [tuple(triangle.vertices) for triangle in mesh.loop_triangles])
    roots = groom.positions[numpy.cumsum(groom.counts) - groom.counts]
    moves = [numpy.array(tree.find_nearest(root)[0]) - root for root in roots]
    return groom.positions + numpy.repeat(moves, groom.counts, axis=0)


def make(strands=2000, frames=48, style="curls", turn=1.0, overrides=None):
    """(scene, head, hair). The head is the bust, which turns by `turn` rad and back about Blender's Z."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, frames
    bpy.ops.wm.obj_import(filepath=str(BUST), up_axis="Y", forward_axis="NEGATIVE_Z")
    head = bpy.context.object
    head.name = "Head"
    groom = ringlet.Groom.grow(style, {"groom.strands": strands, "groom.guides": 0, **(overrides or {})})
    # The importer keeps the file's coordinates, which are Ringlet's, and turns the object.
    hair = add_curves("Hair", on_skin(groom, head.data), groom.counts, head)
    if groom.widths is not None:
        hair.data.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", groom.widths / 2)
    turn_head(head, frames, turn)
    return scene, head, hair


def turn_head(head, frames, turn):
    """Turns about the vertical axis: quickly to one side, then to the other."""
    head.rotation_mode = "XYZ"
    start = head.rotation_euler.copy()
    for frame in range(1, frames + 1):
        share = (frame - 1) / (frames - 1)
        head.rotation_euler = start
        head.rotation_euler.z = start.z + turn * math.sin(2 * math.pi * share) * min(1, 4 * share)
        head.keyframe_insert("rotation_euler", frame=frame)
