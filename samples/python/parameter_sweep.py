#!/usr/bin/env python3
"""Sweeps the stiffness dial and plots how far a strand hangs down and how long it swings.

    parameter_sweep.py -o sweep.png

Plots with matplotlib where it is installed; otherwise it prints the table and says so.
"""
import argparse

import numpy
import ringlet


def cantilever(vertices=24, length=0.12):
    """A strand that leaves a wall horizontally, (1, vertices, 3)."""
    along = numpy.linspace(0, length, vertices)
    return numpy.stack([along, 0 * along, 0 * along], axis=1)[None]


def tip_heights(dial, seconds):
    """The height of the tip at every frame."""
    settings = ringlet.SimSettings(model="rod", damping=2)
    settings.rod.sag_free = False
    settings.rod.stiffness_dial = dial
    hair = ringlet.HairSim(cantilever(), settings=settings)
    heights = []
    for _ in range(int(60 * seconds)):
        hair.step(1 / 60)
        heights.append(float(hair.positions[0][-1, 1]))
    return numpy.array(heights)


def plot(path, dials, curves):
    """Returns False if matplotlib is missing."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6, 4), layout="constrained")
    for dial, heights in zip(dials, curves):
        axes.plot(numpy.arange(len(heights)) / 60, 1000 * heights, label=f"stiffness_dial {dial:.2f}")
    axes.set(xlabel="time (s)", ylabel="height of the tip (mm)", title="A strand of 12 cm that is let go")
    axes.legend()
    figure.savefig(path, dpi=120)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", default="sweep.png")
    parser.add_argument("--seconds", type=float, default=2)
    options = parser.parse_args()
    dials = (0.1, 0.3, 0.5, 0.7, 0.9)
    curves = [tip_heights(dial, options.seconds) for dial in dials]
    print("stiffness_dial  sag (mm)")
    for dial, heights in zip(dials, curves):
        print(f"{dial:14.2f}  {-1000 * heights[-1]:8.2f}")
    if plot(options.output, dials, curves):
        print(options.output)
    else:
        print("matplotlib is not installed, so there is no plot (pip install matplotlib)")


if __name__ == "__main__":
    main()
