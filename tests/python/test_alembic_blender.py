#!/usr/bin/env python3
"""Imports Alembic shots of the command line into Blender: test_alembic_blender.py PROGRAM, the path of ringlet.

Exits 77 (skipped) and says why where Blender as a Python module (bpy) is missing.
"""
import sys
import tempfile
import unittest

from shot_reference import read_hair, run_ringlet

try:
    import bpy
    import numpy
except ImportError:
    print("skipped: no Blender (bpy from PyPI)")
    sys.exit(77)

PROGRAM = sys.argv.pop(1) if __name__ == "__main__" and len(sys.argv) > 1 else "ringlet"
FRAMES = 5
FPS = 60


def values(collection, name, width):
    out = numpy.empty(len(collection) * width, numpy.float32)
    collection.foreach_get(name, out)
    return out


def z_up(points):
    """Blender turns the coordinates of Alembic files: +Y of the file is +Z."""
    x, y, z = numpy.reshape(points, (-1, 3)).T
    return numpy.stack((x, -z, y), axis=1).ravel()


def imported(path):
    """The objects of a file by type, in an otherwise empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    bpy.ops.wm.alembic_import(filepath=path, set_frame_range=True)
    out = {}
    for item in bpy.data.objects:
        out.setdefault(item.type, []).append(item)
    return out


class Import(unittest.TestCase):
    def simulate(self, output, frames, *arguments):
        done = run_ringlet(PROGRAM, "simulate", "shake", "--set", "groom.strands=300", "--set",
                           f"record.fps={FPS}", "-o", output, "--frames", str(frames), *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_frame_of_a_shot(self):
        with tempfile.TemporaryDirectory() as folder:
            self.simulate(folder + "/hair/", FRAMES - 1)
            self.simulate(folder + "/shot.abc", FRAMES)
            objects = imported(folder + "/shot.abc")
            [hair] = objects["CURVES"]
            self.assertTrue(objects["MESH"])
            self.assertEqual(len(objects["CAMERA"]), 1)
            self.assertEqual(bpy.context.scene.frame_end, FRAMES - 1)
            for frame in range(1, FRAMES):
                counts, points, widths = read_hair(f"{folder}/hair/frame{frame - 1:04}.hair")
                bpy.context.scene.frame_set(frame)
                now = hair.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
                self.assertEqual([len(curve.points) for curve in now.curves], counts)
                numpy.testing.assert_allclose(values(now.points, "position", 3), z_up(points), rtol=0, atol=1e-6)
                numpy.testing.assert_allclose(2 * values(now.points, "radius", 1), widths, rtol=0, atol=1e-7)

    def test_the_head_moves_with_the_hair(self):
        with tempfile.TemporaryDirectory() as folder:
            self.simulate(folder + "/shot.abc", 40)
            objects = imported(folder + "/shot.abc")
            [hair] = objects["CURVES"]
            head = max(objects["MESH"], key=lambda item: len(item.data.vertices))
            away = []
            for frame in (0, 20, 39):
                bpy.context.scene.frame_set(frame)
                now = bpy.context.evaluated_depsgraph_get()
                curves = hair.evaluated_get(now)
                skin = head.evaluated_get(now)
                first = curves.data.curves[0].points[0].position
                found, nearest, _, _ = skin.closest_point_on_mesh(skin.matrix_world.inverted() @ first)
                self.assertTrue(found)
                away.append((skin.matrix_world @ nearest - first).length)
            self.assertLess(max(away), 1e-3, "a root stays on the skin")

    def test_centimetres_for_unreal(self):
        with tempfile.TemporaryDirectory() as folder:
            self.simulate(folder + "/metres.abc", 2)
            self.simulate(folder + "/unreal.abc", 2, "--for", "unreal")
            sizes = []
            for name in ("metres", "unreal"):
                [hair] = imported(f"{folder}/{name}.abc")["CURVES"]
                points = values(hair.data.points, "position", 3)
                # Undoes the turn of the import.
                sizes.append(numpy.stack((points[0::3], points[2::3], -points[1::3]), axis=1))
            metres, unreal = sizes
            expected = 100 * numpy.stack((metres[:, 0], -metres[:, 2], metres[:, 1]), axis=1)
            numpy.testing.assert_allclose(unreal, expected, rtol=0, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
