#include "io/alembic/abc_scene.h"

#include <algorithm>
#include <cmath>

#include "io/bytes.h"

namespace ringlet {

namespace {

constexpr int kMostDepth = 64;  // of objects
constexpr std::size_t kMostShapes = 1 << 20;
constexpr double kSampleTolerance = 1e-6;  // s; times within it are equal

// The operations of a transform, by the upper four bits of their codes.
enum class AbcOperation { scale, translate, rotate, matrix, rotate_x, rotate_y, rotate_z };
constexpr std::array<std::size_t, 7> kChannels{3, 3, 4, 16, 1, 1, 1};

AbcMatrix rotation(double x, double y, double z, double degrees) {
    const double length = std::hypot(x, y, z), angle = degrees * 3.14159265358979323846 / 180;
    AbcMatrix out;
    if (!(length > 0) || angle == 0) return out;
    x /= length;
    y /= length;
    z /= length;
    const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
    out.m = {c + x * x * k,
             x * y * k + z * s,
             x * z * k - y * s,
             0,
             x * y * k - z * s,
             c + y * y * k,
             y * z * k + x * s,
             0,
             x * z * k + y * s,
             y * z * k - x * s,
             c + z * z * k,
             0,
             0,
             0,
             0,
             1};
    out.is_identity = false;
    return out;
}

AbcMatrix matrix_of(AbcOperation operation, const double* v) {
    AbcMatrix out;
    switch (operation) {
        case AbcOperation::scale:
            out.m[0] = v[0];
            out.m[5] = v[1];
            out.m[10] = v[2];
            break;
        case AbcOperation::translate:
            std::copy_n(v, 3, &out.m[12]);
            break;
        case AbcOperation::rotate:
            return rotation(v[0], v[1], v[2], v[3]);
        case AbcOperation::matrix:
            std::copy_n(v, 16, out.m.data());
            break;
        case AbcOperation::rotate_x:
            return rotation(1, 0, 0, v[0]);
        case AbcOperation::rotate_y:
            return rotation(0, 1, 0, v[0]);
        case AbcOperation::rotate_z:
            return rotation(0, 0, 1, v[0]);
    }
    out.is_identity = out.m == AbcMatrix{}.m;
    return out;
}

std::vector<float> floats_of(std::string_view bytes, AbcPod pod) {
    std::vector<float> out;
    out.reserve(bytes.size() / bytes_of(pod));
    for (std::size_t at = 0; at < bytes.size(); at += bytes_of(pod))
        out.push_back(pod == AbcPod::float32 ? f32_at(bytes, at)
                                             : static_cast<float>(f64_at(bytes, at)));
    return out;
}

bool is_real(const AbcProperty& property) {
    return property.kind != AbcKind::compound && property.count > 0 &&
           (property.type.pod == AbcPod::float32 || property.type.pod == AbcPod::float64);
}

bool is_points(const AbcProperty* property) {
    return property && property->kind == AbcKind::array && property->count > 0 &&
           property->type == AbcType{AbcPod::float32, 3};
}

}  // namespace

AbcMatrix operator*(const AbcMatrix& a, const AbcMatrix& b) {
    if (a.is_identity) return b;
    if (b.is_identity) return a;
    AbcMatrix out;
    out.is_identity = false;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k) sum += a.m[4 * i + k] * b.m[4 * k + j];
            out.m[4 * i + j] = sum;
        }
    return out;
}

Vec3f AbcMatrix::apply(Vec3f p) const {
    if (is_identity) return p;
    const auto component = [&](std::size_t j) {
        return static_cast<float>(double{p.x} * m[j] + double{p.y} * m[4 + j] +
                                  double{p.z} * m[8 + j] + m[12 + j]);
    };
    return {component(0), component(1), component(2)};
}

double AbcMatrix::scale() const {
    if (is_identity) return 1;
    const double volume = m[0] * (m[5] * m[10] - m[6] * m[9]) -
                          m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
    return std::cbrt(std::abs(volume));
}

Result<AbcScene> AbcScene::open(const std::filesystem::path& path) {
    return start(AbcReader::open(path));
}

Result<AbcScene> AbcScene::over(std::string_view bytes, const std::string& name) {
    return start(AbcReader::over(bytes, name));
}

Result<AbcScene> AbcScene::start(Result<AbcReader> reader) {
    if (!reader) return reader.error();
    AbcScene out(std::move(*reader));
    const Result<void> done = out.collect(AbcObject(out.reader_.top()), "", {}, 0);
    if (!done) return done.error();
    return out;
}

Result<void> AbcScene::collect(const AbcObject& object, const std::string& path,
                               std::vector<std::size_t> above, int depth) {
    if (depth > kMostDepth) return damaged("its objects are nested too deeply");
    if (!object.schema.empty()) {
        const Result<std::vector<AbcProperty>> properties = reader_.properties(object);
        if (!properties) return properties.error();
        Result<void> done;
        if (object.schema == kAbcXform)
            done = add_transform(*properties, above);
        else if (object.schema == kAbcCurves || object.schema == kAbcPolyMesh ||
                 object.schema == kAbcSubdivision)
            done = add_shape(object, path, above, *properties);
        if (!done) return done;
    }
    const Result<std::vector<AbcObject>> children = reader_.children(object);
    if (!children) return children.error();
    const std::string below = depth == 0 ? "" : path + "/" + object.name;
    for (const AbcObject& child : *children)
        if (Result<void> done = collect(child, below, above, depth + 1); !done) return done;
    return {};
}

Result<void> AbcScene::add_transform(const std::vector<AbcProperty>& properties,
                                     std::vector<std::size_t>& above) {
    const AbcProperty* const schema = find_property(properties, ".xform");
    if (!schema || schema->kind != AbcKind::compound) return {};
    const Result<std::vector<AbcProperty>> parts = reader_.properties(*schema);
    if (!parts) return parts.error();
    Transform out;
    const AbcProperty* const operations = find_property(*parts, ".ops");
    if (operations && operations->kind != AbcKind::compound && operations->count > 0) {
        const Result<std::string> codes = reader_.sample(*operations, 0);
        if (!codes) return codes.error();
        for (const char code : *codes) {
            const std::uint8_t kind = static_cast<std::uint8_t>(code) >> 4;
            if (kind >= kChannels.size()) return damaged("a transform has an unknown operation");
            out.operations.push_back(kind);
        }
    }
    const AbcProperty* const values = find_property(*parts, ".vals");
    if (values && is_real(*values)) out.values = *values;
    const AbcProperty* const inherits = find_property(*parts, ".inherits");
    if (inherits && inherits->kind == AbcKind::scalar && inherits->count > 0)
        out.inherits = *inherits;
    above.push_back(transforms_.size());
    transforms_.push_back(std::move(out));
    return {};
}

Result<void> AbcScene::add_shape(const AbcObject& object, const std::string& path,
                                 const std::vector<std::size_t>& above,
                                 const std::vector<AbcProperty>& properties) {
    const AbcProperty* const schema = find_property(properties, ".geom");
    if (!schema || schema->kind != AbcKind::compound) return {};
    Result<std::vector<AbcProperty>> geometry = reader_.properties(*schema);
    if (!geometry) return geometry.error();
    if (!is_points(find_property(*geometry, "P"))) return {};
    if (curves_.size() + meshes_.size() >= kMostShapes)
        return damaged("it has more shapes than are supported");
    AbcShape out{path, object.name, false, std::move(*geometry), above};
    const AbcProperty* const visible = find_property(properties, "visible");
    if (visible && visible->kind == AbcKind::scalar && visible->count > 0 &&
        visible->type == AbcType{AbcPod::int8, 1}) {
        const Result<std::string> value = reader_.sample(*visible, 0);
        if (!value) return value.error();
        out.is_hidden = *value == std::string_view("\0", 1);
    }
    (object.schema == kAbcCurves ? curves_ : meshes_).push_back(std::move(out));
    return {};
}

void AbcScene::extend(AbcTimeRange& range, const AbcProperty& property, bool& is_first) const {
    if (property.is_constant() || property.count < 2) return;
    const AbcSampling& sampling = reader_.sampling(property);
    const double start = sampling.time_of(0), end = sampling.time_of(property.count - 1),
                 step = sampling.mean_step(property.count);
    if (!(end > start) || !(step > 0)) return;
    range = is_first ? AbcTimeRange{start, end, step}
                     : AbcTimeRange{std::min(range.start, start), std::max(range.end, end),
                                    std::min(range.step, step)};
    is_first = false;
}

AbcTimeRange AbcScene::time_range(const std::vector<AbcShape>& shapes) const {
    AbcTimeRange out;
    bool is_first = true;
    for (const AbcShape& shape : shapes) {
        extend(out, *find_property(shape.geometry, "P"), is_first);
        for (const std::size_t k : shape.transforms)
            if (transforms_[k].values) extend(out, *transforms_[k].values, is_first);
    }
    if (is_first && !shapes.empty()) {
        const AbcProperty& points = *find_property(shapes[0].geometry, "P");
        out.start = out.end = reader_.sampling(points).time_of(0);
    }
    return out;
}

AbcScene::Moment AbcScene::moment_of(const AbcProperty& property, double time) const {
    const AbcSampling& sampling = reader_.sampling(property);
    // The first sample after the time, by bisection.
    std::uint32_t low = 0, high = property.count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        (sampling.time_of(middle) > time + kSampleTolerance ? high : low) =
            sampling.time_of(middle) > time + kSampleTolerance ? middle : middle + 1;
    }
    if (low == 0) return {};
    if (low == property.count) return {property.count - 1, property.count - 1, 0};
    const double before = sampling.time_of(low - 1), after = sampling.time_of(low);
    if (time - before < kSampleTolerance) return {low - 1, low - 1, 0};
    return {low - 1, low, (time - before) / (after - before)};
}

Result<std::string> AbcScene::bytes_at(const AbcProperty& property, double time) {
    return reader_.sample(property, moment_of(property, time).first);
}

// The numbers of a transform.
Result<std::vector<double>> AbcScene::channels(const AbcProperty& property, double time) {
    const Moment moment = moment_of(property, time);
    std::vector<double> out;
    for (const std::uint32_t sample : {moment.first, moment.second}) {
        const Result<std::string> bytes = reader_.sample(property, sample);
        if (!bytes) return bytes.error();
        const std::size_t size = bytes_of(property.type.pod);
        for (std::size_t k = 0; k < bytes->size() / size; ++k) {
            const double value = size == 8 ? f64_at(*bytes, 8 * k) : double{f32_at(*bytes, 4 * k)};
            if (sample == moment.first && out.size() < k + 1)
                out.push_back(value);
            else if (k < out.size())
                out[k] += moment.t * (value - out[k]);
        }
        if (moment.first == moment.second) break;
    }
    return out;
}

Result<AbcMatrix> AbcScene::local_matrix(const Transform& transform, double time) {
    AbcMatrix out;
    if (!transform.values || transform.operations.empty()) return out;
    const Result<std::vector<double>> values = channels(*transform.values, time);
    if (!values) return values.error();
    std::size_t at = 0;
    for (const std::uint8_t operation : transform.operations) {
        if (kChannels[operation] > values->size() - at)
            return damaged("a transform has too few numbers");
        out = matrix_of(static_cast<AbcOperation>(operation), values->data() + at) * out;
        at += kChannels[operation];
    }
    return out;
}

Result<AbcMatrix> AbcScene::matrix(const AbcShape& shape, double time) {
    AbcMatrix out;
    for (const std::size_t k : shape.transforms) {
        const Transform& transform = transforms_[k];
        const Result<AbcMatrix> local = local_matrix(transform, time);
        if (!local) return local.error();
        bool inherits = true;
        if (transform.inherits) {
            const Result<std::string> flag = bytes_at(*transform.inherits, time);
            if (!flag) return flag.error();
            inherits = flag->empty() || (*flag)[0] != 0;
        }
        out = inherits ? *local * out : *local;
    }
    return out;
}

Result<std::vector<Vec3f>> AbcScene::local_points(const AbcShape& shape, double time) {
    const AbcProperty& property = *find_property(shape.geometry, "P");
    const Moment moment = moment_of(property, time);
    const Result<std::string> first = reader_.sample(property, moment.first);
    if (!first) return first.error();
    std::vector<Vec3f> out(first->size() / 12);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = vec3_at(*first, 12 * i);
    if (moment.first == moment.second) return out;
    const Result<std::string> second = reader_.sample(property, moment.second);
    if (!second) return second.error();
    if (second->size() != first->size()) return out;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] += (vec3_at(*second, 12 * i) - out[i]) * static_cast<float>(moment.t);
    return out;
}

Result<std::vector<Vec3f>> AbcScene::points(const AbcShape& shape, double time) {
    Result<std::vector<Vec3f>> out = local_points(shape, time);
    if (!out) return out;
    const Result<AbcMatrix> to_world = matrix(shape, time);
    if (!to_world) return to_world.error();
    if (!to_world->is_identity)
        for (Vec3f& point : *out) point = to_world->apply(point);
    return out;
}

Result<std::vector<std::int32_t>> AbcScene::integers(const AbcShape& shape, std::string_view name,
                                                     double time) {
    std::vector<std::int32_t> out;
    const AbcProperty* const property = find_property(shape.geometry, name);
    if (!property || property->kind != AbcKind::array || property->count == 0 ||
        property->type != AbcType{AbcPod::int32, 1})
        return out;
    const Result<std::string> bytes = bytes_at(*property, time);
    if (!bytes) return bytes.error();
    out.reserve(bytes->size() / 4);
    for (std::size_t at = 0; at < bytes->size(); at += 4)
        out.push_back(static_cast<std::int32_t>(u32_at(*bytes, at)));
    return out;
}

Result<AbcValues> AbcScene::values(const AbcShape& shape, std::string_view name, double time) {
    if (const AbcProperty* own = find_property(shape.geometry, name)) return parameter(*own, time);
    const AbcProperty* const others = find_property(shape.geometry, ".arbGeomParams");
    if (!others || others->kind != AbcKind::compound) return AbcValues{};
    const Result<std::vector<AbcProperty>> parameters = reader_.properties(*others);
    if (!parameters) return parameters.error();
    const AbcProperty* const found = find_property(*parameters, name);
    return found ? parameter(*found, time) : AbcValues{};
}

Result<AbcValues> AbcScene::parameter(const AbcProperty& property, double time) {
    AbcValues out;
    out.scope = property.scope;
    if (property.kind != AbcKind::compound) {
        if (!is_real(property)) return out;
        const Result<std::string> bytes = bytes_at(property, time);
        if (!bytes) return bytes.error();
        out.extent = property.type.extent;
        out.values = floats_of(*bytes, property.type.pod);
        return out;
    }
    const Result<std::vector<AbcProperty>> parts = reader_.properties(property);
    if (!parts) return parts.error();
    const AbcProperty* const stored = find_property(*parts, ".vals");
    const AbcProperty* const indices = find_property(*parts, ".indices");
    // Few numbers per item, so that the indices of a damaged file cannot exhaust the memory.
    if (!stored || !is_real(*stored) || stored->type.extent > 4 || !indices ||
        indices->kind != AbcKind::array || indices->count == 0 ||
        indices->type != AbcType{AbcPod::uint32, 1})
        return out;
    const Result<std::string> bytes = bytes_at(*stored, time);
    const Result<std::string> order = bytes_at(*indices, time);
    if (!bytes || !order) return bytes ? order.error() : bytes.error();
    out.extent = stored->type.extent;
    const std::vector<float> values = floats_of(*bytes, stored->type.pod);
    for (std::size_t at = 0; at < order->size(); at += 4) {
        const std::size_t first = u32_at(*order, at) * out.extent;
        if (first + out.extent > values.size())
            return damaged("an index of " + property.name + " is too large");
        out.values.insert(out.values.end(), values.begin() + static_cast<std::ptrdiff_t>(first),
                          values.begin() + static_cast<std::ptrdiff_t>(first + out.extent));
    }
    return out;
}

}  // namespace ringlet
