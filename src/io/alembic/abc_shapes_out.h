// The schemas of Alembic that shots use: transforms, curves, polygon meshes and cameras.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "io/alembic/abc_writer.h"
#include "io/bytes.h"
#include "math/quat.h"
#include "math/vec2.h"
#include "math/vec3.h"

namespace ringlet {

// Numbers per shape, curve or point.
enum class AbcScope { constant, uniform, vertex };

// Adds an object of a schema with its compound: the one that has the properties.
struct AbcSchemaOut {
    AbcWriter::Object object;
    AbcWriter::Compound schema;
};
AbcSchemaOut add_schema(AbcWriter& file, AbcWriter::Object parent, const std::string& name,
                        std::string_view schema);

// Adds a geometry parameter. `interpretation` is empty, "vector" or "normal".
AbcWriter::Property add_parameter(AbcWriter& file, AbcWriter::Compound parent,
                                  const std::string& name, AbcType type, AbcScope scope,
                                  std::string_view interpretation, std::uint32_t sampling);

// A rigid transform over time.
class AbcTransformOut {
public:
    AbcTransformOut(AbcWriter& file, const AbcSchemaOut& xform, std::uint32_t sampling);

    void add(AbcWriter& file, const Rigidf& pose);
    // Rows of a matrix that maps row vectors.
    void add(AbcWriter& file, const std::array<double, 16>& matrix);
    // The state that changes from frame to frame, for a writer that continues in another process.
    void save_progress(ProgressOut& out) const;
    void continue_from(ProgressIn& in);
    // After the last frame. Readers take a transform for the identity, or for constant, unless it
    // says otherwise.
    void finish(AbcWriter& file, std::uint32_t frames);

private:
    AbcWriter::Compound schema_;
    std::uint32_t sampling_;
    AbcWriter::Property inherits_, operations_, values_;
    std::array<double, 16> first_{};
    std::array<bool, 16> changes_{};
    bool is_first_ = true, is_identity_ = true;
};

// Writes an array of vectors as one sample, in pieces, and keeps its bounds.
class AbcVectorsOut {
public:
    explicit AbcVectorsOut(AbcWriter& file) : file_(file) { file_.begin_sample(); }
    void add(Vec3f p) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
        high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
        buffer_[used_++] = p;
        if (used_ == buffer_.size()) flush();
    }
    void end(AbcWriter::Property property) {
        flush();
        file_.end_sample(property);
    }
    // Six doubles; the origin if there is no vector.
    std::string bounds() const;

private:
    void flush();

    AbcWriter& file_;
    std::vector<Vec3f> buffer_ = std::vector<Vec3f>(4096);
    std::size_t used_ = 0;
    Vec3f low_ = Vec3f{1, 1, 1} * std::numeric_limits<float>::infinity();
    Vec3f high_ = Vec3f{-1, -1, -1} * std::numeric_limits<float>::infinity();
};

}  // namespace ringlet
