"""The settings of a Curves object. Those of the simulation are made from Ringlet's table of parameters."""
import bpy
import ringlet

from . import axes

# Blender has these settings itself: the frame rate, the scene's gravity and force fields of type Wind.
FROM_BLENDER = ("sim.dt", "sim.gravity", "wind.velocity")
# Longest step (s); frames are divided evenly.
LONGEST_STEP = 1 / 60


def title(name):
    """"hair_hair" as people read it: "Hair Hair"."""
    return name.replace("_", " ").title()


def _property(parameter):
    description = parameter.sentence.rstrip(".")
    if parameter.unit:
        description += f" ({parameter.unit})"
    common = {"name": title(parameter.name), "description": description}
    limits = {"min": parameter.low, "max": parameter.high} if parameter.low < parameter.high else {}
    if parameter.kind == "bool":
        return bpy.props.BoolProperty(default=parameter.default, **common)
    if parameter.kind == "word":
        words = [(word, title(word), "") for word in parameter.words]
        return bpy.props.EnumProperty(items=words, default=parameter.default, **common)
    if parameter.kind == "int":
        whole = {name: int(min(limit, 2**31 - 1)) for name, limit in limits.items()}
        return bpy.props.IntProperty(default=int(parameter.default), **whole, **common)
    if parameter.kind == "vector":
        return bpy.props.FloatVectorProperty(size=3, default=parameter.default, **limits, **common)
    return bpy.props.FloatProperty(default=parameter.default, precision=4 if abs(parameter.default) > 1e-3 else 6,
                                   **limits, **common)


def _groups():
    """A PropertyGroup for each object of ringlet.SimSettings: {"": general ones, "rod": ...}."""
    members = {}
    for parameter in ringlet.parameters():
        if parameter.key not in FROM_BLENDER:
            members.setdefault(parameter.group, {})[parameter.name] = _property(parameter)
    return {group: type(f"RINGLET_PG_{group or 'sim'}", (bpy.types.PropertyGroup,), {"__annotations__": own})
            for group, own in members.items()}


GROUPS = _groups()
# The attribute of RingletSettings that holds a group.
ATTRIBUTE = {group: group or "sim" for group in GROUPS}


class RINGLET_PG_settings(bpy.types.PropertyGroup):
    """What Ringlet knows about a Curves object."""

    mode: bpy.props.EnumProperty(
        name="Ringlet", default="OFF", description="How Ringlet moves these curves",
        items=[("OFF", "Off", "The curves stay as they are"),
               ("CACHE", "Baked", "The curves follow the baked frames"),
               ("LIVE", "Real time", "Each frame of the playback is simulated when it is shown")])
    surface_collides: bpy.props.BoolProperty(
        name="Collide with Surface", default=True, description="The surface of the curves is a collider")
    colliders: bpy.props.PointerProperty(
        name="Colliders", type=bpy.types.Collection, description="Mesh objects that hair cannot enter")
    friction: bpy.props.FloatProperty(
        name="Friction", default=0.3, min=0, max=10, description="Coulomb coefficient of all colliders")
    thickness: bpy.props.FloatProperty(
        name="Thickness", default=0.01, min=0.0001, max=1, precision=4,
        description="Thickness of colliders whose mesh is not closed (m)")
    use_wind: bpy.props.BoolProperty(
        name="Wind", default=True, description="Use force fields of type Wind: 1 of strength is 1 m/s")
    preroll: bpy.props.IntProperty(
        name="Pre-roll", default=0, min=0, max=10000,
        description="Frames that are simulated before the first one, while everything stands still")
    threads: bpy.props.IntProperty(
        name="Threads", default=0, min=0, max=1024, description="0 uses all of the processor")
    checkpoint: bpy.props.IntProperty(
        name="Checkpoints", default=10, min=1, max=1000,
        description="The whole state is written every so many frames, so that a bake can continue there")


for _group, _kind in GROUPS.items():
    RINGLET_PG_settings.__annotations__[ATTRIBUTE[_group]] = bpy.props.PointerProperty(type=_kind)


def frame_seconds(scene):
    return scene.render.fps_base / scene.render.fps


def to_sim_settings(scene, settings):
    """The ringlet.SimSettings of an object. Values that the user did not touch keep Ringlet's defaults, because a
    material sets some of them."""
    out = ringlet.SimSettings()
    for parameter in ringlet.parameters():
        if parameter.key in FROM_BLENDER:
            continue
        group = getattr(settings, ATTRIBUTE[parameter.group])
        if not group.is_property_set(parameter.name):
            continue
        value = getattr(group, parameter.name)
        out.set(parameter.key, axes.direction_to_ringlet(value) if parameter.kind == "vector" else value)
    seconds = frame_seconds(scene)
    # Steps end at frames, so that no frame is interpolated.
    out.dt = seconds / max(1, round(seconds / LONGEST_STEP + 0.499))
    out.gravity = axes.direction_to_ringlet(scene.gravity) if scene.use_gravity else (0, 0, 0)
    return out


def register():
    for kind in (*GROUPS.values(), RINGLET_PG_settings):
        bpy.utils.register_class(kind)
    bpy.types.Object.ringlet = bpy.props.PointerProperty(type=RINGLET_PG_settings)


def unregister():
    del bpy.types.Object.ringlet
    for kind in (RINGLET_PG_settings, *reversed(GROUPS.values())):
        bpy.utils.unregister_class(kind)
