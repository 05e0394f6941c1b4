#!/usr/bin/env python3
"""Tests the Blender add-on without a window: test_addon.py FOLDER, where FOLDER contains the package ringlet.

Needs Blender as a Python module (pip install bpy). Exits 77 (skipped) and says so where it is missing.
"""
import math
import pathlib
import sys
import tempfile
import types
import unittest

try:
    import bpy
except ImportError:
    print("skipped: no Blender as a Python module (pip install bpy)")
    sys.exit(77)
import mathutils.bvhtree
import numpy

SOURCE = pathlib.Path(__file__).resolve().parents[2]
if __name__ == "__main__" and len(sys.argv) > 1:
    sys.path.insert(0, sys.argv.pop(1))
sys.path[:0] = [str(SOURCE / "blender"), str(pathlib.Path(__file__).parent)]
import ringlet

import ringlet_addon
from ringlet_addon import axes, bake, cache, operators, panels, playback, properties, strands
import head_scene


def skin_distance(head, hair, depsgraph):
    """The largest distance of a root from the evaluated surface, in Blender units."""
    evaluated = head.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    mesh.calc_loop_triangles()
    points = [evaluated.matrix_world @ vertex.co for vertex in mesh.vertices]
    tree = mathutils.bvhtree.BVHTree.FromPolygons(points, [tuple(t.vertices) for t in mesh.loop_triangles])
    evaluated.to_mesh_clear()
    counts = strands.counts(hair.data)
    roots = strands.positions(hair.data)[numpy.cumsum(counts) - counts]
    world = hair.evaluated_get(depsgraph).matrix_world
    return max(tree.find_nearest(world @ mathutils.Vector(root))[3] for root in roots)


class AddOn(unittest.TestCase):
    """A saved .blend file in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def save(self, hair):
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "shot.blend"))
        bpy.context.view_layer.objects.active = hair

    def ball(self, strand_count=60, frames=12, radius=0.1):
        """(scene, ball, hair): strands on a sphere that moves sideways."""
        bpy.ops.wm.read_factory_settings(use_empty=True)
        scene = bpy.context.scene
        scene.render.fps, scene.frame_start, scene.frame_end = 30, 1, frames
        bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, segments=24, ring_count=12)
        ball = bpy.context.object
        mesh = ball.data
        centres = numpy.array([polygon.center for polygon in mesh.polygons])[:strand_count]
        normals = numpy.array([polygon.normal for polygon in mesh.polygons])[:strand_count]
        along = numpy.arange(10)[None, :, None] * 0.15 * radius
        points = centres[:, None, :] + along * normals[:, None, :]
        hair = head_scene.add_curves("Hair", points, [10] * len(points), ball)
        for frame, x in ((1, 0), (frames, 2 * radius)):
            ball.location.x = x
            ball.keyframe_insert("location", frame=frame)
        return scene, ball, hair

    def baked(self, hair, frame):
        return cache.Cache.of(hair).read_frame(frame, len(hair.data.points))


class TurningHead(AddOn):
    """The case of docs/blender.md: 2,000 curves on a head that turns, 48 frames."""

    def library_positions(self, head, hair, frames):
        """The same hair by the library alone: all points of every frame in Blender's world."""
        to_y_up = numpy.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
        mesh = head.data
        mesh.calc_loop_triangles()
        vertices = numpy.array([vertex.co for vertex in mesh.vertices], dtype=numpy.float32) @ to_y_up.T
        triangles = numpy.array([t.vertices for t in mesh.loop_triangles])
        groomed = strands.rest(hair.data) @ to_y_up.T

        def pose(frame):
            bpy.context.scene.frame_set(frame)
            location, rotation, _ = head.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.decompose()
            out = numpy.eye(4)
            out[:3, :3] = to_y_up @ numpy.array(rotation.to_matrix()) @ to_y_up.T
            out[:3, 3] = to_y_up @ numpy.array(location)
            return out

        skull = ringlet.Collider("mesh", "with_head", positions=vertices, triangles=triangles)
        simulation = ringlet.HairSim(groomed, strands.counts(hair.data), ringlet.SimSettings(dt=1 / 72), [skull],
                                     head=pose(1))
        yield simulation.positions.copy() @ to_y_up
        for frame in range(2, frames + 1):
            simulation.set_head(pose(frame))
            simulation.step(1 / 24)
            yield simulation.positions.copy() @ to_y_up

    def test_curves_follow_the_head_as_in_the_library(self):
        scene, head, hair = head_scene.make(strands=2000, frames=48)
        self.save(hair)
        self.assertEqual(bpy.ops.ringlet.bake(), {"FINISHED"})
        self.assertEqual(len(strands.counts(hair.data)), 2000)
        expected = list(self.library_positions(head, hair, 48))
        largest, moved, roots = 0, 0, 0
        for frame in range(1, 49):
            scene.frame_set(frame)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            evaluated = hair.evaluated_get(depsgraph)
            shown = axes.transform(evaluated.matrix_world, strands.positions(evaluated.data))
            numpy.testing.assert_array_equal(strands.positions(hair.data), self.baked(hair, frame))
            largest = max(largest, numpy.abs(shown - expected[frame - 1]).max())
            moved = max(moved, numpy.abs(self.baked(hair, frame) - self.baked(hair, 1)).max())
            roots = max(roots, skin_distance(head, hair, depsgraph))
        print(f"largest difference from the library {largest:.2g} m, largest motion relative to the head {moved:.3f} m,"
              f" largest distance of a root from the skin {roots:.2g} m")
        self.assertLess(largest, 1e-6)
        self.assertGreater(moved, 0.02)
        self.assertLess(roots, 1e-5)
        self.check_that_cycles_renders(scene, hair)

    def check_that_cycles_renders(self, scene, hair):
        camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
        scene.collection.objects.link(camera)
        camera.location, camera.rotation_euler = (0, -1.2, 0.3), (math.radians(90), 0, 0)
        scene.camera = camera
        red = bpy.data.materials.new("Red")
        red.use_nodes = True
        red.node_tree.nodes.clear()
        light, output = (red.node_tree.nodes.new(kind) for kind in ("ShaderNodeEmission", "ShaderNodeOutputMaterial"))
        light.inputs["Color"].default_value = 1, 0, 0, 1
        red.node_tree.links.new(light.outputs[0], output.inputs["Surface"])
        hair.data.materials.append(red)
        hair.data.attributes["radius"].data.foreach_set("value", [0.001] * len(hair.data.points))
        scene.render.engine, scene.cycles.samples, scene.cycles.device = "CYCLES", 2, "CPU"
        scene.render.resolution_x, scene.render.resolution_y = 96, 96
        masks = []
        for frame, visible in ((1, True), (18, True), (18, False)):
            scene.frame_set(frame)
            hair.hide_render = not visible
            path = self.folder / f"{len(masks)}.png"
            scene.render.filepath = str(path)
            bpy.ops.render.render(write_still=True)
            pixels = numpy.array(bpy.data.images.load(str(path)).pixels[:]).reshape(96, 96, 4)
            masks.append(pixels[:, :, 0] > pixels[:, :, 1] + 0.3)
        # The hair is in the picture, and elsewhere in another frame.
        self.assertGreater(masks[1].sum(), 500)
        self.assertGreater((masks[0] != masks[1]).sum(), 100)
        self.assertEqual(masks[2].sum(), 0)


class Baking(AddOn):
    def test_a_frame_range_is_baked_again_from_a_checkpoint(self):
        scene, ball, hair = self.ball(frames=20)
        hair.ringlet.checkpoint = 5
        self.save(hair)
        bpy.ops.ringlet.bake()
        first = [self.baked(hair, frame) for frame in range(1, 21)]
        again = bake.Bake(scene, hair, first=13, last=20)
        self.assertEqual(list(again.run()), list(range(12, 21)))
        self.assertEqual(again.continued_from, 11)
        for frame in range(1, 21):
            numpy.testing.assert_array_equal(self.baked(hair, frame), first[frame - 1])
        # Another stiffness makes the states useless.
        hair.ringlet.rod.stiffness_dial = 0.9
        other = bake.Bake(scene, hair, first=13, last=20)
        self.assertEqual(next(other.run()), 1)
        self.assertIsNone(other.continued_from)

    def test_a_cancelled_bake_keeps_complete_frames_and_resumes(self):
        scene, ball, hair = self.ball()
        self.save(hair)
        frames = bake.Bake(scene, hair).run()
        for _ in range(5):
            next(frames)
        frames.close()
        self.assertFalse(bake.is_running)
        self.assertEqual(scene.frame_current, 1)
        self.assertEqual(cache.Cache.of(hair).about()["last"], 5)
        self.assertIsNone(self.baked(hair, 6))
        self.assertEqual([path for path in self.folder.rglob("*.part")], [])
        self.assertEqual(bpy.ops.ringlet.bake(resume=True), {"FINISHED"})
        resumed = self.baked(hair, 12)
        self.assertEqual(bpy.ops.ringlet.bake(), {"FINISHED"})
        numpy.testing.assert_array_equal(self.baked(hair, 12), resumed)

    def test_free_returns_to_the_groom(self):
        scene, ball, hair = self.ball()
        groomed = strands.positions(hair.data)
        self.save(hair)
        bpy.ops.ringlet.bake()
        scene.frame_set(12)
        self.assertGreater(numpy.abs(strands.positions(hair.data) - groomed).max(), 1e-3)
        bpy.ops.ringlet.free()
        numpy.testing.assert_array_equal(strands.positions(hair.data), groomed)
        self.assertFalse(cache.folder_of(hair).exists())
        self.assertNotIn(strands.REST, hair.data.attributes)

    def test_a_damaged_cache_is_ignored(self):
        scene, ball, hair = self.ball()
        self.save(hair)
        bpy.ops.ringlet.bake()
        path = cache.folder_of(hair) / "frame_0004.npy"
        path.write_bytes(path.read_bytes()[:-5])
        self.assertIsNone(self.baked(hair, 4))
        scene.frame_set(4)
        (cache.folder_of(hair) / "bake.json").write_text("{")
        self.assertIsNone(cache.Cache.of(hair).about())
        scene.frame_set(5)

    def test_failures_name_a_remedy(self):
        scene, ball, hair = self.ball()
        bpy.context.view_layer.objects.active = hair
        with self.assertRaisesRegex(RuntimeError, "save the file first"):
            bpy.ops.ringlet.bake()
        self.save(hair)
        ball.scale = 1, 1, 1
        ball.keyframe_insert("scale", frame=1)
        ball.scale = 2, 2, 2
        ball.keyframe_insert("scale", frame=12)
        with self.assertRaisesRegex(RuntimeError, "changes its size"):
            bpy.ops.ringlet.bake()
        self.assertFalse(bake.is_running)


class Window(AddOn):
    """What needs a window, with stand-ins for it."""

    def operator(self, hair, scene):
        """(operator, context, log of calls)."""
        log = []

        def note(name, result=None):
            return lambda *arguments, **_: log.append((name, *arguments)) or result

        manager = types.SimpleNamespace(
            progress_begin=note("begin"), progress_update=note("update"), progress_end=note("end"),
            event_timer_add=note("timer", "timer"), event_timer_remove=note("remove"), modal_handler_add=note("modal"))
        context = types.SimpleNamespace(object=hair, scene=scene, window=None, window_manager=manager,
                                        workspace=types.SimpleNamespace(status_text_set=note("status")))
        members = {name: member for name, member in vars(operators.RINGLET_OT_bake).items()
                   if isinstance(member, types.FunctionType)}
        made = type("Bake", (), members)()
        made.first, made.last, made.resume, made.report = -1, -1, False, note("report")
        return made, context, log

    def test_a_bake_in_a_window_shows_progress(self):
        scene, ball, hair = self.ball()
        self.save(hair)
        bake_operator, context, log = self.operator(hair, scene)
        self.assertEqual(bake_operator.invoke(context, None), {"RUNNING_MODAL"})
        timer = types.SimpleNamespace(type="TIMER")
        while (state := bake_operator.modal(context, timer)) == {"RUNNING_MODAL"}:
            pass
        self.assertEqual(state, {"FINISHED"})
        self.assertEqual([call[1] for call in log if call[0] == "update"], list(range(1, 13)))
        self.assertEqual(hair.ringlet.mode, "CACHE")
        self.assertIn(("remove", "timer"), log)

    def test_escape_cancels_and_keeps_frames(self):
        scene, ball, hair = self.ball()
        self.save(hair)
        bake_operator, context, log = self.operator(hair, scene)
        bake_operator.invoke(context, None)
        for _ in range(3):
            bake_operator.modal(context, types.SimpleNamespace(type="TIMER"))
        context.object = ball  # another object is selected meanwhile
        self.assertEqual(bake_operator.modal(context, types.SimpleNamespace(type="ESC")), {"CANCELLED"})
        self.assertEqual(cache.Cache.of(hair).about()["last"], 3)
        self.assertFalse(bake.is_running)
        self.assertIn("report", [call[0] for call in log])

    def test_panels_show_every_parameter(self):
        scene, ball, hair = self.ball()
        self.save(hair)
        shown = set()

        class Layout:
            use_property_split = False

            def prop(self, data, name, **_):
                getattr(data, name)
                shown.add((data.bl_rna.identifier, name))

            def operator(self, name, **_):
                return types.SimpleNamespace()

            def label(self, **_):
                pass

            def row(self, **_):
                return self

        for model in ringlet.parameters()[0].words:
            hair.ringlet.sim.model = model
            for panel in panels._CLASSES:
                stand_in = types.SimpleNamespace(layout=Layout(), _draw_state=panels.RINGLET_PT_main._draw_state)
                panel.draw_settings(stand_in, types.SimpleNamespace(object=hair), stand_in.layout, hair.ringlet)
        for parameter in ringlet.parameters():
            if parameter.key not in properties.FROM_BLENDER:
                self.assertIn((properties.GROUPS[parameter.group].__name__, parameter.name), shown)


class Bodies(AddOn):
    def test_roots_follow_a_body_that_deforms(self):
        # Centimetres, a scaled and turned object, and a shape key.
        scene, ball, hair = self.ball(radius=10)
        scene.unit_settings.scale_length = 0.01
        ball.rotation_euler, ball.scale = (0.3, 0.2, 0.1), (1, 1.2, 1.1)
        ball.shape_key_add(name="Basis")
        wide = ball.shape_key_add(name="Wide")
        for vertex, point in zip(ball.data.vertices, wide.data):
            point.co = vertex.co * (1 + 0.4 * (vertex.co.z > 0))
        for frame, value in ((1, 0.5), (12, 1)):
            wide.value = value
            wide.keyframe_insert("value", frame=frame)
        self.save(hair)
        self.assertEqual(bpy.ops.ringlet.bake(), {"FINISHED"})
        for frame in (1, 2, 7, 12):
            scene.frame_set(frame)
            distance = skin_distance(ball, hair, bpy.context.evaluated_depsgraph_get())
            self.assertLess(distance * 0.01, 1e-5, f"frame {frame}")
        # A state has the shapes of bodies, too.
        expected = self.baked(hair, 12)
        again = bake.Bake(scene, hair, first=12)
        self.assertEqual(list(again.run()), [12])
        numpy.testing.assert_array_equal(self.baked(hair, 12), expected)

    def test_a_surface_whose_vertices_change_is_refused(self):
        scene, ball, hair = self.ball()
        decimate = ball.modifiers.new("Decimate", "DECIMATE")
        for frame, ratio in ((1, 1), (12, 0.3)):
            decimate.ratio = ratio
            decimate.keyframe_insert("ratio", frame=frame)
        self.save(hair)
        with self.assertRaisesRegex(RuntimeError, "vertices instead of 266"):
            bpy.ops.ringlet.bake()

    def test_colliders_of_a_collection_keep_hair_out(self):
        scene, ball, hair = self.ball(strand_count=288)
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.05, location=(0.38, 0, 0.08))
        other = bpy.context.object
        colliders = bpy.data.collections.new("Colliders")
        colliders.objects.link(other)
        depths = []
        for collection in (None, colliders):
            hair.ringlet.colliders = collection
            self.save(hair)
            bpy.ops.ringlet.bake()
            scene.frame_set(12)
            world = axes.transform(hair.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world,
                                   strands.positions(hair.data))
            depths.append(0.05 - numpy.linalg.norm(world - other.location, axis=1).min())
        self.assertGreater(depths[0], 0.005)
        self.assertLess(depths[1], 0.002)

    def test_wind_and_gravity_are_those_of_the_scene(self):
        tips = {}
        for name in ("still", "wind", "weightless"):
            scene, ball, hair = self.ball()
            ball.animation_data_clear()
            ball.location = 0, 0, 0
            if name == "wind":
                bpy.ops.object.effector_add(type="WIND", rotation=(0, math.pi / 2, 0))
                bpy.context.object.field.strength = 8
            scene.gravity = (0, 0, 0) if name == "weightless" else (0, 0, -30)
            hair.ringlet.rod.sag_free = False
            hair.ringlet.rod.stiffness_dial = 0.1
            self.save(hair)
            bpy.ops.ringlet.bake()
            tips[name] = self.baked(hair, 12)[9::10].mean(axis=0)
        # Blender's wind blows along the object's +Z, here the world's +X; gravity pulls along -Z.
        self.assertGreater(tips["wind"][0] - tips["still"][0], 0.005)
        self.assertGreater(tips["weightless"][2] - tips["still"][2], 0.005)


class RealTime(AddOn):
    def test_playback_simulates_what_a_bake_does(self):
        scene, ball, hair = self.ball()
        self.save(hair)
        bpy.ops.ringlet.bake()
        expected = [self.baked(hair, frame) for frame in range(1, 13)]
        bpy.ops.ringlet.free()
        hair.ringlet.mode = "LIVE"
        for frame in range(1, 13):
            scene.frame_set(frame)
            numpy.testing.assert_array_equal(strands.positions(hair.data), expected[frame - 1])
        scene.frame_set(1)  # the playback begins again
        numpy.testing.assert_array_equal(strands.positions(hair.data), expected[0])
        self.assertEqual(playback.failures, {})


class Settings(AddOn):
    def test_every_parameter_has_a_property_of_its_range(self):
        scene, ball, hair = self.ball()
        for parameter in ringlet.parameters():
            if parameter.key in properties.FROM_BLENDER:
                continue
            group = getattr(hair.ringlet, properties.ATTRIBUTE[parameter.group])
            made = group.bl_rna.properties[parameter.name]
            self.assertIn(parameter.sentence.rstrip("."), made.description)
            if parameter.kind == "float" and parameter.low < parameter.high:
                self.assertAlmostEqual(made.hard_max, parameter.high, delta=1e-6 * abs(parameter.high))
                self.assertAlmostEqual(made.default, parameter.default, delta=1e-6 * abs(parameter.default))
            if parameter.kind == "word":
                self.assertEqual(tuple(made.enum_items.keys()), parameter.words)

    def test_a_material_sets_what_the_user_has_not(self):
        scene, ball, hair = self.ball()
        hair.ringlet.rod.material = "wet_curly"
        expected = ringlet.SimSettings()
        expected.rod.material = "wet_curly"
        made = properties.to_sim_settings(scene, hair.ringlet)
        self.assertEqual(made.rod.density, expected.rod.density)
        self.assertAlmostEqual(made.dt, 1 / 60, places=7)
        hair.ringlet.rod.density = 1234
        self.assertEqual(properties.to_sim_settings(scene, hair.ringlet).rod.density, 1234)


if __name__ == "__main__":
    ringlet_addon.register()
    unittest.main()
