#!/usr/bin/env python3
"""Tests the Python module: test_ringlet.py FOLDER, where FOLDER contains the package ringlet.

Exits 77 (skipped) and says why where numpy is missing.
"""
import ast
import gc
import math
import os
import pathlib
import signal
import sys
import tempfile
import threading
import time
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

    def test_a_view_is_exchanged_by_dlpack_without_a_copy(self):
        hair = ringlet.HairSim(strands())
        shared = numpy.from_dlpack(hair.positions)
        self.assertEqual(shared.__array_interface__["data"][0],
                         hair.positions.memory.__array_interface__["data"][0])
        start = shared.copy()
        hair.step(0.1)
        self.assertFalse(numpy.array_equal(shared, start))
        expected = hair.positions.copy()
        counts, offsets = hair.positions.counts, hair.positions.offsets.astype(int)
        vertices = numpy.concatenate([offset + 24 * numpy.arange(n) for offset, n in zip(offsets, counts)])
        del hair
        gc.collect()  # the tensor keeps the memory
        numpy.testing.assert_array_equal(shared[vertices[:, None] + [0, 8, 16]], expected)

    def test_memory_of_a_gpu_is_described_for_other_libraries(self):
        with self.assertRaisesRegex(ringlet.Error, "the CPU simulates"):
            ringlet.HairSim(strands()).device_positions
        memory = numpy.arange(30, dtype=numpy.float32)  # stands for the memory of a GPU
        view = ringlet.DeviceVectorView._of(memory, numpy.array([9, 0], dtype=numpy.uintp),
                                            numpy.array([7, 3], dtype=numpy.int32), 5)
        address = memory.__array_interface__["data"][0]
        whole = view.__cuda_array_interface__
        self.assertEqual((whole["version"], whole["typestr"], whole["shape"], whole["strides"], whole["data"]),
                         (3, "<f4", (30,), None, (address, True)))
        # The same dictionary describes memory of the host to numpy.
        for strand, first, count in (0, 9, 7), (1, 0, 3), (-1, 0, 3):
            host = type("Host", (), {"__array_interface__": view[strand].__cuda_array_interface__})()
            numpy.testing.assert_array_equal(numpy.asarray(host), memory[first:first + 3 * count].reshape(-1, 3))
        with self.assertRaises(IndexError):
            view[2]
        self.assertEqual(view.__dlpack_device__(), (2, 5))
        self.assertIn("dltensor", repr(view.__dlpack__()))
        self.assertEqual((len(view), list(view.offsets), list(view.counts), view.device), (2, [9, 0], [7, 3], 5))

    def test_rest_frames_turn_the_cross_section(self):
        settings = ringlet.SimSettings(model="rod", gravity=(0, -0.2, 0), damping=20)
        settings.rod.aspect_ratio, settings.rod.sag_free = 0.5, False
        strip = numpy.stack([0 * numpy.arange(17), 0 * numpy.arange(17), numpy.arange(17) / 160], axis=1)[None]
        droop = []
        for half in 0, math.pi / 4:  # the wide axis is horizontal, or vertical
            hair = ringlet.HairSim(strip, settings=settings,
                                   rest_frames=numpy.tile([0, 0, math.sin(half), math.cos(half)], (17, 1)))
            for _ in range(240):
                hair.step(1 / 60)
            droop.append(-hair.positions[0][-1, 1])
        self.assertAlmostEqual(droop[0] / droop[1], 4, delta=0.1)
        with self.assertRaisesRegex(ringlet.Error, "rest_frames"):
            ringlet.HairSim(strip, rest_frames=[0, 0, 0, 1])

    def test_widths_and_fewer_strands(self):
        groom = ringlet.Groom(strands(), widths=numpy.linspace(1e-5, 1e-4, 360))
        hair = ringlet.HairSim(groom, level_of_detail=True)
        numpy.testing.assert_array_equal(hair.widths, groom.widths)
        self.assertEqual(hair.set_active_strands(8), 8)
        self.assertEqual(hair.active_strand_count, 8)
        hair.step(0.1)
        with self.assertRaisesRegex(ringlet.Error, "level_of_detail"):
            ringlet.HairSim(strands()).set_active_strands(8)
        self.assertEqual(len(ringlet.HairSim(strands()).widths), 0)

    def test_a_copy_fills_the_callers_array(self):
        hair = ringlet.HairSim(strands())
        out = numpy.zeros(30 * 12 * 3, dtype=numpy.float32)
        self.assertIs(hair.positions.copy(out), out)
        numpy.testing.assert_array_equal(out.reshape(-1, 3), numpy.asarray(hair.positions))
        with self.assertRaisesRegex(ValueError, "1080"):
            hair.positions.copy(out[:-1])
        with self.assertRaisesRegex(TypeError, "float32"):
            hair.positions.copy(out.astype(float))

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

    def test_a_mesh_under_the_strands_deforms(self):
        triangle = numpy.array([[-1, 1, -1], [1, 1, -1], [0, 1, 1]], dtype=float)
        hair = ringlet.HairSim(strands(), head_mesh=(triangle, [[0, 1, 2]]))
        moved = triangle + (0, 0.02, 0)
        hair.set_head_vertices(moved)
        hair.step(1 / 60)
        numpy.testing.assert_allclose(hair.positions[5][0], strands()[5, 0] + (0, 0.02, 0), atol=1e-6)
        with self.assertRaisesRegex(ringlet.Error, "6 numbers"):
            hair.set_head_vertices(moved[:2])

    def test_ctrl_c_ends_a_long_step(self):
        hair = ringlet.HairSim(strands(300), max_steps=10**6)
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            hair.step(10000)
        self.assertLess(hair.time, 10000)
        self.assertEqual(hair.step(1 / 60).steps, 1)

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

    def test_the_stubs_declare_every_parameter(self):
        folder = pathlib.Path(ringlet.__file__).parent
        self.assertTrue((folder / "py.typed").exists())
        ast.parse((folder / "_ringlet.pyi").read_text())
        classes = {node.name: node for node in ast.parse((folder / "_settings.pyi").read_text()).body
                   if isinstance(node, ast.ClassDef)}
        for parameter in ringlet.parameters():
            group = type(getattr(ringlet.SimSettings(), parameter.group)) if parameter.group else ringlet.SimSettings
            getter = next(node for node in classes[group.__name__].body
                          if isinstance(node, ast.FunctionDef) and node.name == parameter.name)
            self.assertEqual(ast.get_docstring(getter), parameter.documentation)
            self.assertNotEqual(ast.unparse(getter.returns), "Any")

    def test_completion_lists_the_settings_alone(self):
        self.assertIn("radius", dir(ringlet.SimSettings().rod))
        self.assertEqual([name for name in dir(ringlet.SimSettings()) if name.startswith("_")], [])

    def test_faults_are_exceptions(self):
        broken = strands()
        broken[2, 3, 1] = math.nan
        with self.assertRaisesRegex(ringlet.Error, "positions"):
            ringlet.HairSim(broken)
        with self.assertRaisesRegex(ringlet.Error, "vertex_counts"):
            ringlet.HairSim(strands().reshape(-1, 3), counts=[3, 0])
        with self.assertRaisesRegex(ringlet.Error, "no backend"):
            ringlet.HairSim(strands(), backend="abacus")


class Grooms(unittest.TestCase):
    def test_files_keep_strands_widths_and_colours(self):
        lengths = numpy.array([3, 5, 2], dtype=numpy.int32)
        rng = numpy.random.default_rng(7)
        groom = ringlet.Groom(rng.random((10, 3)), lengths, widths=rng.random(10), colours=rng.random((10, 3)))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "strands.hair"
            groom.write(path)
            again = ringlet.Groom.read(path)
            numpy.testing.assert_array_equal(again.positions, groom.positions)
            numpy.testing.assert_array_equal(again.counts, lengths)
            numpy.testing.assert_allclose(again.widths, groom.widths, rtol=1e-6)
            numpy.testing.assert_array_equal(again.colours, groom.colours)
            scaled = ringlet.Groom.read(path, scale=0.01, z_up=True, vertices=7)
            self.assertEqual(scaled.counts.tolist(), [7, 7, 7])
            x, y, z = groom.positions[0] * 0.01
            numpy.testing.assert_allclose(scaled.positions[0], [x, z, -y], rtol=1e-5)
            groom.counts = groom.counts[:-1]
            with self.assertRaisesRegex(ringlet.Error, "positions has 30 numbers instead of 24"):
                groom.write(path)
            path.write_bytes(path.read_bytes()[:-3])
            with self.assertRaises(ringlet.Error) as caught:
                ringlet.Groom.read(path)
            self.assertEqual(caught.exception.file, str(path))

    def test_a_scene_grows_a_groom_that_can_be_simulated(self):
        groom = ringlet.Groom.grow("curls", {"groom.strands": 40, "groom.guides": 0})
        self.assertEqual(len(groom), 40)
        self.assertEqual(len(groom.strands()[3]), groom.counts[3])
        hair = ringlet.HairSim(groom)
        numpy.testing.assert_array_equal(numpy.asarray(hair.positions), groom.positions)


class Scenes(unittest.TestCase):
    def test_an_image_shows_the_scene_as_it_is_now(self):
        scene = ringlet.Scene("pendulum")
        try:
            before = scene.render_image(64, 48)
        except ringlet.Error as error:
            self.skipTest(str(error))
        self.assertEqual((before.shape, before.dtype), ((48, 64, 4), numpy.uint8))
        numpy.testing.assert_array_equal(scene.render_image(64, 48), before)
        for _ in range(20):
            scene.step()
        self.assertFalse(numpy.array_equal(scene.render_image(64, 48), before))
        self.assertAlmostEqual(scene.time, 20 / 60, places=5)
        with self.assertRaisesRegex(ringlet.Error, "gl"):
            scene.render_image(renderer="crayon")

    def test_progress_can_cancel(self):
        scene = ringlet.Scene("pendulum")
        calls = []
        with self.assertRaisesRegex(ringlet.Error, "stopped after 4 of 1000 frames"):
            scene.simulate(1000, progress=lambda activity, done, total: calls.append(activity) or done < 4)
        self.assertEqual(len(calls), 5)
        scene.reset()
        self.assertEqual(scene.simulate(3)["frames"], 3)

        def fail(*_):
            raise LookupError("from the callback")
        with self.assertRaisesRegex(LookupError, "from the callback"):
            scene.simulate(3, progress=fail)

    def test_ctrl_c_cancels(self):
        scene = ringlet.Scene("curls", {"groom.strands": 200})
        interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        interrupt.start()
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            scene.simulate(1000000)
        self.assertLess(time.monotonic() - start, 20)

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
    # A shell starts programs in the background with interrupts ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    unittest.main()
