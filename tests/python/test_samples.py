#!/usr/bin/env python3
"""Runs the scripts of samples/python: test_samples.py FOLDER, where FOLDER contains the package ringlet.

Exits 77 (skipped) and says why where numpy is missing.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    print("skipped: no numpy (python3-numpy)")
    sys.exit(77)
SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples/python"
PACKAGE = os.path.abspath(sys.argv.pop(1)) if __name__ == "__main__" and len(sys.argv) > 1 else ""
if PACKAGE:
    sys.path.insert(0, PACKAGE)
import ringlet


class Samples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_sample(self, name, *arguments):
        environment = dict(os.environ, PYTHONPATH=PACKAGE)
        done = subprocess.run([sys.executable, SAMPLES / name, *map(str, arguments)], cwd=self.folder, text=True,
                              env=environment, capture_output=True, check=False)
        if done.returncode == 77:
            self.skipTest(done.stdout.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_strands_of_numpy_and_ply_files_move_alike(self):
        strands = ringlet.Groom.grow("waves", {"groom.strands": 20, "groom.guides": 0, "groom.vertices": 16})
        centimetres = ringlet.Groom(100 * strands.positions, strands.counts)
        numpy.save(self.folder / "strands.npy", centimetres.positions.reshape(20, -1, 3))
        centimetres.write(self.folder / "strands.ply")
        moved = []
        for ending in ("npy", "ply"):
            output = self.run_sample("reconstructed_strands.py", f"strands.{ending}", "--scale", 0.01, "--frames", 20,
                                     "-o", f"{ending}.npy")
            self.assertIn("20 strands, 20 frames", output)
            moved.append(numpy.load(self.folder / f"{ending}.npy"))
        self.assertGreater(numpy.abs(moved[0][-1] - moved[0][0]).max(), 0.01)
        numpy.testing.assert_allclose(moved[0][3], moved[1][3], atol=1e-3)

    def test_stiffer_strands_sag_less(self):
        output = self.run_sample("parameter_sweep.py", "--seconds", 1, "-o", "sweep.png")
        sags = [float(line.split()[1]) for line in output.splitlines()[1:6]]
        self.assertGreater(sags[0], sags[-1])
        self.assertEqual("matplotlib is not installed" not in output, (self.folder / "sweep.png").exists())

    def test_positions_are_shown_live(self):
        self.assertIn("3 frames shown",
                      self.run_sample("live_positions.py", "--frames", 3, "--backend", "openGL_mock"))


if __name__ == "__main__":
    unittest.main()
