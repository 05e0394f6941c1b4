#!/usr/bin/env python3
"""Compares the path tracer with Cycles on the same strands: test_cycles.py PROGRAM, the path of ringlet.

The Principled Hair shader of Cycles has the same fibre model, written by others. Exits 77 (skipped) and says why where
Blender is no Python module or Ringlet has no path tracer.
"""
import colorsys
import os
import sys
import unittest

try:
    import bpy
    import numpy
except ImportError:
    print("skipped: no Blender (python3 -m pip install bpy)")
    sys.exit(77)

from cycles_scene import add_hair, add_lamp, render_cycles, start_scene
from strand_images import (BOUNCES, EVEN_LIGHT, EYE_DISTANCE, LIGHT, ONE_LAMP, ONE_STRAND, SIZE, VIEW, ImageCase,
                           has_path_tracer, light_and_alpha, random_strands)

PROGRAM = sys.argv.pop(1) if __name__ == "__main__" and len(sys.argv) > 1 else "ringlet"


def hue(light):
    """Returns the hue of the mean colour in degrees."""
    return 360 * colorsys.rgb_to_hsv(*light.mean((0, 1)))[0]


class CyclesCase(ImageCase):
    program, other = PROGRAM, "Cycles"

    def reference(self, diameter, lit_by, samples, curves):
        scene = start_scene(SIZE, SIZE, samples, BOUNCES, curves, world=0 if lit_by is ONE_LAMP else 1)
        scene.camera.location, scene.camera.data.angle = (0, 0, EYE_DISTANCE), numpy.radians(VIEW)
        if lit_by is ONE_LAMP:
            add_lamp(scene, LIGHT, 1)
        add_hair(scene, self.vertices(), diameter)
        render_cycles(scene, self.path("reference.exr"))
        return light_and_alpha(self.path("reference.exr"))

    def assert_equal(self, *arguments):
        ratio, correlation, ours, theirs = self.compare(*arguments)
        print(f"    hue {hue(ours):.2f} and {hue(theirs):.2f} degrees")
        for channel in ratio:
            self.assertAlmostEqual(channel, 1, delta=0.02)
        self.assertAlmostEqual(hue(ours), hue(theirs), delta=0.3)
        self.assertGreater(correlation, 0.95)


class OneStrand(CyclesCase):
    def test_one_strand_under_a_lamp(self):
        for curves in ("flat", "round"):
            self.assert_equal(ONE_STRAND, 0.004, ONE_LAMP, 1024, curves)

    def test_one_strand_in_even_light(self):
        for curves in ("flat", "round"):
            self.assert_equal(ONE_STRAND, 0.004, EVEN_LIGHT, 64, curves)


class Bundle(CyclesCase):
    strands = random_strands(100, 2, 0.0005, 0.3)

    def test_a_bundle_under_a_lamp(self):
        for curves in ("flat", "round"):
            self.assert_equal(self.strands, 0.0004, ONE_LAMP, 1024, curves)

    def test_a_bundle_in_even_light(self):
        for curves in ("flat", "round"):
            self.assert_equal(self.strands, 0.0004, EVEN_LIGHT, 64, curves)


@unittest.skipIf(os.environ.get("RINGLET_TEST_LEVEL", "all") != "all", "too long for this level of ./test")
class TenThousandStrands(CyclesCase):
    strands = random_strands(10000, 2, 0, 0.04)

    def test_ten_thousand_strands_under_a_lamp(self):
        self.assert_equal(self.strands, 0.00003, ONE_LAMP, 1024, "flat")

    def test_ten_thousand_strands_in_even_light(self):
        self.assert_equal(self.strands, 0.00003, EVEN_LIGHT, 64, "flat")


if __name__ == "__main__":
    if not has_path_tracer(PROGRAM):
        print("skipped: no path tracer in this build (libembree-dev)")
        sys.exit(77)
    unittest.main()
