#!/usr/bin/env python3
"""Compares the path tracer with Mitsuba 3 on the same strands: test_mitsuba.py PROGRAM, the path of ringlet.

Mitsuba's hair is the same fibre model, written by others. Its curves are round. Exits 77 (skipped) and says why
where Mitsuba is missing or Ringlet has no path tracer.
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

from shot_reference import read_hair, run_ringlet

try:
    import mitsuba
    import numpy
except ImportError:
    print("skipped: no Mitsuba (python3 -m pip install mitsuba)")
    sys.exit(77)
mitsuba.set_variant("scalar_rgb")

PROGRAM = sys.argv.pop(1) if __name__ == "__main__" and len(sys.argv) > 1 else "ringlet"
SIZE = 40  # pixels
ROUGHNESS = (0.6, 0.3)  # along (render.roughness; broad, for little noise) and around (shade/fibre.h)
TILT = 0.0349 * 180 / math.pi
COLOUR = (0.6, 0.4, 0.2)
EYE_DISTANCE, VIEW = 0.5, 3.0  # m, degrees
LIGHT = (0.4, 0.3, 1.0)
# Rays of Mitsuba 3.9 leave a point 9e-5 units beside it, more where its coordinates are large: with metres,
# they would miss neighbours several widths away.
REFERENCE_UNIT = 0.001  # m
LISTED_STRANDS = 4096  # more do not fit into a scene file and are read from a groom file
GROOM_FILE = ["file = \"strands.npy\"", "file_units = \"m\"", "file_up = \"+y\"", "file_facing = \"+z\"",
              "file_fit = \"none\"", "file_recolour = true"]


def absorption(colour):
    """Chiang et al. 2016, equation 9."""
    b = ROUGHNESS[1]
    fit = 5.969 - 0.215 * b + 2.532 * b**2 - 10.73 * b**3 + 5.574 * b**4 + 0.245 * b**5
    return [(math.log(c) / fit) ** 2 for c in colour]


def random_strands(count, seed, gap, spread, extent=0.014, length=0.02):
    """Roots and directions of straight strands around the origin whose axes are at least `gap` apart.

    Where strands overlap, flat and round curves differ.
    """
    draw = numpy.random.default_rng(seed)
    middles, directions = numpy.zeros((0, 3)), numpy.zeros((0, 3))
    while len(middles) < count:
        direction = numpy.array([0.3, 1, 0.2]) + draw.normal(size=3) * spread
        direction /= numpy.linalg.norm(direction)
        middle = draw.uniform(-extent / 2, extent / 2, 3)
        # The points of the two axes that are nearest to each other.
        half = length / 2
        between = middle - middles
        b, d, e = directions @ direction, between @ direction, (between * directions).sum(1)
        s = numpy.clip((b * e - d) / numpy.maximum(1 - b * b, 1e-9), -half, half)
        t = numpy.clip(e + b * s, -half, half)
        s = numpy.clip(b * t - d, -half, half)
        apart = numpy.linalg.norm(between + s[:, None] * direction - t[:, None] * directions, axis=1)
        if not (apart < gap).any():
            middles, directions = numpy.vstack([middles, middle]), numpy.vstack([directions, direction])
    return [([float(x) for x in m - d * length / 2], [float(x) for x in d], length)
            for m, d in zip(middles, directions)]


def scene_text(strands, diameter, light, curves):
    """A scene of straight strands, without meshes."""
    file = GROOM_FILE if len(strands) > LISTED_STRANDS else []
    lines = ["title = \"strands\"", "[groom]", *file, f"diameter = {diameter}", "diameter_variation = 0", "taper = 0",
             "[groom.colour]", f"root = {list(COLOUR)}", f"tip = {list(COLOUR)}", "variation = 0",
             "[camera]", f"eye = [0, 0, {EYE_DISTANCE}]", "target = [0, 0, 0]", f"field_of_view = {VIEW}",
             "[render]", f"curves = \"{curves}\"", f"roughness = {ROUGHNESS[0]}", "ground = false",
             "background = [0.72, 0.72, 0.72]",
             "[light]", *light]
    for root, direction, length in strands if not file else []:
        lines += ["[[groom.strand]]", f"root = {root}", f"direction = {direction}", f"length = {length}", "vertices = 4"]
    return "\n".join(lines) + "\n"


def render_reference(order):
    """Renders the curves of a file with Mitsuba and saves the image: red, green, blue, alpha."""
    scene = mitsuba.load_dict({
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 65, "rr_depth": 17, "hide_emitters": True},
        "sensor": {"type": "perspective", "fov": VIEW, "fov_axis": "y", "near_clip": 1,
                   "far_clip": 10000, "to_world": mitsuba.ScalarTransform4f().look_at(
                       origin=[0, 0, EYE_DISTANCE / REFERENCE_UNIT], target=[0, 0, 0], up=[0, 1, 0]),
                   "film": {"type": "hdrfilm", "width": SIZE, "height": SIZE, "pixel_format": "rgba",
                            "component_format": "float32", "rfilter": {"type": "box"}},
                   "sampler": {"type": "independent", "sample_count": order["samples"]}},
        "emitter": order["emitter"],
        "strands": {"type": "bsplinecurve", "filename": order["curves"],
                    "bsdf": {"type": "hair", "longitudinal_roughness": ROUGHNESS[0],
                             "azimuthal_roughness": ROUGHNESS[1], "scale_tilt": TILT, "int_ior": 1.55,
                             "ext_ior": 1.0, "sigma_a": {"type": "rgb", "value": absorption(COLOUR)}}}})
    numpy.save(order["image"], numpy.array(mitsuba.render(scene, seed=order["seed"]), dtype=float))


# Undoes the tints of the soft light, so that its radiance is 1 from everywhere.
EVEN_LIGHT = ["key = 0", "rim = 0", f"fill = {1 / 0.72}", f"colour = [{1 / 0.52}, {1 / 0.46}, {1 / 0.42}]"]
ONE_LAMP = ["key = 1", "rim = 0", "fill = 0", "colour = [1, 1, 1]", "size = 0", f"direction = {list(LIGHT)}"]


class MitsubaCase(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)

    def ringlet(self, *arguments):
        done = run_ringlet(PROGRAM, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def traced(self, strands, diameter, light, samples, curves):
        """Ringlet's light and alpha, as arrays."""
        with open(self.path("scene.toml"), "w", encoding="utf-8") as file:
            file.write(scene_text(strands, diameter, light, curves))
        along = numpy.linspace(0, 1, 4)[:, None]
        numpy.save(self.path("strands.npy"),
                   numpy.array([numpy.array(root) + along * length * numpy.array(direction)
                                for root, direction, length in strands], dtype=numpy.float32))
        self.ringlet("render", self.path("scene.toml"), "--renderer", "trace", "--frames", "1", "--size",
                     f"{SIZE}x{SIZE}", "--set", f"render.samples={samples}", "-o", self.path("image.exr"))
        layers = dict(mitsuba.Bitmap(self.path("image.exr")).split())
        pixels = numpy.array(layers["<root>"], dtype=float)
        names = [field.name for field in layers["<root>"].struct_()]
        return pixels[:, :, [names.index(n) for n in "RGB"]], pixels[:, :, names.index("A")]

    def reference(self, diameter, emitter, samples, seed=1):
        """Mitsuba's light and alpha of the same strands, from the file that Ringlet writes of them."""
        self.ringlet("groom", self.path("scene.toml"), "-o", self.path("strands.hair"))
        counts, positions, _ = read_hair(self.path("strands.hair"))
        points = numpy.array(positions).reshape(-1, 3)
        with open(self.path("curves.txt"), "w", encoding="utf-8") as file:
            first = 0
            for count in counts:
                # The curve of straight, evenly spaced vertices ends at the last but one.
                line = points[first:first + count]
                line = numpy.vstack([2 * line[0] - line[1], line, 2 * line[-1] - line[-2]])
                # Mitsuba counts tilts towards the other end.
                for x, y, z in line[::-1] / REFERENCE_UNIT:
                    file.write(f"{x:.6f} {y:.6f} {z:.6f} {diameter / 2 / REFERENCE_UNIT:.6f}\n")
                file.write("\n")
                first += count
        # In its own process, because Mitsuba 3.9 crashes on curves now and then.
        order = {"curves": self.path("curves.txt"), "emitter": emitter, "samples": samples, "seed": seed,
                 "image": self.path("reference.npy")}
        for _ in range(3):
            done = subprocess.run([sys.executable, os.path.abspath(__file__), "--reference", json.dumps(order)],
                                  capture_output=True, text=True)
            if done.returncode == 0:
                break
            print(f"Mitsuba ended with code {done.returncode}; trying again")
        self.assertEqual(done.returncode, 0, done.stderr)
        return numpy.load(order["image"])

    def compare(self, strands, diameter, light, emitter, samples, curves="flat"):
        ours, alpha = self.traced(strands, diameter, light, samples, curves)
        theirs = self.reference(diameter, emitter, samples)
        coverage = alpha.mean() / theirs[:, :, 3].mean()
        # Relative to the coverage, which has a noise of its own.
        ratio = ours.mean((0, 1)) / theirs[:, :, :3].mean((0, 1)) / coverage
        correlation = numpy.corrcoef(ours[:, :, 1].ravel(), theirs[:, :, 1].ravel())[0, 1]
        print(f"{self.id().split('.')[-1]}, {curves}: ours over Mitsuba {ratio.round(4)}, coverage {coverage:.4f}, "
              f"correlation {correlation:.4f}")
        self.assertAlmostEqual(coverage, 1, delta=0.01)
        return ratio, correlation

    def assert_equal(self, *arguments):
        ratio, correlation = self.compare(*arguments)
        for channel in ratio:
            self.assertAlmostEqual(channel, 1, delta=0.01)
        # Two images of Mitsuba with different seeds correlate by 0.97 under a lamp.
        self.assertGreater(correlation, 0.95)


LAMP = {"type": "directional", "direction": [-c for c in LIGHT], "irradiance": {"type": "rgb", "value": [1, 1, 1]}}
AROUND = {"type": "constant", "radiance": {"type": "rgb", "value": [1, 1, 1]}}
ONE = [([-0.015, -0.02, -0.004], [0.6, 0.8, 0.16], 0.05)]


class OneStrand(MitsubaCase):
    def test_one_strand_under_a_lamp(self):
        for curves in ("flat", "round"):
            self.assert_equal(ONE, 0.004, ONE_LAMP, LAMP, 1024, curves)

    def test_one_strand_in_even_light(self):
        for curves in ("flat", "round"):
            self.assert_equal(ONE, 0.004, EVEN_LIGHT, AROUND, 64, curves)


class Bundle(MitsubaCase):
    # Mitsuba 3.9.1 crashes on the strands of seed 1.
    strands = random_strands(100, 2, 0.0005, 0.3)

    def test_a_bundle_under_a_lamp(self):
        self.assert_equal(self.strands, 0.0004, ONE_LAMP, LAMP, 1024, "round")

    def test_a_bundle_in_even_light(self):
        self.assert_equal(self.strands, 0.0004, EVEN_LIGHT, AROUND, 64, "round")


class OverlappingStrands(MitsubaCase):
    """Strands that pass through each other."""
    strands = random_strands(300, 2, 0, 0.3)

    def test_overlapping_strands_in_even_light(self):
        self.assert_equal(self.strands, 0.0008, EVEN_LIGHT, AROUND, 64, "round")


class ManyStrands(MitsubaCase):
    strands = random_strands(1000, 2, 0.00007, 0.04)

    def test_many_strands_under_a_lamp(self):
        self.assert_equal(self.strands, 0.00006, ONE_LAMP, LAMP, 1024, "round")

    def test_many_strands_in_even_light(self):
        self.assert_equal(self.strands, 0.00006, EVEN_LIGHT, AROUND, 64, "round")


@unittest.skipIf(os.environ.get("RINGLET_TEST_LEVEL", "all") != "all", "too long for this level of ./test")
class TenThousandStrands(MitsubaCase):
    strands = random_strands(10000, 2, 0, 0.04)

    def test_ten_thousand_strands_under_a_lamp(self):
        self.assert_equal(self.strands, 0.00003, ONE_LAMP, LAMP, 1024, "round")

    def test_ten_thousand_strands_in_even_light(self):
        self.assert_equal(self.strands, 0.00003, EVEN_LIGHT, AROUND, 64, "round")


if __name__ == "__main__":
    if PROGRAM == "--reference":
        render_reference(json.loads(sys.argv[1]))
        sys.exit(0)
    with tempfile.TemporaryDirectory() as folder:
        probe = run_ringlet(PROGRAM, "render", "pendulum", "--renderer", "trace", "--frames", "1", "--size", "16x16",
                            "-o", os.path.join(folder, "probe.png"))
        if "libembree-dev" in probe.stderr:
            print("skipped: no path tracer in this build (libembree-dev)")
            sys.exit(77)
    unittest.main()
