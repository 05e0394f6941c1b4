"""Gives Blender's hair curves physics. docs/blender.md explains its use.

The modules, each of which uses only those before it: axes, properties, strands, bodies, air, simulation, cache, bake,
playback, operators, panels.
"""
from . import operators, panels, playback, properties

_PARTS = (properties, operators, panels, playback)


def register():
    for part in _PARTS:
        part.register()


def unregister():
    for part in reversed(_PARTS):
        part.unregister()
