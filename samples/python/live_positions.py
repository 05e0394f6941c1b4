#!/usr/bin/env python3
"""Shows strands in polyscope while they are being simulated.

    live_positions.py
    live_positions.py --frames 10 --backend openGL_mock      # without a display

Exits 77 and says so where polyscope is not installed.
"""
import argparse
import math
import sys

import numpy
import ringlet

try:
    import polyscope
except ImportError:
    print("polyscope is not installed (pip install polyscope)")
    sys.exit(77)


def edges_of(counts):
    """The segments of all strands as pairs of vertices."""
    first = numpy.cumsum(counts) - counts
    return numpy.concatenate([numpy.stack([start + numpy.arange(n - 1), start + numpy.arange(1, n)], axis=1)
                              for start, n in zip(first, counts)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=0, help="0: until the window is closed")
    parser.add_argument("--backend", default="", help="of polyscope; openGL_mock needs no display")
    options = parser.parse_args()
    groom = ringlet.Groom.grow("curls", {"groom.strands": 400, "groom.guides": 0})
    hair = ringlet.HairSim(groom)
    polyscope.init(options.backend)
    network = polyscope.register_curve_network("hair", groom.positions, edges_of(groom.counts), radius=0.0004)
    frame = 0

    def advance():
        nonlocal frame
        turn = 0.5 * math.sin(frame / 10)
        hair.set_head(((0, math.sin(turn / 2), 0, math.cos(turn / 2)), (0, 0, 0)))
        hair.step(1 / 60)
        network.update_node_positions(numpy.asarray(hair.positions))
        frame += 1

    if options.frames == 0:
        polyscope.set_user_callback(advance)
        polyscope.show()
        return
    for _ in range(options.frames):
        advance()
        polyscope.frame_tick()
    print(f"{frame} frames shown")


if __name__ == "__main__":
    main()
