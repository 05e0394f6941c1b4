// The curves and meshes of an Alembic file, with the transforms above them.
#pragma once

#include <array>
#include <optional>

#include "io/alembic/abc_reader.h"
#include "math/vec2.h"
#include "math/vec3.h"

namespace ringlet {

// Maps row vectors: p' = p m, as Alembic stores matrices.
struct AbcMatrix {
    std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    bool is_identity = true;

    // First a, then b.
    friend AbcMatrix operator*(const AbcMatrix& a, const AbcMatrix& b);
    Vec3f apply(Vec3f p) const;
    // The mean factor of lengths.
    double scale() const;
};

// Curves or a polygon mesh.
struct AbcShape {
    std::string path;                     // names from the top, without its own: "/groom"
    std::string name;                     // its own
    bool is_hidden = false;               // its visibility is off
    std::vector<AbcProperty> geometry;    // of its schema
    std::vector<std::size_t> transforms;  // above it, the outermost first
};

// Numbers per shape, curve, point or corner, as geometry parameters store them.
struct AbcValues {
    std::vector<float> values;  // `extent` per item
    std::size_t extent = 1;
    std::string scope;

    std::size_t count() const { return values.size() / extent; }
};

// The times at which something changes.
struct AbcTimeRange {
    double start = 0, end = 0, step = 1;  // seconds
    bool is_animated() const { return end > start; }
};

class AbcScene {
public:
    static Result<AbcScene> open(const std::filesystem::path& path);
    // `bytes` must outlive the scene.
    static Result<AbcScene> over(std::string_view bytes, const std::string& name);

    const std::string& name() const { return reader_.name(); }
    std::uint64_t file_bytes() const { return reader_.file_bytes(); }
    const std::vector<AbcShape>& curves() const { return curves_; }
    const std::vector<AbcShape>& meshes() const { return meshes_; }
    Error damaged(const std::string& what) const { return reader_.damaged(what); }

    // Returns the times that the samples of positions and transforms cover.
    AbcTimeRange time_range(const std::vector<AbcShape>& shapes) const;

    // Interpolates linearly between samples; before the first and after the last, these hold.
    Result<AbcMatrix> matrix(const AbcShape& shape, double time);
    // Positions in world space.
    Result<std::vector<Vec3f>> points(const AbcShape& shape, double time);
    // Positions in the coordinates of the shape.
    Result<std::vector<Vec3f>> local_points(const AbcShape& shape, double time);
    // The numbers of an integer array at a time. Missing: empty.
    Result<std::vector<std::int32_t>> integers(const AbcShape& shape, std::string_view name,
                                               double time);
    // A geometry parameter of float32 or float64, with its indices resolved. Searched in the
    // schema, then among the arbitrary parameters. Empty: there is none.
    Result<AbcValues> values(const AbcShape& shape, std::string_view name, double time);

private:
    struct Transform {
        std::vector<std::uint8_t> operations;
        std::optional<AbcProperty> values, inherits;
    };
    struct Moment {
        std::uint32_t first = 0, second = 0;
        double t = 0;
    };

    explicit AbcScene(AbcReader reader) : reader_(std::move(reader)) {}
    static Result<AbcScene> start(Result<AbcReader> reader);
    Result<void> collect(const AbcObject& object, const std::string& path,
                         std::vector<std::size_t> above, int depth);
    Result<void> add_transform(const std::vector<AbcProperty>& properties,
                               std::vector<std::size_t>& above);
    Result<void> add_shape(const AbcObject& object, const std::string& path,
                           const std::vector<std::size_t>& above,
                           const std::vector<AbcProperty>& properties);
    Moment moment_of(const AbcProperty& property, double time) const;
    Result<std::string> bytes_at(const AbcProperty& property, double time);
    Result<std::vector<double>> channels(const AbcProperty& property, double time);
    Result<AbcMatrix> local_matrix(const Transform& transform, double time);
    Result<AbcValues> parameter(const AbcProperty& property, double time);
    void extend(AbcTimeRange& range, const AbcProperty& property, bool& is_first) const;

    AbcReader reader_;
    std::vector<Transform> transforms_;
    std::vector<AbcShape> curves_, meshes_;
};

}  // namespace ringlet
