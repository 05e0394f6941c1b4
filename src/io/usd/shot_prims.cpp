#include "io/usd/shot_prims.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "io/strand_checks.h"
#include "math/elementary.h"
#include "ringlet/version.h"

namespace ringlet {

namespace {

// Bounds of the points of one frame, in written coordinates.
struct UsdExtent {
    Vec3f low{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(),
              std::numeric_limits<float>::max()};
    Vec3f high = -low;

    void add(Vec3f p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    void write(float margin, UsdValueOut& out) const {
        UsdValueOut as_text(out.stream());
        as_text.begin_array(UsdElement::float3, 2);
        const Vec3f grown{margin, margin, margin};
        const bool is_empty = low.x > high.x;
        as_text.add(is_empty ? Vec3f{0, 0, 0} : low - grown);
        as_text.add(is_empty ? Vec3f{0, 0, 0} : high + grown);
        as_text.end_array();
    }
};

// The rows are the images of the axes, then the translation: USD multiplies row vectors.
void write_matrix(const Vec3f (&rows)[4], UsdValueOut& out) {
    out.text("( ");
    for (int r = 0; r < 4; ++r) {
        out.text(r > 0 ? ", (" : "(");
        for (const float c : {rows[r].x, rows[r].y, rows[r].z}) {
            out.stream().number(double{c});
            out.text(", ");
        }
        out.text(r == 3 ? "1)" : "0)");
    }
    out.text(" )");
}

void write_motion(const Rigidf& motion, UsdValueOut& out) {
    const Quatf q = motion.rotation;
    write_matrix({rotate(q, Vec3f{1, 0, 0}), rotate(q, Vec3f{0, 1, 0}), rotate(q, Vec3f{0, 0, 1}),
                  motion.translation},
                 out);
}

// The strands of a group that USD can hold: curves have at least two vertices.
class GroupStrands {
public:
    GroupStrands(const ShotDescription& shot, const ShotGroup& group) : shot_(shot), group_(group) {
        const StrandLayout& layout = *shot.strands.layout;
        for (int s = first(); s < last(); ++s) {
            if (layout.vertex_count(s) < 2) continue;
            ++strand_count;
            vertex_count += static_cast<std::size_t>(layout.vertex_count(s));
        }
    }

    std::size_t strand_count = 0, vertex_count = 0;

    template <class Visit>
    void each_strand(const Visit& visit) const {
        const StrandLayout& layout = *shot_.strands.layout;
        for (int s = first(); s < last(); ++s)
            if (layout.vertex_count(s) >= 2) visit(s);
    }
    template <class Visit>
    void each_vertex(const Visit& visit) const {
        each_strand([&](int s) {
            for (int i = 0; i < shot_.strands.layout->vertex_count(s); ++i) visit(s, i);
        });
    }
    const ShotDescription& shot() const { return shot_; }
    const ShotGroup& group() const { return group_; }

private:
    int first() const { return group_.first_strand; }
    int last() const { return group_.first_strand + group_.strand_count; }

    const ShotDescription& shot_;
    const ShotGroup& group_;
};

// An array with one value per strand or per vertex.
template <class Value>
UsdAttribute per_strand(std::string declaration, UsdElement element, const GroupStrands& strands,
                        const Value& value) {
    return {std::move(declaration),
            [element, strands, value](const ShotFrame&, UsdValueOut& out) {
                out.begin_array(element, strands.strand_count);
                strands.each_strand([&](int s) { out.add(value(s)); });
                out.end_array();
            },
            false, "uniform"};
}

template <class Value>
UsdAttribute per_vertex(std::string declaration, UsdElement element, const GroupStrands& strands,
                        const Value& value) {
    return {std::move(declaration),
            [element, strands, value](const ShotFrame&, UsdValueOut& out) {
                out.begin_array(element, strands.vertex_count);
                strands.each_vertex([&](int s, int i) { out.add(value(s, i)); });
                out.end_array();
            },
            false, "vertex"};
}

UsdAttribute moving_vertices(std::string declaration, const GroupStrands& strands,
                             const Channel<3>* ShotFrame::*channel) {
    return {std::move(declaration),
            [strands, channel](const ShotFrame& frame, UsdValueOut& out) {
                const ShotAxes axes = strands.shot().axes;
                const Channel<3>& from = *(frame.*channel);
                out.begin_array(UsdElement::float3, strands.vertex_count);
                strands.each_vertex([&](int s, int i) { out.add(axes.vector(from.vec3(s, i))); });
                out.end_array();
            },
            true};
}

// The largest radius is computed here: a writer may outlive the radii.
UsdAttribute curves_extent(const GroupStrands& strands) {
    float radius = 0;
    if (const Channel<1>* const radii = strands.shot().strands.radius)
        strands.each_vertex([&](int s, int i) { radius = std::max(radius, radii->at(s, i)); });
    return {"float3[] extent",
            [strands, radius](const ShotFrame& frame, UsdValueOut& out) {
                const ShotAxes axes = strands.shot().axes;
                UsdExtent extent;
                strands.each_vertex(
                    [&](int s, int i) { extent.add(axes.vector(frame.positions->vec3(s, i))); });
                extent.write(axes.length(radius), out);
            },
            true};
}

// One element in an array: readers drop constants that are no arrays.
void set_constant(UsdPrim& prim, std::string declaration, const std::string& value) {
    prim.set(std::move(declaration), '[' + value + ']');
    prim.attributes.back().interpolation = "constant";
}

void add_appearance(const GroupStrands& strands, UsdPrim& out) {
    const ShotDescription& shot = strands.shot();
    const StrandView& view = shot.strands;
    const ShotAxes axes = shot.axes;
    if (view.radius && has_radius(view))
        out.attributes.push_back(per_vertex(
            "float[] widths", UsdElement::float1, strands,
            [&view, axes](int s, int i) { return axes.length(2 * view.radius->at(s, i)); }));
    if (!view.colour || !has_colour(view)) return;
    const auto colour = [&view](int s, int i) { return view.colour->vec3(s, i); };
    out.attributes.push_back(
        per_vertex("color3f[] primvars:displayColor", UsdElement::float3, strands, colour));
    // Unreal ignores colours of type color3f.
    if (shot.for_unreal)
        out.attributes.push_back(
            per_vertex("float3[] primvars:groom_color", UsdElement::float3, strands, colour));
}

// Unreal's names for the properties of strands; other programs keep them as attributes.
void add_groom_names(const GroupStrands& strands, int number, UsdPrim& out) {
    const ShotGroup& group = strands.group();
    out.attributes.push_back(per_strand("int[] primvars:groom_id", UsdElement::int1, strands,
                                        [](int s) { return std::int32_t{s}; }));
    if (group.guide_count > 0) {
        const int first_child = group.first_strand + group.guide_count;
        out.attributes.push_back(
            per_strand("int[] primvars:groom_guide", UsdElement::int1, strands,
                       [first_child](int s) { return std::int32_t{s < first_child}; }));
    }
    set_constant(out, "int[] primvars:groom_group_id", std::to_string(number));
    out.set("string primvars:groom_group_name", usd_string(group.name));
    const std::span<const Vec2f> uv = strands.shot().root_uv;
    if (uv.empty()) return;
    const auto root_uv = [uv](int s) { return uv[static_cast<std::size_t>(s)]; };
    out.attributes.push_back(
        per_strand("texCoord2f[] primvars:st", UsdElement::float2, strands, root_uv));
    out.attributes.push_back(
        per_strand("float2[] primvars:groom_root_uv", UsdElement::float2, strands, root_uv));
}

UsdPrim curves_prim(const ShotDescription& shot, const ShotGroup& group, int number) {
    const GroupStrands strands(shot, group);
    UsdPrim out{"BasisCurves", usd_name(group.name), {}, {}, {}};
    const bool is_cubic = shot.curve == ShotCurve::catmull_rom;
    out.set("uniform token type", is_cubic ? "\"cubic\"" : "\"linear\"");
    if (is_cubic) {
        out.set("uniform token basis", "\"catmullRom\"");
        out.set("uniform token wrap", "\"pinned\"");
    }
    UsdAttribute counts = per_strand(
        "int[] curveVertexCounts", UsdElement::int1, strands,
        [layout = shot.strands.layout](int s) { return std::int32_t{layout->vertex_count(s)}; });
    counts.interpolation.clear();
    out.attributes.push_back(std::move(counts));
    add_appearance(strands, out);
    add_groom_names(strands, number, out);
    out.attributes.push_back(curves_extent(strands));
    out.attributes.push_back(moving_vertices("point3f[] points", strands, &ShotFrame::positions));
    if (shot.has_velocities)
        out.attributes.push_back(
            moving_vertices("vector3f[] velocities", strands, &ShotFrame::velocities));
    return out;
}

UsdPrim hair_prim(const ShotDescription& shot) {
    UsdPrim out{"Xform", "Hair", {"prepend apiSchemas = [\"GroomAPI\"]"}, {}, {}};
    if (shot.for_unreal) {
        out.set("int primvars:groom_version_major", "1");
        out.set("int primvars:groom_version_minor", "5");
        out.set("string primvars:groom_tool", usd_string(std::string("Ringlet ") + version()));
    }
    int number = 0;
    for (const ShotGroup& group : shot.groups)
        out.children.push_back(curves_prim(shot, group, number++));
    return out;
}

// One value per element of a vector of the mesh.
template <class Values, class Value>
UsdAttribute mesh_array(std::string declaration, UsdElement element, const Values& values,
                        std::string interpolation, const Value& value) {
    return {std::move(declaration),
            [element, &values, value](const ShotFrame&, UsdValueOut& out) {
                out.begin_array(element, values.size());
                for (const auto& v : values) out.add(value(v));
                out.end_array();
            },
            false, std::move(interpolation)};
}

void add_mesh_appearance(const ShotAxes& axes, const ShotMesh& shown, UsdPrim& out) {
    const Mesh& mesh = *shown.mesh;
    // Normals of the rest shape do not fit a mesh that deforms.
    if (!shown.deforms && mesh.normals.size() == mesh.positions.size())
        out.attributes.push_back(mesh_array("normal3f[] normals", UsdElement::float3, mesh.normals,
                                            "vertex",
                                            [axes](Vec3f n) { return axes.direction(n); }));
    if (mesh.uvs.size() == mesh.positions.size())
        out.attributes.push_back(mesh_array("texCoord2f[] primvars:st", UsdElement::float2,
                                            mesh.uvs, "vertex", [](Vec2f uv) { return uv; }));
    if (mesh.colours.size() == mesh.positions.size() && !mesh.colours.empty())
        out.attributes.push_back(mesh_array("color3f[] primvars:displayColor", UsdElement::float3,
                                            mesh.colours, "vertex", [](Vec3f c) { return c; }));
    else if (!mesh.materials.empty())
        out.attributes.push_back(
            mesh_array("color3f[] primvars:displayColor", UsdElement::float3,
                       mesh.triangle_material, "uniform", [&mesh](std::int32_t m) {
                           return m < 0 ? Material{}.colour
                                        : mesh.materials[static_cast<std::size_t>(m)].colour;
                       }));
}

void add_mesh_points(const ShotAxes& axes, const ShotMesh& shown, std::size_t number,
                     UsdPrim& out) {
    const auto positions = [&shown, number](const ShotFrame& frame) -> std::span<const Vec3f> {
        if (shown.deforms) return frame.meshes[number].positions;
        return shown.mesh->positions;
    };
    out.attributes.push_back({"float3[] extent",
                              [axes, positions](const ShotFrame& frame, UsdValueOut& value) {
                                  UsdExtent extent;
                                  for (const Vec3f p : positions(frame)) extent.add(axes.vector(p));
                                  extent.write(0, value);
                              },
                              shown.deforms});
    out.attributes.push_back({"point3f[] points",
                              [axes, positions](const ShotFrame& frame, UsdValueOut& value) {
                                  const auto all = positions(frame);
                                  value.begin_array(UsdElement::float3, all.size());
                                  for (const Vec3f p : all) value.add(axes.vector(p));
                                  value.end_array();
                              },
                              shown.deforms});
}

UsdPrim mesh_prim(const ShotDescription& shot, std::size_t number) {
    const ShotMesh& shown = shot.meshes[number];
    const Mesh& mesh = *shown.mesh;
    const ShotAxes axes = shot.axes;
    UsdPrim out{"Mesh", usd_name(shown.name), {}, {}, {}};
    out.set("uniform token subdivisionScheme", "\"none\"");
    if (!shown.is_drawn) out.set("uniform token purpose", "\"guide\"");
    out.attributes.push_back(
        {"int[] faceVertexCounts", [&mesh](const ShotFrame&, UsdValueOut& value) {
             const auto count = static_cast<std::size_t>(mesh.triangle_count());
             value.begin_array(UsdElement::int1, count);
             for (std::size_t t = 0; t < count; ++t) value.add(3);
             value.end_array();
         }});
    out.attributes.push_back(
        mesh_array("int[] faceVertexIndices", UsdElement::int1, mesh.indices, "",
                   [](std::uint32_t k) { return static_cast<std::int32_t>(k); }));
    add_mesh_appearance(axes, shown, out);
    add_mesh_points(axes, shown, number, out);
    out.attributes.push_back({"matrix4d xformOp:transform",
                              [axes, number](const ShotFrame& frame, UsdValueOut& value) {
                                  write_motion(axes.motion(frame.meshes[number].pose), value);
                              },
                              true});
    out.set("uniform token[] xformOpOrder", "[\"xformOp:transform\"]");
    return out;
}

// Places a prim that looks along -Z, with +Y up in its picture.
void set_view(const ShotAxes& axes, Vec3f eye, Vec3f away, UsdPrim& out) {
    const Vec3f z = unit_or(away, Vec3f{0, 0, 1});
    const Vec3f x = unit_or(cross(Vec3f{0, 1, 0}, z), Vec3f{1, 0, 0});
    UsdStream text;
    UsdValueOut value(text);
    write_matrix(
        {axes.direction(x), axes.direction(cross(z, x)), axes.direction(z), axes.vector(eye)},
        value);
    out.set("matrix4d xformOp:transform", text.str());
    out.set("uniform token[] xformOpOrder", "[\"xformOp:transform\"]");
}

std::string usd_number(double value) {
    UsdStream out;
    out.number(value);
    return out.str();
}

UsdPrim camera_prim(const ShotAxes& axes, const ShotCamera& camera) {
    UsdPrim out{"Camera", "Camera", {}, {}, {}};
    const double half = double{camera.field_of_view_degrees} * double{kPi} / 360;
    const double unit = 1 / axes.metres_per_unit;
    // A film of 24 mm, in tenths of the unit of the stage.
    const double aperture = 0.024 * 10 * unit;
    out.set("float verticalAperture", usd_number(aperture));
    out.set("float horizontalAperture", usd_number(aperture * double{camera.aspect}));
    out.set("float focalLength", usd_number(aperture / 2 / std::tan(half)));
    out.set("float focusDistance",
            usd_number(double{axes.length(norm(camera.eye - camera.target))}));
    out.set("float2 clippingRange",
            "(" + usd_number(0.01 * unit) + ", " + usd_number(1000 * unit) + ")");
    set_view(axes, camera.eye, camera.eye - camera.target, out);
    return out;
}

UsdPrim light_prim(const ShotAxes& axes, const ShotLight& light) {
    UsdPrim out{light.is_dome ? "DomeLight" : "DistantLight", usd_name(light.name), {}, {}, {}};
    out.set("float inputs:intensity", usd_number(double{light.intensity}));
    out.set("color3f inputs:color", "(" + usd_number(double{light.colour.x}) + ", " +
                                        usd_number(double{light.colour.y}) + ", " +
                                        usd_number(double{light.colour.z}) + ")");
    if (light.is_dome) return out;
    // The intensity is that of the light on a surface, whatever the size of the light.
    out.set("bool inputs:normalize", "true");
    set_view(axes, {0, 0, 0}, light.direction, out);
    return out;
}

// Appends a number to the names of siblings that are equal.
void make_unique(std::vector<UsdPrim>& prims) {
    std::set<std::string> used;
    for (UsdPrim& prim : prims) {
        const std::string name = prim.name;
        for (int k = 1; !used.insert(prim.name).second; ++k)
            prim.name = name + '_' + std::to_string(k);
    }
}

}  // namespace

UsdPrim shot_prims(const ShotDescription& shot) {
    UsdPrim root{"Xform", std::string(kUsdRoot), {"kind = \"component\""}, {}, {hair_prim(shot)}};
    make_unique(root.children[0].children);
    if (!shot.meshes.empty()) {
        UsdPrim meshes{"Xform", "Meshes", {}, {}, {}};
        for (std::size_t m = 0; m < shot.meshes.size(); ++m)
            meshes.children.push_back(mesh_prim(shot, m));
        make_unique(meshes.children);
        root.children.push_back(std::move(meshes));
    }
    if (shot.camera) root.children.push_back(camera_prim(shot.axes, *shot.camera));
    if (!shot.lights.empty()) {
        UsdPrim lights{"Xform", "Lights", {}, {}, {}};
        for (const ShotLight& light : shot.lights)
            lights.children.push_back(light_prim(shot.axes, light));
        make_unique(lights.children);
        root.children.push_back(std::move(lights));
    }
    return root;
}

std::string usd_header(const ShotDescription& shot, int last_frame,
                       const std::vector<std::string>& more) {
    std::string out = "#usda 1.0\n(\n    defaultPrim = \"" + std::string(kUsdRoot) + "\"\n";
    if (!shot.title.empty()) out += "    doc = " + usd_string(shot.title) + "\n";
    out += "    metersPerUnit = " + usd_number(shot.axes.metres_per_unit) + "\n";
    out += std::string("    upAxis = ") + (shot.axes.z_up ? "\"Z\"" : "\"Y\"") + "\n";
    if (shot.frame_count > 1) {
        out += "    startTimeCode = " + std::to_string(shot.first_frame) + "\n";
        out += "    endTimeCode = " + std::to_string(last_frame) + "\n";
        for (const char* key : {"timeCodesPerSecond", "framesPerSecond"})
            out += std::string("    ") + key + " = " + usd_number(shot.fps) + "\n";
    }
    for (const std::string& line : more) out += "    " + line + "\n";
    return out + ")\n\n";
}

}  // namespace ringlet
