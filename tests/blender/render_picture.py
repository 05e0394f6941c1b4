#!/usr/bin/env python3
"""Bakes and renders the picture of docs/blender.md: render_picture.py FOLDER OUTPUT.jpg [FRAME ...].

FOLDER contains the package ringlet. Needs Blender as a Python module (pip install bpy). Several frames are joined side
by side.
"""
import math
import pathlib
import sys
import tempfile

sys.path[:0] = [sys.argv[1], str(pathlib.Path(__file__).resolve().parents[2] / "blender")]
import bpy
import mathutils
import numpy

import head_scene
import ringlet_addon

SIZE, SAMPLES = 440, 64
# Each strand stands for many hairs.
WIDEN = 8


def material(name, node_type, values):
    out = bpy.data.materials.new(name)
    out.use_nodes = True
    nodes = out.node_tree.nodes
    nodes.clear()
    shader, output = nodes.new(node_type), nodes.new("ShaderNodeOutputMaterial")
    out.node_tree.links.new(shader.outputs[0], output.inputs["Surface"])
    for key, value in values.items():
        shader.inputs[key].default_value = value
    return out


def add_light(scene, location, size, power):
    light = bpy.data.lights.new("Light", "AREA")
    light.size, light.energy = size, power
    obj = bpy.data.objects.new("Light", light)
    obj.location = location
    target = numpy.array((0, 0, 0.3)) - location
    obj.rotation_euler = mathutils.Vector(target).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(obj)


def furnish(scene, head, hair):
    """Camera, light and materials."""
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    camera.location, camera.rotation_euler = (0, -1.35, 0.4), (math.radians(85), 0, 0)
    camera.data.lens = 95
    scene.camera = camera
    scene.world = bpy.data.worlds.new("World")
    scene.world.color = 0.6, 0.62, 0.66
    add_light(scene, (-0.8, -0.9, 1.2), 0.6, 60)
    add_light(scene, (0.9, 0.7, 0.9), 0.5, 30)
    head.data.materials.clear()
    head.data.materials.append(material("Skin", "ShaderNodeBsdfPrincipled",
                                        {"Base Color": (0.55, 0.36, 0.27, 1), "Roughness": 0.55}))
    for polygon in head.data.polygons:
        polygon.use_smooth = True
    hair.data.materials.append(material("Hair", "ShaderNodeBsdfHairPrincipled", {"Roughness": 0.3, "Radial Roughness": 0.3}))
    shader = next(n for n in hair.data.materials[0].node_tree.nodes if n.type == "BSDF_HAIR_PRINCIPLED")
    shader.parametrization = "MELANIN"
    shader.inputs["Melanin"].default_value, shader.inputs["Melanin Redness"].default_value = 0.45, 0.8
    radius = hair.data.attributes["radius"].data
    values = numpy.empty(len(radius), dtype=numpy.float32)
    radius.foreach_get("value", values)
    radius.foreach_set("value", WIDEN * values)


def render(scene, folder, frame):
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", SAMPLES
    scene.cycles.use_denoising = True
    scene.render.resolution_x = scene.render.resolution_y = SIZE
    scene.frame_set(frame)
    path = folder / f"{frame}.png"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    return numpy.array(image.pixels[:], dtype=numpy.float32).reshape(SIZE, SIZE, 4)


def main():
    ringlet_addon.register()
    scene, head, hair = head_scene.make(strands=2000, frames=48, style="waves", turn=1.2)
    furnish(scene, head, hair)
    output, frames = sys.argv[2], [int(a) for a in sys.argv[3:]] or [1, 12, 22]
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.wm.save_as_mainfile(filepath=str(pathlib.Path(folder) / "shot.blend"))
        bpy.context.view_layer.objects.active = hair
        hair.ringlet.hair_hair.friction = 5
        bpy.ops.ringlet.bake()
        pictures = numpy.concatenate([render(scene, pathlib.Path(folder), frame) for frame in frames], axis=1)
    image = bpy.data.images.new("Picture", pictures.shape[1], pictures.shape[0])
    image.pixels.foreach_set(pictures.ravel())
    image.file_format, image.filepath_raw = ("PNG" if output.endswith(".png") else "JPEG"), output
    image.save(quality=88)


if __name__ == "__main__":
    main()
