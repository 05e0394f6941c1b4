#!/usr/bin/env python3
"""Compares the path tracer with Mitsuba 3 on the same strands: test_mitsuba.py PROGRAM, the path of ringlet.

Mitsuba's hair is the same fibre model, written by others. Its curves are round. Exits 77 (skipped) and says why
where Mitsuba is missing or Ringlet has no path tracer.

RINGLET_LAMP_SAMPLES=8192 takes so many samples per pixel of images under a lamp, for which the bound of the
correlation is 0.99. With the default, 1024, two images of Mitsuba with different seeds correlate by 0.97.
"""
import json
import math
import os
import subprocess
import sys
import unittest

try:
    import mitsuba
    import numpy
except ImportError:
    print("skipped: no Mitsuba (python3 -m pip install mitsuba)")
    sys.exit(77)

from strand_images import (BOUNCES, COLOUR, EVEN_LIGHT, EYE_DISTANCE, INDEX, LIGHT, ONE_LAMP, ONE_STRAND, ROUGHNESS, SIZE,
                           TILT, VIEW, ImageCase, absorption, has_path_tracer, random_strands)

mitsuba.set_variant("scalar_rgb")

PROGRAM = sys.argv.pop(1) if __name__ == "__main__" and len(sys.argv) > 1 else "ringlet"
# Rays of Mitsuba 3.9 leave a point 9e-5 units beside it, more where its coordinates are large: with metres,
# they would miss neighbours several widths away.
REFERENCE_UNIT = 0.001  # m
SAMPLES_AT_ONCE = 1024  # Mitsuba 3.9.1 crashed on the bundle with 8192
LAMP_SAMPLES = int(os.environ.get("RINGLET_LAMP_SAMPLES", "1024"))


def render_reference(order):
    """Renders the curves of a file with Mitsuba and saves the image: red, green, blue, alpha."""
    scene = mitsuba.load_dict({
        "type": "scene",
        "integrator": {"type": "path", "max_depth": BOUNCES + 1, "rr_depth": 17, "hide_emitters": True},
        "sensor": {"type": "perspective", "fov": VIEW, "fov_axis": "y", "near_clip": 1,
                   "far_clip": 10000, "to_world": mitsuba.ScalarTransform4f().look_at(
                       origin=[0, 0, EYE_DISTANCE / REFERENCE_UNIT], target=[0, 0, 0], up=[0, 1, 0]),
                   "film": {"type": "hdrfilm", "width": SIZE, "height": SIZE, "pixel_format": "rgba",
                            "component_format": "float32", "rfilter": {"type": "box"}},
                   "sampler": {"type": "independent", "sample_count": order["samples"]}},
        "emitter": order["emitter"],
        "strands": {"type": "bsplinecurve", "filename": order["curves"],
                    "bsdf": {"type": "hair", "longitudinal_roughness": ROUGHNESS[0],
                             "azimuthal_roughness": ROUGHNESS[1], "scale_tilt": math.degrees(TILT), "int_ior": INDEX,
                             "ext_ior": 1.0, "sigma_a": {"type": "rgb", "value": absorption(COLOUR)}}}})
    numpy.save(order["image"], numpy.array(mitsuba.render(scene, seed=order["seed"]), dtype=float))


LAMP = {"type": "directional", "direction": [-c for c in LIGHT], "irradiance": {"type": "rgb", "value": [1, 1, 1]}}
AROUND = {"type": "constant", "radiance": {"type": "rgb", "value": [1, 1, 1]}}


class MitsubaCase(ImageCase):
    program, other = PROGRAM, "Mitsuba"

    def reference(self, diameter, lit_by, samples, curves):
        with open(self.path("curves.txt"), "w", encoding="utf-8") as file:
            for line in self.vertices():
                # The curve of straight, evenly spaced vertices ends at the last but one.
                line = numpy.vstack([2 * line[0] - line[1], line, 2 * line[-1] - line[-2]])
                # Mitsuba counts tilts towards the other end.
                for x, y, z in line[::-1] / REFERENCE_UNIT:
                    file.write(f"{x:.6f} {y:.6f} {z:.6f} {diameter / 2 / REFERENCE_UNIT:.6f}\n")
                file.write("\n")
        # The mean of images with different seeds.
        count = max(samples // SAMPLES_AT_ONCE, 1)
        mean = 0
        for seed in range(1, count + 1):
            order = {"curves": self.path("curves.txt"), "emitter": LAMP if lit_by is ONE_LAMP else AROUND,
                     "samples": samples // count, "seed": seed, "image": self.path("reference.npy")}
            mean = mean + self.image_of(order) / count
        return mean[:, :, :3], mean[:, :, 3]

    def image_of(self, order):
        # In its own process, because Mitsuba 3.9 crashes on curves now and then.
        for _ in range(3):
            done = subprocess.run([sys.executable, os.path.abspath(__file__), "--reference", json.dumps(order)],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                return numpy.load(order["image"])
            print(f"Mitsuba ended with code {done.returncode}; trying another seed")
            order["seed"] += 1000
        self.fail(done.stderr)

    def assert_equal(self, *arguments):
        ratio, correlation, _, _ = self.compare(*arguments)
        for channel in ratio:
            self.assertAlmostEqual(channel, 1, delta=0.01)
        is_precise = ONE_LAMP in arguments and LAMP_SAMPLES >= 8192
        self.assertGreater(correlation, 0.99 if is_precise else 0.95)


class OneStrand(MitsubaCase):
    def test_one_strand_under_a_lamp(self):
        for curves in ("flat", "round"):
            self.assert_equal(ONE_STRAND, 0.004, ONE_LAMP, LAMP_SAMPLES, curves)

    def test_one_strand_in_even_light(self):
        for curves in ("flat", "round"):
            self.assert_equal(ONE_STRAND, 0.004, EVEN_LIGHT, 64, curves)


class Bundle(MitsubaCase):
    # Mitsuba 3.9.1 crashes on the strands of seed 1.
    strands = random_strands(100, 2, 0.0005, 0.3)

    def test_a_bundle_under_a_lamp(self):
        self.assert_equal(self.strands, 0.0004, ONE_LAMP, LAMP_SAMPLES, "round")

    def test_a_bundle_in_even_light(self):
        self.assert_equal(self.strands, 0.0004, EVEN_LIGHT, 64, "round")


class OverlappingStrands(MitsubaCase):
    """Strands that pass through each other."""
    strands = random_strands(300, 2, 0, 0.3)

    def test_overlapping_strands_in_even_light(self):
        self.assert_equal(self.strands, 0.0008, EVEN_LIGHT, 64, "round")


class ManyStrands(MitsubaCase):
    strands = random_strands(1000, 2, 0.00007, 0.04)

    def test_many_strands_under_a_lamp(self):
        self.assert_equal(self.strands, 0.00006, ONE_LAMP, LAMP_SAMPLES, "round")

    def test_many_strands_in_even_light(self):
        self.assert_equal(self.strands, 0.00006, EVEN_LIGHT, 64, "round")


@unittest.skipIf(os.environ.get("RINGLET_TEST_LEVEL", "all") != "all", "too long for this level of ./test")
class TenThousandStrands(MitsubaCase):
    strands = random_strands(10000, 2, 0, 0.04)

    def test_ten_thousand_strands_under_a_lamp(self):
        self.assert_equal(self.strands, 0.00003, ONE_LAMP, LAMP_SAMPLES, "round")

    def test_ten_thousand_strands_in_even_light(self):
        self.assert_equal(self.strands, 0.00003, EVEN_LIGHT, 64, "round")


if __name__ == "__main__":
    if PROGRAM == "--reference":
        render_reference(json.loads(sys.argv[1]))
        sys.exit(0)
    if not has_path_tracer(PROGRAM):
        print("skipped: no path tracer in this build (libembree-dev)")
        sys.exit(77)
    unittest.main()
