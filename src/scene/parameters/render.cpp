// [render]: how the scene is drawn.
#include "scene/parameters/declarations.h"

namespace ringlet {

namespace {

void declare_image(ParameterGroup<RenderSettings>& render, Scene& scene) {
    render.colour("background", &RenderSettings::background)
        .range(0, 10)
        .says("Linear RGB of the backdrop.");
    render.flag("ground", &RenderSettings::ground).says("Draws the ground.");
    render.real("ground_height", &RenderSettings::ground_height)
        .unit("m")
        .range(-1000, 1000)
        .automatic(scene.automatic.ground_height)
        .says("Height of the ground; auto: below the head and its hair.");
    render.real("exposure", &RenderSettings::exposure)
        .range(0.01, 100)
        .says("Brightness of the whole image.");
    render.real("specular", &RenderSettings::specular)
        .range(0, 10)
        .says("Strength of the highlights along the hair.");
    render.real("roughness", &RenderSettings::roughness)
        .range(0.02, 1)
        .says("Width of the highlights; 0.05: sharp, 1: broad.");
    render.real("hair_width", &RenderSettings::width)
        .range(0.01, 1000)
        .says("Drawn width over real diameter.");
    render.flag("shadows", &RenderSettings::shadows)
        .says("Hair and meshes cast shadows on themselves and each other.");
    render.choice("mode", &RenderSettings::mode)
        .says(
            "How strands are drawn: sorted ribbons, the same by compute shaders (ribbons where "
            "they "
            "need too large a buffer) or by tessellation shaders, a slow reference, or lines as a "
            "preview.");
    render.whole("ref_frames", &RenderSettings::ref_frames)
        .range(1, 4096)
        .says("Number of images that mode ref averages.");
    render.real("lod", &RenderSettings::lod)
        .range(0, 100'000)
        .says(
            "Level of detail: where more strands than this cross a pixel on average, fewer and "
            "wider "
            "strands are drawn; 0: draws all of them.");
    render.real("strands", &RenderSettings::strands)
        .range(0, 5e6)
        .says(
            "Largest share (up to 1) or number (above 1) of strands drawn, widened so that "
            "coverage "
            "and colour stay the same; 0: draws all of them.");
    render.real("list_mb", &RenderSettings::list_mb)
        .unit("MB")
        .range(0, 1024)
        .says(
            "Memory of the lists of mode compute; with less, strands are drawn in more rounds; 0: "
            "128 on a GPU, 32 on a software renderer.");
}

void declare_path_tracer(ParameterGroup<RenderSettings>& render) {
    render.whole("samples", &RenderSettings::samples)
        .range(1, 65536)
        .says("Largest number of samples per pixel; renderer trace only.");
    render.whole("bounces", &RenderSettings::bounces)
        .range(1, 1024)
        .says("Largest number of scatterings of a path of light; renderer trace only.");
    render.real("noise", &RenderSettings::noise)
        .range(0, 1)
        .says(
            "Noise (RMS error over mean) at which a part of the image needs no more samples; 0: "
            "takes all samples everywhere; renderer trace only.");
    render.real("clamp", &RenderSettings::clamp)
        .range(0, 1e6)
        .says(
            "Largest light of a path after its first scattering, which removes bright dots and "
            "some light; 0: no limit; renderer trace only.");
    render.real("shutter", &RenderSettings::shutter)
        .range(0, 1)
        .says(
            "Motion blur: the share of the time between two frames during which the shutter is "
            "open, until the time of the frame; 0: none; renderer trace only.");
    render.choice("curves", &RenderSettings::curves)
        .says(
            "Shape of strands: flat ribbons that face the ray, round tubes, or auto: round where a "
            "strand is wider than two pixels; renderer trace only.");
    render.real("subsurface", &RenderSettings::subsurface)
        .unit("m")
        .range(0, 1)
        .says(
            "How far red light travels under the surface of heads between two scatterings, about "
            "0.001 for skin; green and blue travel less far; 0: all light leaves where it enters; "
            "renderer trace only.");
    render.flag("denoise", &RenderSettings::denoise)
        .says("Filters the noise of the image, which loses some detail; renderer trace only.");
    render.choice("exr", &RenderSettings::exr)
        .says("Numbers of OpenEXR files: half (16 bits) or float (32 bits); renderer trace only.");
}

void declare_debug_views(ParameterGroup<RenderSettings>& render) {
    render.choice("colour_by", &RenderSettings::colour_by)
        .says("Quantity that the colour of strands shows; hair: their own colour.");
    render.choice("grid", &RenderSettings::grid)
        .says("Draws the grid of the hair-hair coupling: its density or its velocity.");
    render.flag("strand_axes", &RenderSettings::strand_axes)
        .says("Draws coordinate axes along some strands: red and green across, blue along.");
}

}  // namespace

void declare_render(ParameterTable& table, Scene& scene) {
    ParameterGroup<RenderSettings> render(table.parameters, "render.", scene.render);
    declare_image(render, scene);
    declare_path_tracer(render);
    ParameterGroup<Scene>(table.parameters, "render.", scene)
        .flag("show_colliders", &Scene::show_colliders)
        .says("Draws the colliders.");
    declare_debug_views(render);
}

}  // namespace ringlet
