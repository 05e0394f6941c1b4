"""The panel Ringlet in the data properties of Curves objects."""
import bpy
import ringlet

from . import cache, playback, properties

# The parameters that artists change first; the others have panels of their own.
_DIALS = ("material", "stiffness_dial", "weight_dial", "bounce_dial")


def _draw_group(layout, settings, group, without=()):
    own = getattr(settings, properties.ATTRIBUTE[group])
    for parameter in ringlet.parameters():
        if parameter.group == group and parameter.key not in properties.FROM_BLENDER and parameter.name not in without:
            layout.prop(own, parameter.name)


class _Panel:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "data"

    @classmethod
    def poll(cls, context):
        return context.object is not None and context.object.type == "CURVES"

    def draw(self, context):
        self.layout.use_property_split = True
        self.draw_settings(context, self.layout, context.object.ringlet)


class RINGLET_PT_main(_Panel, bpy.types.Panel):
    bl_label = "Ringlet"

    def draw_settings(self, context, layout, settings):
        layout.prop(settings, "mode", expand=True)
        layout.prop(settings.sim, "model")
        if settings.sim.model == "rod":
            for name in _DIALS:
                layout.prop(settings.rod, name)
        row = layout.row(align=True)
        row.operator("ringlet.bake")
        row.operator("ringlet.bake", text="Resume").resume = True
        row.operator("ringlet.free")
        layout.prop(settings, "preroll")
        self._draw_state(context.object, layout)

    @staticmethod
    def _draw_state(obj, layout):
        folder = cache.folder_of(obj)
        about = cache.Cache(folder).about() if folder else None
        if obj.session_uid in playback.failures:
            layout.label(text=playback.failures[obj.session_uid], icon="ERROR")
        elif folder is None:
            layout.label(text="Save the .blend file: the cache lies beside it", icon="INFO")
        elif about and about["points"] != len(obj.data.points):
            layout.label(text="The cache belongs to other curves; bake again", icon="ERROR")
        elif about:
            layout.label(text=f"Baked: frames {about['first']} to {about['last']}")
        elif obj.ringlet.mode == "CACHE":
            layout.label(text="Nothing is baked yet", icon="INFO")


class _SubPanel(_Panel):
    bl_parent_id = "RINGLET_PT_main"
    bl_options = {"DEFAULT_CLOSED"}


class RINGLET_PT_model(_SubPanel, bpy.types.Panel):
    bl_label = "Model"

    def draw_settings(self, context, layout, settings):
        model = settings.sim.model
        if model in properties.GROUPS:
            _draw_group(layout, settings, model, _DIALS)


class RINGLET_PT_step(_SubPanel, bpy.types.Panel):
    bl_label = "Step and Damping"

    def draw_settings(self, context, layout, settings):
        _draw_group(layout, settings, "", ("model",))
        layout.prop(settings, "threads")
        layout.prop(settings, "checkpoint")


class RINGLET_PT_colliders(_SubPanel, bpy.types.Panel):
    bl_label = "Colliders"

    def draw_settings(self, context, layout, settings):
        for name in ("surface_collides", "colliders", "friction", "thickness"):
            layout.prop(settings, name)


class RINGLET_PT_hair_hair(_SubPanel, bpy.types.Panel):
    bl_label = "Hair against Hair"

    def draw_settings(self, context, layout, settings):
        _draw_group(layout, settings, "hair_hair")


class RINGLET_PT_wind(_SubPanel, bpy.types.Panel):
    bl_label = "Wind"

    def draw_settings(self, context, layout, settings):
        layout.prop(settings, "use_wind")
        _draw_group(layout, settings, "wind")


_CLASSES = (RINGLET_PT_main, RINGLET_PT_model, RINGLET_PT_step, RINGLET_PT_colliders, RINGLET_PT_hair_hair,
            RINGLET_PT_wind)


def register():
    for kind in _CLASSES:
        bpy.utils.register_class(kind)


def unregister():
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
