"""Shared by the tests that compare images of strands with other renderers: the strands, the scenes, Ringlet's images."""
import math
import os
import tempfile
import unittest

import numpy

from exr import read_exr
from shot_reference import read_hair, run_ringlet

SIZE = 40  # pixels
ROUGHNESS = (0.6, 0.3)  # along (render.roughness; broad, for little noise) and around (shade/fibre.h)
TILT = 0.0349  # rad
INDEX = 1.55  # of refraction
COLOUR = (0.6, 0.4, 0.2)
EYE_DISTANCE, VIEW = 0.5, 3.0  # m, degrees
LIGHT = (0.4, 0.3, 1.0)
BOUNCES = 64
LISTED_STRANDS = 4096  # more do not fit into a scene file and are read from a groom file
GROOM_FILE = ["file = \"strands.npy\"", "file_units = \"m\"", "file_up = \"+y\"", "file_facing = \"+z\"",
              "file_fit = \"none\"", "file_recolour = true"]
# Undoes the tints of the soft light, so that its radiance is 1 from everywhere.
EVEN_LIGHT = ["key = 0", "rim = 0", f"fill = {1 / 0.72}", f"colour = [{1 / 0.52}, {1 / 0.46}, {1 / 0.42}]"]
ONE_LAMP = ["key = 1", "rim = 0", "fill = 0", "colour = [1, 1, 1]", "size = 0", f"direction = {list(LIGHT)}"]
ONE_STRAND = [([-0.015, -0.02, -0.004], [0.6, 0.8, 0.16], 0.05)]


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


def light_and_alpha(path):
    """Red, green, blue; and alpha of an image."""
    layers = read_exr(path)
    return numpy.stack([layers[name] for name in "RGB"], axis=-1), layers["A"]


class ImageCase(unittest.TestCase):
    """Compares images of straight strands. A subclass defines reference(), which renders what traced() has rendered."""
    program = "ringlet"
    other = "another renderer"

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, name):
        return os.path.join(self.folder, name)

    def ringlet(self, *arguments):
        done = run_ringlet(self.program, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)

    def traced(self, strands, diameter, light, samples, curves):
        """Ringlet's light and alpha."""
        with open(self.path("scene.toml"), "w", encoding="utf-8") as file:
            file.write(scene_text(strands, diameter, light, curves))
        along = numpy.linspace(0, 1, 4)[:, None]
        numpy.save(self.path("strands.npy"),
                   numpy.array([numpy.array(root) + along * length * numpy.array(direction)
                                for root, direction, length in strands], dtype=numpy.float32))
        self.ringlet("render", self.path("scene.toml"), "--renderer", "trace", "--frames", "1", "--size",
                     f"{SIZE}x{SIZE}", "--set", f"render.samples={samples}", "--set", f"render.bounces={BOUNCES}",
                     "-o", self.path("image.exr"))
        return light_and_alpha(self.path("image.exr"))

    def vertices(self):
        """The vertices of the strands of traced(), from the file that Ringlet writes of them: an array per strand."""
        self.ringlet("groom", self.path("scene.toml"), "-o", self.path("strands.hair"))
        counts, positions, _ = read_hair(self.path("strands.hair"))
        return numpy.split(numpy.array(positions).reshape(-1, 3), numpy.cumsum(counts)[:-1])

    def reference(self, diameter, lit_by, samples, curves):
        """The other renderer's light and alpha."""
        raise NotImplementedError

    def compare(self, strands, diameter, light, samples, curves="flat"):
        """The ratio of the light per covered area, and the two images."""
        ours, alpha = self.traced(strands, diameter, light, samples, curves)
        theirs, their_alpha = self.reference(diameter, light, samples, curves)
        coverage = alpha.mean() / their_alpha.mean()
        # Relative to the coverage, which has a noise of its own.
        ratio = ours.mean((0, 1)) / theirs.mean((0, 1)) / coverage
        correlation = numpy.corrcoef(ours[:, :, 1].ravel(), theirs[:, :, 1].ravel())[0, 1]
        print(f"{self.id().split('.')[-1]}, {curves}: ours over {self.other} {ratio.round(4)}, "
              f"coverage {coverage:.4f}, correlation {correlation:.4f}")
        self.assertAlmostEqual(coverage, 1, delta=0.01)
        return ratio, correlation, ours, theirs


def has_path_tracer(program):
    """Whether the program was built with the path tracer."""
    with tempfile.TemporaryDirectory() as folder:
        probe = run_ringlet(program, "render", "pendulum", "--renderer", "trace", "--frames", "1", "--size", "16x16",
                            "-o", os.path.join(folder, "probe.png"))
    return "libembree-dev" not in probe.stderr
