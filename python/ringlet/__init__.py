"""Grows, simulates and renders hair.

Own strands:   hair = ringlet.HairSim(positions, counts); hair.step(1 / 60); hair.positions[0]
Grooms:        groom = ringlet.Groom.read("strands.ply"); hair = ringlet.HairSim(groom)
Scenes:        scene = ringlet.Scene("curls", {"groom.strands": 500}); scene.step()

Units are SI: metres, kilograms, seconds, radians; +Y is up. Names are those of the C++ library.
Failures raise ringlet.Error. Functions that take long release the lock of Python; Ctrl+C cancels them.
"""
from ringlet import _ringlet
from ringlet._error import Error
from ringlet._groom import Groom
from ringlet._hair_sim import Collider, HairSim, Stepped
from ringlet._ringlet import DeviceVectorView, VectorView
from ringlet._scene import Scene, builtin_scenes
from ringlet._settings import Parameter, SimSettings, parameters

__version__: str = _ringlet.version
__all__ = ["Collider", "DeviceVectorView", "Error", "Groom", "HairSim", "Parameter", "Scene", "SimSettings", "Stepped", "VectorView",
           "builtin_scenes", "parameters"]
