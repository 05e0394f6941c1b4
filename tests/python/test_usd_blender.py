#!/usr/bin/env python3
"""Imports USD shots of the command line into Blender: test_usd_blender.py PROGRAM, the path of ringlet.

Exits 77 (skipped) and says why where Blender as a Python module (bpy) is missing.
"""
import os
import sys
import tempfile
import unittest

from shot_reference import read_hair, run_ringlet

try:
    import bpy
    import numpy
    from mathutils import Vector
except ImportError:
    print("skipped: no Blender (bpy from PyPI)")
    sys.exit(77)

PROGRAM = sys.argv.pop(1) if __name__ == "__main__" and len(sys.argv) > 1 else "ringlet"
FRAMES = 5


def values(collection, name, width):
    out = numpy.empty(len(collection) * width, numpy.float32)
    collection.foreach_get(name, out)
    return out


class Import(unittest.TestCase):
    def check(self, strands, is_long):
        scene = ["shake", "--set", f"groom.strands={strands}", "--set", "groom.grow_patches=false", "--set", "record.fps=60"]
        with tempfile.TemporaryDirectory() as folder:
            for output, frames in ((folder + "/hair/", FRAMES - 1), (folder + "/shot.usda", FRAMES)):
                done = run_ringlet(PROGRAM, "simulate", *scene, "-o", output, "--frames", str(frames))
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.path.isdir(folder + "/shot.clips"), is_long)
            bpy.ops.wm.read_factory_settings(use_empty=True)
            bpy.ops.wm.usd_import(filepath=folder + "/shot.usda", set_frame_range=True)
            [hair] = [o for o in bpy.data.objects if o.type == "CURVES"]
            self.assertTrue([o for o in bpy.data.objects if o.type == "MESH"])
            self.assertTrue([o for o in bpy.data.objects if o.type == "CAMERA"])
            self.assertEqual(len([o for o in bpy.data.objects if o.type == "LIGHT"]), 2)  # the third is the world
            self.assertEqual(bpy.context.scene.frame_end, FRAMES - 1)
            # +Y of the file points up, +Z in Blender.
            up = hair.matrix_world.to_3x3() @ Vector((0, 1, 0))
            self.assertLess((up - Vector((0, 0, 1))).length, 1e-6)
            for frame in range(1, FRAMES):
                counts, points, widths = read_hair(f"{folder}/hair/frame{frame - 1:04}.hair")
                bpy.context.scene.frame_set(frame)
                now = hair.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
                self.assertEqual([len(curve.points) for curve in now.curves], counts)
                numpy.testing.assert_allclose(values(now.points, "position", 3), points, rtol=0, atol=1e-6)
                numpy.testing.assert_allclose(2 * values(now.points, "radius", 1), widths, rtol=0, atol=1e-7)
            ids = values(hair.data.attributes["groom_id"].data, "value", 1)
            self.assertEqual(list(ids), list(range(len(counts))))

    def test_a_short_shot(self):
        self.check(30, False)

    def test_a_long_shot(self):
        self.check(1500, True)


if __name__ == "__main__":
    unittest.main()
