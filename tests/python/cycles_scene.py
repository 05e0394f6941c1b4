"""A scene of strands for Cycles in Blender as a Python module, with the fibres and the light of Ringlet's path tracer."""
import math

import bpy
import mathutils
import numpy

from strand_images import COLOUR, INDEX, ROUGHNESS, TILT, absorption


def start_scene(width, height, samples, bounces, curves, world, threads=0, seed=1):
    """An empty scene with a camera at the origin that looks along -z. `world` is the radiance from everywhere."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine, cycles = "CYCLES", scene.cycles
    cycles.device, cycles.samples, cycles.seed = "CPU", samples, seed
    cycles.use_adaptive_sampling = cycles.use_denoising = False
    cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = cycles.transmission_bounces = bounces
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = cycles.blur_glossy = 0
    cycles.pixel_filter_type, cycles.filter_width = "BOX", 1
    cycles.light_sampling_threshold = 0
    scene.cycles_curves.shape = "RIBBONS" if curves == "flat" else "THICK"
    if threads:
        scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.film_transparent = True
    settings = scene.render.image_settings
    settings.file_format, settings.color_mode, settings.color_depth = "OPEN_EXR", "RGBA", "32"
    settings.exr_codec = "NONE"
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.camera.data.sensor_fit, scene.camera.data.clip_start = "VERTICAL", 0.01
    scene.collection.objects.link(scene.camera)
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = world
    return scene


def add_lamp(scene, direction, irradiance, degrees=0):
    """A lamp at infinity in a direction, with a disc of `degrees`."""
    light = bpy.data.lights.new("Lamp", "SUN")
    light.energy, light.angle = irradiance, math.radians(degrees)
    lamp = bpy.data.objects.new("Lamp", light)
    lamp.rotation_mode = "QUATERNION"
    lamp.rotation_quaternion = mathutils.Vector(direction).to_track_quat("Z", "Y")
    scene.collection.objects.link(lamp)


def hair_material(colour=COLOUR, roughness=ROUGHNESS):
    out = bpy.data.materials.new("Hair")
    out.use_nodes = True
    nodes = out.node_tree.nodes
    nodes.clear()
    hair, output = nodes.new("ShaderNodeBsdfHairPrincipled"), nodes.new("ShaderNodeOutputMaterial")
    out.node_tree.links.new(hair.outputs[0], output.inputs["Surface"])
    hair.model, hair.parametrization = "CHIANG", "ABSORPTION"
    for name, value in {"Absorption Coefficient": absorption(colour), "Roughness": roughness[0],
                        "Radial Roughness": roughness[1], "Coat": 0, "IOR": INDEX, "Offset": TILT,
                        "Random Roughness": 0}.items():
        hair.inputs[name].default_value = value
    return out


def add_hair(scene, strands, diameter, material=None):
    """Strands as Curves, from an array of vertices for each."""
    data = bpy.data.hair_curves.new("Hair")
    data.add_curves([len(strand) for strand in strands])
    points = numpy.ascontiguousarray(numpy.concatenate(strands), dtype=numpy.float32)
    data.position_data.foreach_set("vector", points.ravel())
    radius = data.attributes.new("radius", "FLOAT", "POINT").data
    radius.foreach_set("value", numpy.full(len(points), diameter / 2, dtype=numpy.float32))
    data.materials.append(material or hair_material())
    scene.collection.objects.link(bpy.data.objects.new("Hair", data))


def render_cycles(scene, path):
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
