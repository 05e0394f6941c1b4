#!/usr/bin/env python3
"""Renders the picture of docs/pipeline.md: render_shot.py SHOT OUTPUT.jpg FRAME.

SHOT is a USD file of ringlet simulate. Needs Blender as a Python module (pip install bpy). Camera and lights are those
of the shot; the world and the materials are made here.
"""
import pathlib
import sys

import bpy

WIDTH, HEIGHT, SAMPLES = 480, 384, 24
# Each strand stands for many hairs.
WIDEN = 5


def material(name, node_type, values, colour=None):
    """A material of one shader; `colour` is the name of the attribute that colours it."""
    out = bpy.data.materials.new(name)
    out.use_nodes = True
    nodes, links = out.node_tree.nodes, out.node_tree.links
    nodes.clear()
    shader, output = nodes.new(node_type), nodes.new("ShaderNodeOutputMaterial")
    links.new(shader.outputs[0], output.inputs["Surface"])
    for key, value in values.items():
        shader.inputs[key].default_value = value
    if colour:
        attribute = nodes.new("ShaderNodeAttribute")
        attribute.attribute_name = colour
        links.new(attribute.outputs["Color"], shader.inputs["Color"])
    return out


def widen(hair):
    """A modifier: the shape of the curves comes from the file anew in every frame."""
    tree = bpy.data.node_groups.new("Widen", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    first, last, radius, scale, store = (tree.nodes.new(kind) for kind in (
        "NodeGroupInput", "NodeGroupOutput", "GeometryNodeInputRadius", "ShaderNodeMath", "GeometryNodeSetCurveRadius"))
    scale.operation = "MULTIPLY"
    scale.inputs[1].default_value = WIDEN
    tree.links.new(radius.outputs[0], scale.inputs[0])
    tree.links.new(first.outputs[0], store.inputs["Curve"])
    tree.links.new(scale.outputs[0], store.inputs["Radius"])
    tree.links.new(store.outputs[0], last.inputs[0])
    hair.modifiers.new("Widen", "NODES").node_group = tree


def main():
    shot, output, frame = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2], int(sys.argv[3])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.usd_import(filepath=shot)
    scene = bpy.context.scene
    scene.camera = next(obj for obj in scene.objects if obj.type == "CAMERA")
    hair_material = material("Hair", "ShaderNodeBsdfHairPrincipled", {"Roughness": 0.3, "Radial Roughness": 0.35},
                             "displayColor")
    skin = material("Skin", "ShaderNodeBsdfPrincipled", {"Base Color": (0.55, 0.36, 0.27, 1), "Roughness": 0.55})
    for obj in scene.objects:
        if obj.type == "CURVES":
            widen(obj)
        if obj.type in ("CURVES", "MESH"):
            obj.data.materials.clear()
            obj.data.materials.append(hair_material if obj.type == "CURVES" else skin)
    scene.render.engine, scene.cycles.device, scene.cycles.samples = "CYCLES", "CPU", SAMPLES
    scene.cycles.use_denoising = True
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = 88
    scene.frame_set(frame)
    scene.render.filepath = str(pathlib.Path(output).resolve())
    bpy.ops.render.render(write_still=True)
    for obj in scene.objects:
        print(obj.name, obj.type, getattr(obj.data, "energy", ""))


if __name__ == "__main__":
    main()
