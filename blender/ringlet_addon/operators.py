"""Bake, free, and return to the groomed curves."""
import bpy
import ringlet

from . import cache, playback, strands
from .bake import Bake


def _is_curves(context):
    return context.object is not None and context.object.type == "CURVES"


class RINGLET_OT_bake(bpy.types.Operator):
    """Simulate the curves over the timeline and write every frame beside the .blend file"""

    bl_idname = "ringlet.bake"
    bl_label = "Bake"

    first: bpy.props.IntProperty(
        name="First", default=-1, description="First frame to bake; earlier ones are kept. -1: the scene's first")
    last: bpy.props.IntProperty(name="Last", default=-1, description="Last frame to bake. -1: the scene's last")
    resume: bpy.props.BoolProperty(
        name="Resume", default=False, description="Continue after the last complete frame of the cache")

    @classmethod
    def poll(cls, context):
        return _is_curves(context)

    def _open(self, context):
        self.target = context.object
        bake = Bake(context.scene, self.target, None if self.first < 0 else self.first,
                    None if self.last < 0 else self.last)
        if self.resume:
            about = bake.cache.about()
            bake.first = about["last"] + 1 if about else bake.first
        self.bake, self.frames = bake, bake.run()

    def _advance(self):
        """Bakes a frame. Returns its number, or None after the last one."""
        return next(self.frames, None)

    def _finish(self, context):
        self.frames.close()
        playback.forget_live(self.target)
        self.target.ringlet.mode = "CACHE"
        playback.show_cached(self.target, context.scene.frame_current)

    def execute(self, context):
        try:
            self._open(context)
            while self._advance() is not None:
                pass
        except (ringlet.Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self._finish(context)
        return {"FINISHED"}

    def invoke(self, context, _event):
        try:
            self._open(context)
        except (ringlet.Error, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        manager = context.window_manager
        manager.progress_begin(self.bake.first, self.bake.last)
        self.timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._end_modal(context)
            self._finish(context)
            self.report({"WARNING"}, "Bake cancelled; complete frames are kept, Resume continues")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            frame = self._advance()
        except (ringlet.Error, OSError) as error:
            self._end_modal(context)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if frame is not None:
            context.window_manager.progress_update(frame)
            context.workspace.status_text_set(f"Ringlet: frame {frame} of {self.bake.last}, Esc cancels")
            return {"RUNNING_MODAL"}
        self._end_modal(context)
        self._finish(context)
        return {"FINISHED"}

    def _end_modal(self, context):
        self.frames.close()
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)


class RINGLET_OT_free(bpy.types.Operator):
    """Delete the baked frames and show the curves as they were groomed"""

    bl_idname = "ringlet.free"
    bl_label = "Free"

    @classmethod
    def poll(cls, context):
        return _is_curves(context)

    def execute(self, context):
        obj = context.object
        folder = cache.folder_of(obj)
        if folder:
            cache.Cache(folder).remove()
        obj.ringlet.mode = "OFF"
        playback.forget_live(obj)
        strands.restore(obj.data)
        strands.enable_surface_deformers(obj, True)
        return {"FINISHED"}


_CLASSES = (RINGLET_OT_bake, RINGLET_OT_free)


def register():
    for kind in _CLASSES:
        bpy.utils.register_class(kind)


def unregister():
    for kind in reversed(_CLASSES):
        bpy.utils.unregister_class(kind)
