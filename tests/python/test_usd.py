#!/usr/bin/env python3
"""Opens USD files of the command line with OpenUSD: test_usd.py PROGRAM, the path of ringlet.

The reference is the folder of .hair files that the same scene gives. Exits 77 (skipped) and says
why where OpenUSD (usd-core) is missing.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from shot_reference import read_hair, run_ringlet

try:
    from pxr import Gf, Usd, UsdGeom, UsdLux, UsdValidation
except ImportError:
    print("skipped: no OpenUSD (python3 -m pip install usd-core)")
    sys.exit(77)

PROGRAM = sys.argv.pop(1) if __name__ == "__main__" and len(sys.argv) > 1 else "ringlet"
# Frames coincide with the steps of the .hair files.
SCENE = ["curls", "--set", "groom.strands=40", "--set", "groom.vertices=12", "--set", "record.fps=60"]
FRAMES = 6


def ringlet(*arguments):
    return run_ringlet(PROGRAM, *arguments)


def curves_of(stage):
    """The curves; valid as long as the stage is kept."""
    return [UsdGeom.BasisCurves(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.BasisCurves)]


class ShotCase(unittest.TestCase):
    scene = SCENE

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        done = ringlet("simulate", *cls.scene, "-o", cls.folder + "/hair/", "--frames", str(FRAMES - 1))
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def simulate(self, name, *more, scene=None, frames=FRAMES):
        path = os.path.join(self.folder, name)
        done = ringlet("simulate", *(scene or self.scene), "-o", path, "--frames", str(frames), *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path

    def assert_valid(self, stage):
        errors = UsdValidation.ValidationContext(UsdValidation.ValidationRegistry().GetOrLoadAllValidators()).Validate(stage)
        self.assertEqual([], [error.GetMessage() for error in errors])

    def assert_close(self, values, expected, tolerance):
        flat = [c for v in values for c in v] if len(values) and hasattr(values[0], "__len__") else list(values)
        self.assertEqual(len(flat), len(expected))
        self.assertLessEqual(max(abs(a - b) for a, b in zip(flat, expected)), tolerance)

    def check_frames(self, path, scale=1, z_up=False, tolerance=1e-6):
        stage = Usd.Stage.Open(path)
        self.assert_valid(stage)
        self.assertEqual(stage.GetDefaultPrim().GetPath(), "/Shot")
        self.assertEqual(UsdGeom.GetStageUpAxis(stage), "Z" if z_up else "Y")
        self.assertAlmostEqual(UsdGeom.GetStageMetersPerUnit(stage), 1 / scale)
        self.assertEqual((stage.GetStartTimeCode(), stage.GetEndTimeCode()), (0, FRAMES - 1))
        self.assertEqual((stage.GetTimeCodesPerSecond(), stage.GetFramesPerSecond()), (60, 60))
        [curves] = curves_of(stage)
        self.assertEqual(list(curves.GetPointsAttr().GetTimeSamples()), list(range(FRAMES)))
        for frame in range(1, FRAMES):
            counts, points, widths = read_hair(f"{self.folder}/hair/frame{frame - 1:04}.hair")
            self.assertEqual(list(curves.GetCurveVertexCountsAttr().Get()), counts)
            if z_up:
                points = [c for k in range(0, len(points), 3) for c in (points[k], -points[k + 2], points[k + 1])]
            self.assert_close(curves.GetPointsAttr().Get(frame), [scale * p for p in points], tolerance)
            self.assert_close(curves.GetWidthsAttr().Get(), [scale * w for w in widths], tolerance)
            low, high = curves.GetExtentAttr().Get(frame)
            box = UsdGeom.Boundable.ComputeExtentFromPlugins(curves, frame)
            self.assert_close(low, list(box[0]), 1e-5 * scale)
            self.assert_close(high, list(box[1]), 1e-5 * scale)
        return stage, curves

    def check_attributes(self, curves):
        count = len(curves.GetCurveVertexCountsAttr().Get())
        primvars = UsdGeom.PrimvarsAPI(curves)
        self.assertEqual(list(primvars.GetPrimvar("groom_id").Get()), list(range(count)))
        self.assertEqual(primvars.GetPrimvar("groom_group_name").Get(), "hair")
        self.assertEqual(list(primvars.GetPrimvar("groom_group_id").Get()), [0])
        self.assertEqual(primvars.GetPrimvar("st").GetInterpolation(), "uniform")
        self.assertEqual(len(primvars.GetPrimvar("st").Get()), count)
        self.assertEqual(len(primvars.GetPrimvar("groom_root_uv").Get()), count)
        colour = primvars.GetPrimvar("displayColor")
        self.assertEqual((colour.GetInterpolation(), len(colour.Get())),
                         ("vertex", sum(curves.GetCurveVertexCountsAttr().Get())))
        self.assertEqual(curves.GetWidthsInterpolation(), "vertex")
        self.assertIn("GroomAPI", curves.GetPrim().GetParent().GetMetadata("apiSchemas").GetAppliedItems())



class Shot(ShotCase):
    def test_a_short_shot_in_text(self):
        stage, curves = self.check_frames(self.simulate("short.usda"))
        self.check_attributes(curves)
        self.assertEqual((curves.GetTypeAttr().Get(), curves.GetBasisAttr().Get(), curves.GetWrapAttr().Get()),
                         ("cubic", "catmullRom", "pinned"))

    def test_a_short_shot_in_binary(self):
        stage, curves = self.check_frames(self.simulate("short.usdc"))
        self.check_attributes(curves)

    def test_velocities_are_those_of_the_points(self):
        stage, curves = self.check_frames(self.simulate("moving.usda"))
        for frame in range(1, FRAMES):
            before, now = (curves.GetPointsAttr().Get(f) for f in (frame - 1, frame))
            mean = [60 * (b - a) for p, q in zip(before, now) for a, b in zip(p, q)]
            self.assert_close(curves.GetVelocitiesAttr().Get(frame), mean, 1e-4)
        stage = Usd.Stage.Open(self.simulate("none.usda", "--no-velocities"))
        self.assertFalse(curves_of(stage)[0].GetVelocitiesAttr().HasAuthoredValue())

    def test_unreal_gets_centimetres_z_up_and_its_colours(self):
        stage, curves = self.check_frames(self.simulate("unreal.usda", "--for", "unreal"), 100, True, 1e-4)
        primvars = UsdGeom.PrimvarsAPI(curves)
        colour = primvars.GetPrimvar("groom_color")
        self.assertEqual(str(colour.GetTypeName()), "float3[]")
        self.assertEqual(list(colour.Get()), list(primvars.GetPrimvar("displayColor").Get()))
        top = UsdGeom.PrimvarsAPI(curves.GetPrim().GetParent())
        self.assertEqual(top.GetPrimvar("groom_version_major").Get(), 1)

    def test_the_roots_stay_on_the_moving_head(self):
        path = self.simulate("head.usda", scene=["shake", *SCENE[1:]])
        stage = Usd.Stage.Open(path)
        [curves] = curves_of(stage)
        head = stage.GetPrimAtPath("/Shot/Meshes/head")
        poses = [UsdGeom.Xformable(head).ComputeLocalToWorldTransform(f) for f in range(FRAMES)]
        self.assertNotEqual(poses[0], poses[-1])
        counts = list(curves.GetCurveVertexCountsAttr().Get())
        starts = [sum(counts[:k]) for k in range(len(counts))]
        for frame in range(1, FRAMES):
            motion = poses[0].GetInverse() * poses[frame]
            for k in starts:
                root = motion.Transform(Gf.Vec3d(curves.GetPointsAttr().Get(0)[k]))
                self.assertLess((root - Gf.Vec3d(curves.GetPointsAttr().Get(frame)[k])).GetLength(), 1e-5)

    def test_camera_lights_and_colliders_are_there(self):
        path = self.simulate("figure.usda", scene=["leader", "--set", "groom.strands=8"], frames=2)
        stage = Usd.Stage.Open(path)
        self.assert_valid(stage)
        camera = UsdGeom.Camera(stage.GetPrimAtPath("/Shot/Camera")).GetCamera(0)
        self.assertGreater(camera.GetFieldOfView(Gf.Camera.FOVVertical), 5)
        self.assertEqual(sum(prim.HasAPI(UsdLux.LightAPI) for prim in stage.Traverse()), 3)
        meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
        self.assertGreaterEqual(len(meshes), 5)  # five spheres
        for mesh in meshes:
            counts, indices = mesh.GetFaceVertexCountsAttr().Get(), mesh.GetFaceVertexIndicesAttr().Get()
            self.assertEqual(sum(counts), len(indices))
            self.assertLess(max(indices), len(mesh.GetPointsAttr().Get(0)))

    def test_a_range_is_a_part_of_the_whole_shot(self):
        stage = Usd.Stage.Open(self.simulate("whole.usda"))
        whole = curves_of(stage)[0].GetPointsAttr()
        path = os.path.join(self.folder, "part.usda")
        done = ringlet("simulate", *SCENE, "-o", path, "--range", "2:4")
        self.assertEqual(done.returncode, 0, done.stderr)
        part_stage = Usd.Stage.Open(path)
        part = curves_of(part_stage)[0].GetPointsAttr()
        self.assertEqual(part.GetTimeSamples(), [2, 3, 4])
        for frame in (2, 3, 4):
            self.assertEqual(part.Get(frame), whole.Get(frame))

    def test_a_pre_roll_settles_before_the_first_frame(self):
        points = []
        for name, more in (("none.usda", ["--set", "record.settle=0"]), ("some.usda", ["--pre-roll", "0.5"]),
                           ("same.usda", ["--set", "record.settle=0.5"])):
            stage = Usd.Stage.Open(self.simulate(name, *more, frames=2))
            points.append(curves_of(stage)[0].GetPointsAttr().Get(0))
        self.assertNotEqual(points[0], points[1])
        self.assertEqual(points[1], points[2])

    def test_a_still_is_the_groom_at_rest(self):
        for name in ("rest.usda", "rest.usdc"):
            path, reference = self.folder + "/" + name, self.folder + "/rest.hair"
            for output in (path, reference):
                self.assertEqual(ringlet("groom", *SCENE, "-o", output).returncode, 0)
            stage = Usd.Stage.Open(path)
            self.assert_valid(stage)
            [curves] = curves_of(stage)
            counts, points, widths = read_hair(reference)
            self.assertEqual(list(curves.GetCurveVertexCountsAttr().Get()), counts)
            self.assert_close(curves.GetPointsAttr().Get(), points, 0)
            self.assert_close(curves.GetWidthsAttr().Get(), widths, 0)


class Clips(ShotCase):
    """Shots that are long enough for one layer per frame."""
    scene = ["curls", "--set", "groom.strands=1200", "--set", "record.fps=60"]

    def test_a_long_shot(self):
        for name in ("long.usda", "long.usdc"):
            path = self.simulate(name)
            layers = os.listdir(self.folder + "/long.clips")
            self.assertEqual(len([name for name in layers if name.startswith("frame.")]), FRAMES)
            self.assertFalse([name for name in layers if name.startswith(".")])
            stage, curves = self.check_frames(path)
            self.check_attributes(curves)

    def test_openusd_holds_one_array_at_a_time(self):
        # A python3 that notes the peak memory of the real one (kB).
        log, wrapper = self.folder + "/memory", self.folder + "/bin/python3"
        os.mkdir(self.folder + "/bin")
        with open(wrapper, "w") as file:
            file.write(f"""#!{sys.executable}
import resource, subprocess, sys
code = subprocess.call([{sys.executable!r}] + sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=open({log!r}, "a"))
sys.exit(code)
""")
        os.chmod(wrapper, 0o755)
        strands, vertices = 40000, 32
        scene = ["curls", "--set", f"groom.strands={strands}", "--set", f"groom.vertices={vertices}", "--set",
                 "groom.grow_patches=false", "--set", "record.settle=0"]
        environment = dict(os.environ, PATH=self.folder + "/bin:" + os.environ["PATH"])
        done = subprocess.run([PROGRAM, "simulate", *scene, "-o", self.folder + "/large.usdc", "--frames", "3"],
                              env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(log) as file:
            first, *peaks = map(int, file)  # of a check that only imports OpenUSD, and of layers
        self.assertGreaterEqual(len(peaks), 4)  # constants and three frames
        self.assertLess(max(peaks) - first, 1.3 * strands * vertices * 12 / 1024 + 4096)

    def test_a_killed_run_leaves_the_complete_frames(self):
        path = self.folder + "/killed.usda"
        run = subprocess.Popen([PROGRAM, "simulate", *self.scene, "-o", path, "--frames", "1000", "--quiet"])
        while not os.path.exists(self.folder + "/killed.clips/frame.0002.usda"):
            self.assertIsNone(run.poll())
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.wait()
        stage = Usd.Stage.Open(path)
        [curves] = curves_of(stage)
        last = int(stage.GetEndTimeCode())
        self.assertGreaterEqual(last, 1)
        vertices = sum(curves.GetCurveVertexCountsAttr().Get())
        for frame in range(last + 1):
            self.assertEqual(len(curves.GetPointsAttr().Get(frame)), vertices)


if __name__ == "__main__":
    unittest.main()
