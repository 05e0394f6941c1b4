// Writes shots as one Alembic file: curves, meshes with their motion, and the camera.
#include <set>

#include "io/alembic/abc_shapes_out.h"
#include "io/shot_format.h"
#include "io/strand_checks.h"
#include "math/elementary.h"
#include "ringlet/version.h"

namespace ringlet {

namespace {

constexpr AbcType kAbcFloat3{AbcPod::float32, 3}, kAbcFloat2{AbcPod::float32, 2},
    kAbcFloat1{AbcPod::float32, 1}, kAbcInt1{AbcPod::int32, 1}, kAbcBox{AbcPod::float64, 6};

// Unique names without the separators of paths and metadata.
class AbcNames {
public:
    std::string unique(const std::string& wanted) {
        std::string name;
        for (const char c : wanted)
            name +=
                c == '/' || c == ';' || c == '=' || static_cast<unsigned char>(c) < 32 ? '_' : c;
        if (name.empty()) name = "shape";
        std::string out = name;
        for (int k = 2; !used_.insert(out).second; ++k) out = name + "_" + std::to_string(k);
        return out;
    }

private:
    std::set<std::string> used_;
};

std::string without_separators(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c == ';' || c == '=' || static_cast<unsigned char>(c) < 32) c = ' ';
    return out;
}

std::string archive_metadata(const ShotDescription& shot) {
    return "_ai_Application=Ringlet " + std::string(version()) +
           ";_ai_DCC_FPS=" + std::to_string(shot.fps) +
           ";_ai_Description=" + without_separators(shot.title);
}

// The output properties that curves and meshes share.
struct AbcGeometryOut {
    AbcSchemaOut object;
    AbcWriter::Property bounds, points;
    std::vector<AbcWriter::Property> constants;  // hold for all frames

    AbcGeometryOut(AbcWriter& file, AbcWriter::Object parent, const std::string& name,
                   std::string_view schema, std::uint32_t sampling)
        : object(add_schema(file, parent, name, schema)),
          bounds(
              file.add_scalar(object.schema, ".selfBnds", "interpretation=box", kAbcBox, sampling)),
          points(file.add_array(object.schema, "P", "geoScope=vtx;interpretation=point", kAbcFloat3,
                                sampling)) {}

    // Integers that hold for all frames.
    void add_constant(AbcWriter& file, const std::string& name, std::string_view bytes,
                      std::uint32_t sampling) {
        constants.push_back(file.add_array(object.schema, name, "", kAbcInt1, sampling));
        file.add_sample(constants.back(), bytes);
    }
    void finish(AbcWriter& file, std::uint32_t frames) {
        for (const AbcWriter::Property property : constants) file.extend(property, frames);
        file.extend(bounds, frames);
        file.extend(points, frames);
    }
};

// The strands of one group.
class AbcCurvesOut {
public:
    AbcCurvesOut(AbcWriter& file, AbcWriter::Object parent, const std::string& name,
                 const ShotDescription& shot, std::size_t group, std::uint32_t sampling)
        : shot_(shot),
          group_(shot.groups[group]),
          geometry_(file, parent, name, kAbcCurves, sampling) {
        std::string counts;
        each_strand([&](int s) {
            append_u32(counts, static_cast<std::uint32_t>(shot_.strands.layout->vertex_count(s)));
        });
        geometry_.add_constant(file, "nVertices", counts, sampling);
        // Linear, not periodic: readers place a Catmull-Rom curve without end points differently.
        const AbcWriter::Property type = file.add_scalar(
            geometry_.object.schema, "curveBasisAndType", "", {AbcPod::uint8, 4}, sampling);
        file.add_sample(type, std::string_view("\x01\x00\x00\x00", 4));
        geometry_.constants.push_back(type);
        if (shot.has_velocities)
            velocities_ = file.add_array(geometry_.object.schema, ".velocities",
                                         "interpretation=vector", kAbcFloat3, sampling);
        add_appearance(file, sampling);
        add_groom_attributes(file, static_cast<int>(group));
    }

    void add_frame(AbcWriter& file, const ShotFrame& frame) {
        AbcVectorsOut points(file);
        each_vertex(
            [&](int s, int i) { points.add(shot_.axes.vector(frame.positions->vec3(s, i))); });
        points.end(geometry_.points);
        file.add_sample(geometry_.bounds, points.bounds());
        if (!shot_.has_velocities) return;
        AbcVectorsOut velocities(file);
        each_vertex(
            [&](int s, int i) { velocities.add(shot_.axes.vector(frame.velocities->vec3(s, i))); });
        velocities.end(velocities_);
    }
    void finish(AbcWriter& file, std::uint32_t frames) {
        geometry_.finish(file, frames);
        if (shot_.has_velocities) file.extend(velocities_, frames);
    }

private:
    template <class Visit>
    void each_strand(const Visit& visit) const {
        for (int k = 0; k < group_.strand_count; ++k) visit(group_.first_strand + k);
    }
    template <class Visit>
    void each_vertex(const Visit& visit) const {
        each_strand([&](int s) {
            for (int i = 0; i < shot_.strands.layout->vertex_count(s); ++i) visit(s, i);
        });
    }

    // Widths and root UVs are part of the schema of curves.
    void add_appearance(AbcWriter& file, std::uint32_t sampling) {
        const auto add = [&](const std::string& name, AbcType type, AbcScope scope,
                             std::string_view interpretation, std::string_view bytes) {
            geometry_.constants.push_back(add_parameter(file, geometry_.object.schema, name, type,
                                                        scope, interpretation, sampling));
            file.add_sample(geometry_.constants.back(), bytes);
        };
        if (has_widths()) add("width", kAbcFloat1, AbcScope::vertex, "", width_bytes());
        if (!shot_.root_uv.empty())
            add("uv", kAbcFloat2, AbcScope::uniform, "vector", root_uv_bytes());
    }

    // Unreal's names. Equal samples are stored once, so repetitions cost nothing.
    void add_groom_attributes(AbcWriter& file, int number) {
        const AbcWriter::Compound others =
            file.add_compound(geometry_.object.schema, ".arbGeomParams", "");
        const auto add = [&](const std::string& name, AbcType type, AbcScope scope,
                             std::string_view interpretation, std::string_view bytes) {
            file.add_sample(add_parameter(file, others, name, type, scope, interpretation, 0),
                            bytes);
        };
        std::string ids, guides, group;
        each_strand([&](int s) {
            append_u32(ids, static_cast<std::uint32_t>(s));
            append_u32(guides, s < group_.first_strand + group_.guide_count ? 1 : 0);
        });
        append_u32(group, static_cast<std::uint32_t>(number));
        add("groom_id", kAbcInt1, AbcScope::uniform, "", ids);
        if (group_.guide_count > 0) add("groom_guide", kAbcInt1, AbcScope::uniform, "", guides);
        add("groom_group_id", kAbcInt1, AbcScope::constant, "", group);
        const std::string names[] = {without_separators(group_.name)};
        file.add_strings(add_parameter(file, others, "groom_group_name", {AbcPod::string, 1},
                                       AbcScope::constant, "", 0),
                         names);
        if (!shot_.root_uv.empty())
            add("groom_root_uv", kAbcFloat2, AbcScope::uniform, "vector", root_uv_bytes());
        if (has_widths()) add("groom_width", kAbcFloat1, AbcScope::vertex, "", width_bytes());
        if (!shot_.strands.colour || !has_colour(shot_.strands)) return;
        AbcVectorsOut colours(file);
        each_vertex([&](int s, int i) { colours.add(shot_.strands.colour->vec3(s, i)); });
        colours.end(
            add_parameter(file, others, "groom_color", kAbcFloat3, AbcScope::vertex, "vector", 0));
    }

    bool has_widths() const { return shot_.strands.radius && has_radius(shot_.strands); }
    std::string width_bytes() const {
        std::string out;
        if (shot_.strands.layout)
            out.reserve(4 * static_cast<std::size_t>(shot_.strands.layout->vertex_total()));
        each_vertex([&](int s, int i) {
            append_f32(out, shot_.axes.length(2 * shot_.strands.radius->at(s, i)));
        });
        return out;
    }
    std::string root_uv_bytes() const {
        std::string out;
        each_strand([&](int s) {
            append_f32(out, shot_.root_uv[static_cast<std::size_t>(s)].x);
            append_f32(out, shot_.root_uv[static_cast<std::size_t>(s)].y);
        });
        return out;
    }

    const ShotDescription& shot_;
    const ShotGroup& group_;
    AbcGeometryOut geometry_;
    AbcWriter::Property velocities_{};
};

// A head or a collider: a transform with a mesh below it.
class AbcMeshOut {
public:
    AbcMeshOut(AbcWriter& file, const std::string& name, const ShotDescription& shot,
               std::size_t number, std::uint32_t sampling)
        : axes_(shot.axes),
          shown_(shot.meshes[number]),
          number_(number),
          xform_(add_schema(file, file.top(), name, kAbcXform)),
          transform_(file, xform_, sampling),
          geometry_(file, xform_.object, name + "Shape", kAbcPolyMesh, sampling) {
        if (!shown_.is_drawn)
            file.add_sample(file.add_scalar(file.properties_of(geometry_.object.object), "visible",
                                            "", {AbcPod::int8, 1}, 0),
                            std::string_view("\0", 1));
        const Mesh& mesh = *shown_.mesh;
        std::string indices, counts;
        // Alembic's faces are clockwise seen from outside.
        for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
            for (std::size_t c = 3; c-- > 0;) append_u32(indices, mesh.indices[t + c]);
            append_u32(counts, 3);
        }
        geometry_.add_constant(file, ".faceIndices", indices, sampling);
        geometry_.add_constant(file, ".faceCounts", counts, sampling);
        if (mesh.uvs.size() == mesh.positions.size()) add_uvs(file, mesh, sampling);
        // Normals of the rest shape do not fit a mesh that deforms.
        if (!shown_.deforms && mesh.normals.size() == mesh.positions.size())
            add_normals(file, mesh, sampling);
    }

    void add_frame(AbcWriter& file, const ShotFrame& frame) {
        const ShotMeshPose& now = frame.meshes[number_];
        transform_.add(file, axes_.motion(now.pose));
        if (!shown_.deforms && has_points_) return;
        has_points_ = true;
        AbcVectorsOut points(file);
        for (const Vec3f p :
             shown_.deforms ? now.positions : std::span<const Vec3f>(shown_.mesh->positions))
            points.add(axes_.vector(p));
        points.end(geometry_.points);
        file.add_sample(geometry_.bounds, points.bounds());
    }
    void save_progress(ProgressOut& out) const {
        transform_.save_progress(out);
        out.add(has_points_);
    }
    void continue_from(ProgressIn& in) {
        transform_.continue_from(in);
        has_points_ = in.take<bool>();
    }
    void finish(AbcWriter& file, std::uint32_t frames) {
        transform_.finish(file, frames);
        geometry_.finish(file, frames);
    }

private:
    void add_uvs(AbcWriter& file, const Mesh& mesh, std::uint32_t sampling) {
        std::string bytes;
        for (const Vec2f uv : mesh.uvs) {
            append_f32(bytes, uv.x);
            append_f32(bytes, uv.y);
        }
        geometry_.constants.push_back(add_parameter(file, geometry_.object.schema, "uv", kAbcFloat2,
                                                    AbcScope::vertex, "vector", sampling));
        file.add_sample(geometry_.constants.back(), bytes);
    }
    void add_normals(AbcWriter& file, const Mesh& mesh, std::uint32_t sampling) {
        geometry_.constants.push_back(add_parameter(file, geometry_.object.schema, "N", kAbcFloat3,
                                                    AbcScope::vertex, "normal", sampling));
        AbcVectorsOut normals(file);
        for (const Vec3f n : mesh.normals) normals.add(axes_.direction(n));
        normals.end(geometry_.constants.back());
    }

    ShotAxes axes_;
    const ShotMesh& shown_;
    std::size_t number_;
    AbcSchemaOut xform_;
    AbcTransformOut transform_;
    AbcGeometryOut geometry_;
    bool has_points_ = false;
};

// The camera looks along -z of its own coordinates, with +y up.
std::array<double, 16> camera_matrix(const ShotCamera& camera, const ShotAxes& axes) {
    const Vec3f back = unit_or(camera.eye - camera.target, Vec3f{0, 0, 1});
    const Vec3f right = unit_or(cross(Vec3f{0, 1, 0}, back), Vec3f{1, 0, 0});
    const std::array<Vec3f, 4> rows{axes.direction(right), axes.direction(cross(back, right)),
                                    axes.direction(back), axes.vector(camera.eye)};
    std::array<double, 16> out{};
    for (std::size_t k = 0; k < 4; ++k) {
        out[4 * k] = double{rows[k].x};
        out[4 * k + 1] = double{rows[k].y};
        out[4 * k + 2] = double{rows[k].z};
    }
    out[15] = 1;
    return out;
}

void add_camera(AbcWriter& file, const std::string& name, const ShotDescription& shot) {
    const ShotCamera& camera = *shot.camera;
    const AbcSchemaOut xform = add_schema(file, file.top(), name, kAbcXform);
    AbcTransformOut transform(file, xform, 0);
    transform.add(file, camera_matrix(camera, shot.axes));
    transform.finish(file, 1);
    constexpr double kHeight = 2.4;  // cm, of a film of 35 mm
    const double half_angle = double{camera.field_of_view_degrees} * static_cast<double>(kPi) / 360;
    const double focal_length = 10 * kHeight / 2 / std::tan(half_angle);  // mm
    const double distance = double{shot.axes.length(norm(camera.eye - camera.target))};
    // Aperture and offset, squeeze, overscan, f-stop, focus, shutter, clipping.
    const std::array<double, 16> core{focal_length,
                                      kHeight * double{camera.aspect},
                                      0,
                                      kHeight,
                                      0,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      5.6,
                                      distance,
                                      0,
                                      0.5 / shot.fps,
                                      distance / 1000,
                                      distance * 1000};
    std::string bytes;
    for (const double value : core) append_f64(bytes, value);
    const AbcSchemaOut shape = add_schema(file, xform.object, name + "Shape", kAbcCamera);
    file.add_sample(file.add_scalar(shape.schema, ".core", "", {AbcPod::float64, 16}, 0), bytes);
}

class AbcShot : public ShotWriter {
public:
    AbcShot(const std::filesystem::path& path, const ShotDescription& shot,
            const OutputStart& start)
        : name_(path.string()), shot_(shot), file_(path, archive_metadata(shot), start) {
        const std::uint32_t sampling =
            file_.add_sampling(shot.first_frame / shot.fps, 1 / shot.fps);
        AbcNames names, group_names;
        const AbcWriter::Object top = add_groom_node(names.unique("groom"));
        curves_.reserve(shot.groups.size());
        for (std::size_t k = 0; k < shot_.groups.size(); ++k)
            curves_.emplace_back(file_, top, group_names.unique(shot_.groups[k].name), shot_, k,
                                 sampling);
        meshes_.reserve(shot.meshes.size());
        for (std::size_t k = 0; k < shot_.meshes.size(); ++k)
            meshes_.emplace_back(file_, names.unique(shot_.meshes[k].name), shot_, k, sampling);
        if (shot_.camera) add_camera(file_, names.unique("camera"), shot_);
    }

    Result<void> state() const { return file_.state(); }

    Result<void> add_frame(const ShotFrame& frame) override {
        for (AbcCurvesOut& curves : curves_) curves.add_frame(file_, frame);
        for (AbcMeshOut& mesh : meshes_) mesh.add_frame(file_, frame);
        ++frames_;
        return file_.state();
    }

    Result<std::string> save_progress() override {
        ProgressOut out;
        out.add(frames_);
        for (const AbcMeshOut& mesh : meshes_) mesh.save_progress(out);
        if (const Result<void> saved = file_.save_progress(out); !saved) return saved.error();
        return out.take();
    }
    // The constructor has written the constants again, which are where they were.
    Result<void> continue_from(const std::string& progress) {
        ProgressIn in(progress);
        frames_ = in.take<std::uint32_t>();
        for (AbcMeshOut& mesh : meshes_) mesh.continue_from(in);
        if (const Result<void> done = file_.continue_from(in); !done)
            return Error{done.error().message, name_};
        return {};
    }
    void keep_unfinished() override { file_.keep_unfinished(); }
    bool has_written_appearance() const override { return true; }

    Result<void> finish() override {
        for (AbcCurvesOut& curves : curves_) curves.finish(file_, frames_);
        for (AbcMeshOut& mesh : meshes_) mesh.finish(file_, frames_);
        return file_.finish();
    }

private:
    // Unreal looks for the version of the groom's attributes on the first transform.
    AbcWriter::Object add_groom_node(const std::string& name) {
        const AbcSchemaOut node = add_schema(file_, file_.top(), name, kAbcXform);
        const AbcWriter::Compound user = file_.add_compound(node.schema, ".userProperties", "");
        const auto add_number = [&](const std::string& key, std::uint16_t value) {
            std::string bytes;
            append_u16(bytes, value);
            file_.add_sample(file_.add_scalar(user, key, "", {AbcPod::int16, 1}, 0), bytes);
        };
        add_number("groom_version_major", 1);
        add_number("groom_version_minor", 5);
        const std::string tool[] = {"Ringlet " + std::string(version())};
        file_.add_strings(file_.add_scalar(user, "groom_tool", "", {AbcPod::string, 1}, 0), tool);
        return node.object;
    }

    std::string name_;
    ShotDescription shot_;
    AbcWriter file_;
    std::vector<AbcCurvesOut> curves_;
    std::vector<AbcMeshOut> meshes_;
    std::uint32_t frames_ = 0;
};

Result<std::unique_ptr<ShotWriter>> open_abc_shot(const std::filesystem::path& path,
                                                  const ShotDescription& shot,
                                                  const OutputStart& start) {
    auto out = std::make_unique<AbcShot>(path, shot, start);
    Result<void> ready = out->state();
    if (ready && start.progress) ready = out->continue_from(*start.progress);
    if (!ready) return ready.error();
    return std::unique_ptr<ShotWriter>(std::move(out));
}

}  // namespace

extern const ShotFormat kShotFormatAbc;
constinit const ShotFormat kShotFormatAbc{
    .name = "Alembic",
    .extension = ".abc",
    .description = "curves, meshes and the camera over time, in one file",
    .open = open_abc_shot,
};

}  // namespace ringlet
