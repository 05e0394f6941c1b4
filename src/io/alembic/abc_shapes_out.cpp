#include "io/alembic/abc_shapes_out.h"

#include <bit>

namespace ringlet {

namespace {

constexpr std::uint8_t kMatrixOperation = 0x30;

std::string_view name_of(AbcPod pod) {
    constexpr std::string_view kNames[kAbcPodCount] = {
        "bool_t",   "uint8_t", "int8_t",    "uint16_t",  "int16_t",   "uint32_t", "int32_t",
        "uint64_t", "int64_t", "float16_t", "float32_t", "float64_t", "string",   "wstring"};
    return kNames[static_cast<std::size_t>(pod)];
}

std::string_view word_of(AbcScope scope) {
    return scope == AbcScope::constant ? "con" : scope == AbcScope::uniform ? "uni" : "vtx";
}

std::array<double, 16> matrix_of(const Rigidf& pose) {
    std::array<double, 16> out{};
    const std::array<Vec3f, 4> rows{rotate(pose.rotation, Vec3f{1, 0, 0}),
                                    rotate(pose.rotation, Vec3f{0, 1, 0}),
                                    rotate(pose.rotation, Vec3f{0, 0, 1}), pose.translation};
    for (std::size_t k = 0; k < 4; ++k) {
        out[4 * k] = double{rows[k].x};
        out[4 * k + 1] = double{rows[k].y};
        out[4 * k + 2] = double{rows[k].z};
    }
    out[15] = 1;
    return out;
}

}  // namespace

AbcSchemaOut add_schema(AbcWriter& file, AbcWriter::Object parent, const std::string& name,
                        std::string_view schema) {
    const bool is_transform = schema == kAbcXform, is_camera = schema == kAbcCamera;
    const std::string compound = is_transform ? ".xform" : ".geom";
    const std::string title(schema);
    const std::string base = is_transform || is_camera ? "" : ";schemaBaseType=AbcGeom_GeomBase_v1";
    const AbcWriter::Object object = file.add_object(
        parent, name, "schema=" + title + base + ";schemaObjTitle=" + title + ":" + compound);
    return {object,
            file.add_compound(file.properties_of(object), compound, "schema=" + title + base)};
}

AbcWriter::Property add_parameter(AbcWriter& file, AbcWriter::Compound parent,
                                  const std::string& name, AbcType type, AbcScope scope,
                                  std::string_view interpretation, std::uint32_t sampling) {
    std::string metadata = "arrayExtent=1;geoScope=" + std::string(word_of(scope));
    if (!interpretation.empty()) metadata += ";interpretation=" + std::string(interpretation);
    metadata += ";isGeomParam=true;podExtent=" + std::to_string(type.extent) +
                ";podName=" + std::string(name_of(type.pod));
    return file.add_array(parent, name, metadata, type, sampling);
}

AbcTransformOut::AbcTransformOut(AbcWriter& file, const AbcSchemaOut& xform, std::uint32_t sampling)
    : schema_(xform.schema),
      sampling_(sampling),
      inherits_(file.add_scalar(schema_, ".inherits", "", {AbcPod::boolean, 1}, sampling)),
      operations_(file.add_scalar(schema_, ".ops", "", {AbcPod::uint8, 1}, 0)),
      values_(file.add_scalar(schema_, ".vals", "", {AbcPod::float64, 16}, sampling)) {}

void AbcTransformOut::add(AbcWriter& file, const Rigidf& pose) { add(file, matrix_of(pose)); }

void AbcTransformOut::add(AbcWriter& file, const std::array<double, 16>& matrix) {
    if (is_first_) {
        file.add_sample(inherits_, "\x01");
        file.add_sample(operations_, std::string(1, static_cast<char>(kMatrixOperation)));
        first_ = matrix;
    }
    is_first_ = false;
    std::string bytes;
    for (std::size_t k = 0; k < 16; ++k) {
        append_f64(bytes, matrix[k]);
        is_identity_ = is_identity_ && matrix[k] == (k % 5 == 0 ? 1 : 0);
        changes_[k] = changes_[k] || matrix[k] != first_[k];
    }
    file.add_sample(values_, bytes);
}

void AbcTransformOut::save_progress(ProgressOut& out) const {
    out.add(first_);
    out.add(changes_);
    out.add(is_first_);
    out.add(is_identity_);
}

void AbcTransformOut::continue_from(ProgressIn& in) {
    first_ = in.take<decltype(first_)>();
    changes_ = in.take<decltype(changes_)>();
    is_first_ = in.take<bool>();
    is_identity_ = in.take<bool>();
}

void AbcTransformOut::finish(AbcWriter& file, std::uint32_t frames) {
    for (const AbcWriter::Property property : {inherits_, operations_, values_})
        file.extend(property, frames);
    if (!is_identity_)
        file.add_sample(
            file.add_scalar(schema_, "isNotConstantIdentity", "", {AbcPod::boolean, 1}, 0), "\x01");
    std::string changed;
    for (std::uint32_t k = 0; k < 16; ++k)
        if (changes_[k]) append_u32(changed, k);
    if (!changed.empty())
        file.add_sample(file.add_array(schema_, ".animChans", "", {AbcPod::uint32, 1}, sampling_),
                        changed);
}

void AbcVectorsOut::flush() {
    static_assert(sizeof(Vec3f) == 12);
    if constexpr (std::endian::native == std::endian::little) {
        file_.append({reinterpret_cast<const char*>(buffer_.data()), used_ * sizeof(Vec3f)});
    } else {
        std::string bytes;
        for (std::size_t k = 0; k < used_; ++k) append_vec3(bytes, buffer_[k]);
        file_.append(bytes);
    }
    used_ = 0;
}

std::string AbcVectorsOut::bounds() const {
    const bool is_empty = !(low_.x <= high_.x);
    std::string out;
    for (const float c : {low_.x, low_.y, low_.z, high_.x, high_.y, high_.z})
        append_f64(out, is_empty ? 0 : double{c});
    return out;
}

}  // namespace ringlet
