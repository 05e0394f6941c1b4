#!/usr/bin/env python3
"""Tests the Python module: test_ringlet.py FOLDER, where FOLDER contains the package ringlet.

Exits 77 (skipped) and says why where numpy is missing.
"""
import gc
import math
import sys
import threading
import unittest

try:
    import numpy
except ImportError:
    print("skipped: no numpy (python3-numpy)")
    sys.exit(77)
if __name__ == "__main__" and len(sys.argv) > 1:
    sys.path.insert(0, sys.argv.pop(1))
import ringlet


def strands(count=30, vertices=12):
    """Strands that hang from a circle, an array (count, vertices, 3)."""
    angle = 0.2 * numpy.arange(count)[:, None]
    along = numpy.arange(vertices)[None, :]
    out = 0.1 + 0.004 * along
    return numpy.stack([out * numpy.cos(angle), 1 - 0.015 * along + 0 * angle, out * numpy.sin(angle)], axis=2)


class OwnStrands(unittest.TestCase):
    def test_positions_are_views_without_a_copy(self):
        hair = ringlet.HairSim(strands())
        before = hair.positions[7]
        numpy.testing.assert_array_equal(before, strands()[7].astype(numpy.float32))
        address, start = before.__array_interface__["data"][0], before.copy()
        for _ in range(20):
            hair.step(1 / 60)
        after = hair.positions[7]
        self.assertEqual(after.__array_interface__["data"][0], address)
        self.assertFalse(numpy.array_equal(before, start))  # the same memory has moved on
        self.assertFalse(after.flags.writeable)
        memory = hair.positions.memory
        self.assertEqual(memory.__array_interface__["data"][0] + 4 * int(hair.positions.offsets[7]), address)
        numpy.testing.assert_array_equal(hair.positions.copy()[7 * 12:8 * 12], after)

    def test_views_keep_the_simulation_alive_and_survive_a_reset(self):
        hair = ringlet.HairSim(strands())
        view = hair.positions[3]
        hair.step(0.5)
        hair.reset()
        numpy.testing.assert_array_equal(view, strands()[3].astype(numpy.float32))
        del hair
        gc.collect()
        numpy.testing.assert_array_equal(view, strands()[3].astype(numpy.float32))

    def test_a_loaded_state_continues_to_the_same_bits(self):
        settings = ringlet.SimSettings(model="rod", substeps=2)
        hair = ringlet.HairSim(strands(), settings=settings)
        hair.step(0.2)
        state = hair.save()
        hair.step(0.2)
        expected = hair.hash()
        hair.load(state)
        hair.step(0.2)
        self.assertEqual(hair.hash(), expected)
        with self.assertRaises(ringlet.Error):
            hair.load(state[:-1])

    def test_poses_are_matrices_or_pairs(self):
        turn = 0.7
        matrix = numpy.eye(4)
        matrix[0, 0] = matrix[2, 2] = math.cos(turn)
        matrix[0, 2], matrix[2, 0] = math.sin(turn), -math.sin(turn)
        matrix[:3, 3] = 0.01, 0.02, 0.03
        pair = (0, math.sin(turn / 2), 0, math.cos(turn / 2)), (0.01, 0.02, 0.03)
        for pose in matrix, pair:
            hair = ringlet.HairSim(strands(), head=pose)
            expected = strands()[4, 0] @ matrix[:3, :3].T + matrix[:3, 3]
            numpy.testing.assert_allclose(hair.positions[4][0], expected, atol=1e-6)
            hair.teleport(None)
            numpy.testing.assert_allclose(hair.positions[4][0], strands()[4, 0], atol=1e-6)

    def test_colliders_move(self):
        hand = ringlet.Collider("sphere", "posed", radius=0.05, pose=((0, 0, 0, 1), (0, 0.9, 0.6)))
        hair = ringlet.HairSim(strands(), colliders=[hand, ringlet.Collider("plane", centre=(0, 0.5, 0))])
        for z in numpy.linspace(0.6, 0.1, 60):
            hair.set_collider_pose(0, ((0, 0, 0, 1), (0, 0.9, z)))
            self.assertEqual(hair.step(1 / 60).steps, 1)
        free = numpy.concatenate([hair.positions[s][2:] for s in range(hair.strand_count)])
        self.assertGreater(numpy.linalg.norm(free - (0, 0.9, 0.1), axis=1).min(), 0.048)
        self.assertEqual(hair.report()["warnings"], [])

    def test_steps_run_in_parallel(self):
        hairs = [ringlet.HairSim(strands(), threads=1) for _ in range(4)]
        threads = [threading.Thread(target=lambda h=h: [h.step(1 / 60) for _ in range(30)]) for h in hairs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({hair.hash() for hair in hairs}), 1)


class Settings(unittest.TestCase):
    def test_settings_have_ranges_and_docstrings(self):
        settings = ringlet.SimSettings()
        settings.rod.radius = 35e-6
        self.assertAlmostEqual(settings.rod.radius, 35e-6, places=10)
        settings.wind.velocity = 1, 2, 3
        self.assertEqual(settings.wind.velocity, (1, 2, 3))
        settings.hold_tips = True
        self.assertIs(settings.hold_tips, True)
        self.assertIsInstance(settings.substeps, int)
        self.assertIn("gravity", dir(settings))
        self.assertIn("From 1e-05 to 0.1 s.", type(settings).dt.__doc__)
        with self.assertRaisesRegex(ringlet.Error, "sim.dt: 5 is not from"):
            settings.dt = 5
        with self.assertRaises(AttributeError):
            settings.rod.raduis = 1

    def test_faults_are_exceptions(self):
        broken = strands()
        broken[2, 3, 1] = math.nan
        with self.assertRaisesRegex(ringlet.Error, "positions"):
            ringlet.HairSim(broken)
        with self.assertRaisesRegex(ringlet.Error, "vertex_counts"):
            ringlet.HairSim(strands().reshape(-1, 3), counts=[3, 0])
        with self.assertRaisesRegex(ringlet.Error, "no backend"):
            ringlet.HairSim(strands(), backend="abacus")


class Scenes(unittest.TestCase):
    def test_a_scene_plays(self):
        scene = ringlet.Scene("pendulum", {"sim.model": "ftl", "sim.gravity": [0, -5.0, 0]})
        start = scene.positions()
        for _ in range(10):
            scene.step()
        self.assertEqual(scene.positions().shape, (32, 3))
        self.assertFalse(numpy.array_equal(scene.positions(), start))
        self.assertEqual(scene.report()["model"], "ftl")
        self.assertEqual(scene.report()["hash"], scene.hash())
        self.assertIn("curls", ringlet.builtin_scenes())

    def test_errors_have_a_place_and_a_remedy(self):
        with self.assertRaises(ringlet.Error) as caught:
            ringlet.Scene("pendulum", {"sim.modle": "rod"})
        self.assertIn("sim.model", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
