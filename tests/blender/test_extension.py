#!/usr/bin/env python3
"""Installs the add-on with Blender's own installer and bakes with it: test_extension.py ringlet_blender.zip.

Uses a temporary folder instead of the user's settings. Needs Blender as a Python module (pip install bpy); exits 77
(skipped) and says so where it is missing.
"""
import os
import pathlib
import sys
import tempfile
import unittest

ARCHIVE = os.path.abspath(sys.argv.pop(1))
USER = tempfile.TemporaryDirectory()
os.environ["BLENDER_USER_RESOURCES"] = USER.name
try:
    import bpy
except ImportError:
    print("skipped: no Blender as a Python module (pip install bpy)")
    sys.exit(77)
import addon_utils
import numpy

ADDON = "bl_ext.user_default.ringlet"


class Extension(unittest.TestCase):
    def test_it_installs_with_its_wheel_and_bakes(self):
        addon_utils.enable("bl_pkg")
        self.assertEqual(bpy.ops.extensions.package_install_files(
            filepath=ARCHIVE, repo="user_default", enable_on_install=True), {"FINISHED"})
        self.assertIn(ADDON, bpy.context.preferences.addons.keys())
        import ringlet
        self.assertTrue(ringlet.__file__.startswith(USER.name), ringlet.__file__)

        # An empty file disables add-ons.
        import head_scene
        scene, _, hair = head_scene.make(strands=30, frames=4)
        self.assertFalse(hasattr(bpy.types.Object, "ringlet"))
        addon_utils.enable(ADDON, default_set=True)
        blend = pathlib.Path(USER.name) / "shot.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(blend))
        bpy.context.view_layer.objects.active = hair
        self.assertEqual(bpy.ops.ringlet.bake(), {"FINISHED"})
        frames = sorted(pathlib.Path(USER.name).rglob("frame_*.npy"))
        self.assertEqual(len(frames), 4)
        self.assertFalse(numpy.array_equal(numpy.load(frames[0]), numpy.load(frames[-1])))


if __name__ == "__main__":
    unittest.main()
