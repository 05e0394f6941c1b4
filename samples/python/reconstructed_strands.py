#!/usr/bin/env python3
"""Sets reconstructed strands in motion.

    reconstructed_strands.py strands.npy -o moved.npy        # (strands, vertices, 3), metres, root first
    reconstructed_strands.py strands.ply --scale 0.01        # any groom file of Ringlet, here in centimetres
    reconstructed_strands.py                                 # strands of its own

The head nods. The output has the positions of every frame: (frames, vertices of all strands, 3).
"""
import argparse
import math
import pathlib

import numpy
import ringlet


def read(path, scale, z_up):
    """The strands of a numpy or groom file."""
    if path is None:
        return ringlet.Groom.grow("waves", {"groom.strands": 200, "groom.guides": 0})
    if path.suffix == ".npz":
        with numpy.load(path) as arrays:
            positions = arrays[arrays.files[0]]
    elif path.suffix == ".npy":
        positions = numpy.load(path)
    else:
        return ringlet.Groom.read(path, scale=scale, z_up=z_up)
    positions = positions * scale
    if z_up:
        positions = numpy.stack([positions[..., 0], positions[..., 2], -positions[..., 1]], axis=-1)
    return ringlet.Groom(positions)


def nod(seconds, pivot):
    """The pose of a head that nods by 20 degrees twice a second."""
    angle = math.radians(20) * math.sin(4 * math.pi * seconds)
    pose = numpy.eye(4)
    pose[1:3, 1:3] = [[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]]
    pose[:3, 3] = pivot - pose[:3, :3] @ pivot
    return pose


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strands", nargs="?", type=pathlib.Path)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("moved.npy"))
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--scale", type=float, default=1, help="metres per unit of the file")
    parser.add_argument("--z-up", action="store_true")
    options = parser.parse_args()

    groom = read(options.strands, options.scale, options.z_up)
    roots = numpy.array([strand[0] for strand in groom.strands()])
    pivot = roots.mean(axis=0) - (0, 0.1, 0)
    skull = ringlet.Collider("sphere", "with_head", centre=tuple(roots.mean(axis=0)),
                             radius=0.9 * float(numpy.linalg.norm(roots - roots.mean(axis=0), axis=1).min()))
    hair = ringlet.HairSim(groom, colliders=[skull])
    moved = numpy.empty((options.frames, *groom.positions.shape), dtype=numpy.float32)
    for frame in range(options.frames):
        hair.set_head(nod(frame / 30, pivot))
        hair.step(1 / 30)
        hair.positions.copy(moved[frame])
    numpy.save(options.output, moved)
    report = hair.report()
    print(f"{options.output}: {len(groom)} strands, {options.frames} frames, largest stretch "
          f"{100 * report['max_stretch']:.3f} %, tips moved up to "
          f"{numpy.linalg.norm(moved - moved[0], axis=2).max():.3f} m")


if __name__ == "__main__":
    main()
