#!/usr/bin/env python3
"""Times the path tracer beside Cycles: time_cycles.py PROGRAM [--preset straight] [--strands 100000] [--size 512]
[--samples 8] [--rounds 1]

Both trace the strands of a preset, without a head, under a lamp of 5 degrees and even light, with 64 bounces, as flat
curves without clamping or denoising. Prints the noise of hair pixels (root mean square error over mean luminance), the
processor time of a sample and of all that comes before samples, and the processor time to 5 % noise. Renders with N
and 2 N samples; the noise of Ringlet follows from the difference of the two halves, that of Cycles from two seeds. The
two renderers take turns in each round; times are medians over the rounds. Needs Blender as a Python module.
"""
import argparse
import json
import os
import resource
import statistics
import sys
import tempfile

import numpy

from strand_images import BOUNCES, COLOUR, LIGHT, light_and_alpha
from shot_reference import run_ringlet

TARGET = 0.05
EYE, VIEW = (0, 0.27, 1.5), 24  # m, degrees
DIAMETER, ROUGHNESS = 8e-5, (0.3, 0.3)
LAMP_DEGREES = 5
LUMINANCE = numpy.array([0.2126, 0.7152, 0.0722])

SCENE = f"""[groom]
file = "strands.npy"
file_units = "m"
file_up = "+y"
file_facing = "+z"
file_fit = "none"
file_recolour = true
diameter = {DIAMETER}
diameter_variation = 0
taper = 0
[groom.colour]
root = {list(COLOUR)}
tip = {list(COLOUR)}
variation = 0
[camera]
eye = {list(EYE)}
target = [{EYE[0]}, {EYE[1]}, 0]
field_of_view = {VIEW}
[render]
curves = "flat"
roughness = {ROUGHNESS[0]}
bounces = {BOUNCES}
hair_width = 1
ground = false
background = [0.72, 0.72, 0.72]
[light]
key = 1
rim = 0
size = {LAMP_DEGREES}
direction = {list(LIGHT)}
fill = {1 / 0.72}
colour = [{1 / 0.52}, {1 / 0.46}, {1 / 0.42}]
"""


def render_cycles_image(order):
    """Renders the strands with Cycles, in a process of its own."""
    import bpy
    from cycles_scene import add_hair, add_lamp, hair_material, render_cycles, start_scene

    scene = start_scene(order["size"], order["size"], order["samples"], BOUNCES, "flat", world=1, seed=order["seed"])
    scene.camera.location, scene.camera.data.angle = EYE, numpy.radians(VIEW)
    add_lamp(scene, LIGHT, 1, LAMP_DEGREES)
    # The scene's key light is tinted like its soft light.
    bpy.data.lights["Lamp"].color = order["lamp_colour"]
    add_hair(scene, list(numpy.load(order["strands"])), DIAMETER, hair_material(COLOUR, ROUGHNESS))
    render_cycles(scene, order["image"])


def processor_time(run):
    """The result of a function that starts processes, and their processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return result, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Comparison:
    def __init__(self, program, folder, arguments):
        self.program, self.folder, self.size = program, folder, arguments.size
        self.times = {}
        self.run(program, "groom", arguments.preset, "-o", self.path("strands.npy"), "--set",
                 f"groom.strands={arguments.strands}", "--set", "groom.guides=0")
        with open(self.path("scene.toml"), "w", encoding="utf-8") as file:
            file.write(SCENE)

    def path(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def run(program, *arguments):
        done = run_ringlet(program, *arguments)
        if done.returncode != 0:
            sys.exit(f"{arguments}: {done.stdout[-2000:]}{done.stderr[-2000:]}")

    def note(self, key, seconds):
        self.times.setdefault(key, []).append(seconds)

    def ours(self, samples):
        image = self.path("ours.exr")
        _, seconds = processor_time(lambda: self.run(
            self.program, "render", self.path("scene.toml"), "--renderer", "trace", "--frames", "1", "--size",
            f"{self.size}x{self.size}", "--set", f"render.samples={samples}", "--set", "render.exr=float", "-o", image))
        self.note(("Ringlet", samples), seconds)
        return light_and_alpha(image)

    def cycles(self, samples, seed):
        order = {"size": self.size, "samples": samples, "seed": seed, "strands": self.path("strands.npy"),
                 "image": self.path("cycles.exr"), "lamp_colour": [1 / 0.52, 1 / 0.46, 1 / 0.42]}
        _, seconds = processor_time(lambda: self.run(sys.executable, os.path.abspath(__file__), "--cycles",
                                                     json.dumps(order)))
        self.note(("Cycles", samples), seconds)
        return light_and_alpha(order["image"])

    def row(self, name, first, second, samples, hair):
        """Prints the figures of a renderer; first and second are independent images, `hair` selects pixels."""
        first, second = first @ LUMINANCE, second @ LUMINANCE
        mean = (first[hair].mean() + second[hair].mean()) / 2
        noise = numpy.sqrt(((first - second)[hair] ** 2).mean() / 2) / mean
        few, many = (statistics.median(self.times[name, n]) for n in (samples, 2 * samples))
        per_sample = (many - few) / samples
        start = few - samples * per_sample
        needed = samples * (noise / TARGET) ** 2
        print(f"{name:8} mean {mean:.4f}  noise of {samples} samples {noise:.3f}  seconds per sample {per_sample:.2f}  "
              f"before {start:.1f}  samples to 5 % {needed:.0f}  seconds to 5 % {start + needed * per_sample:.0f}")
        return start + needed * per_sample


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--preset", default="straight")
    parser.add_argument("--strands", type=int, default=100000)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--samples", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        both = Comparison(arguments.program, folder, arguments)
        for _ in range(arguments.rounds):
            few, _ = both.ours(arguments.samples)
            their_first, _ = both.cycles(arguments.samples, 1)
            many, alpha = both.ours(2 * arguments.samples)
            _, their_alpha = both.cycles(2 * arguments.samples, 1)
        their_second, _ = both.cycles(arguments.samples, 2)
        print(f"coverage: Ringlet {alpha.mean():.4f}, Cycles {their_alpha.mean():.4f}")
        hair = (alpha + their_alpha) / 2 > 0.5
        own = both.row("Ringlet", few, 2 * many - few, arguments.samples, hair)
        other = both.row("Cycles", their_first, their_second, arguments.samples, hair)
        print(f"Ringlet over Cycles: {own / other:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--cycles"]:
        render_cycles_image(json.loads(sys.argv[2]))
    else:
        main()
