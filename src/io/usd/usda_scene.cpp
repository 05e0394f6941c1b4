#include "io/usd/usda_scene.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/files.h"
#include "io/usd/openusd.h"
#include "math/elementary.h"

namespace ringlet {

namespace fs = std::filesystem;

namespace {

// OpenUSD writes the whole stage as one layer, which is read and removed.
Result<UsdaLayer> read_flattened(const fs::path& path, const std::function<bool()>& is_stopped) {
    std::error_code failure;
    const fs::path folder = fs::temp_directory_path(failure);
    if (failure) return Error{"there is no folder for temporary files: " + failure.message()};
    const PendingFile flat(folder / "ringlet_stage.usda");
    if (const Result<void> done = flatten_usd(path, flat.temporary(), is_stopped); !done)
        return Error{done.error().message, path.string()};
    const Result<std::string> text = read_file(flat.temporary());
    if (!text) return text.error();
    Result<UsdaLayer> layer = parse_usda(*text, path.string());
    if (layer && !layer->needs.empty())
        return Error{"uses " + layer->needs + ", which OpenUSD did not resolve", path.string()};
    return layer;
}

UsdMatrix translation(double x, double y, double z) {
    UsdMatrix out;
    out.rows[3] = {x, y, z, 1};
    return out;
}

UsdMatrix rotation(int axis, double degrees) {
    const double angle = degrees * double{kPi} / 180, c = std::cos(angle), s = std::sin(angle);
    const auto a = static_cast<std::size_t>((axis + 1) % 3),
               b = static_cast<std::size_t>((axis + 2) % 3);
    UsdMatrix out;
    out.rows[a][a] = c;
    out.rows[a][b] = s;
    out.rows[b][a] = -s;
    out.rows[b][b] = c;
    return out;
}

// A unit quaternion (w, x, y, z), as text layers write it.
UsdMatrix orientation(const std::vector<float>& q) {
    const double w = double{q[0]}, x = double{q[1]}, y = double{q[2]}, z = double{q[3]};
    UsdMatrix out;
    out.rows[0] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0};
    out.rows[1] = {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0};
    out.rows[2] = {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0};
    return out;
}

// The inverse of an affine map; nothing if it has none.
std::optional<UsdMatrix> inverse(const UsdMatrix& m) {
    const double det = m.determinant();
    if (!(std::abs(det) > 1e-30)) return std::nullopt;
    UsdMatrix out;
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t a = (c + 1) % 3, b = (c + 2) % 3, d = (r + 1) % 3, e = (r + 2) % 3;
            out.rows[r][c] = (m.rows[a][d] * m.rows[b][e] - m.rows[a][e] * m.rows[b][d]) / det;
        }
    for (std::size_t c = 0; c < 3; ++c) {
        out.rows[3][c] = 0;
        for (std::size_t k = 0; k < 3; ++k) out.rows[3][c] -= m.rows[3][k] * out.rows[k][c];
    }
    return out;
}

// The matrix of an operation of xformOpOrder such as "rotateXYZ"; nothing if it is not known or has
// the wrong number of values.
std::optional<UsdMatrix> operation(std::string_view kind, const std::vector<float>& v) {
    const std::size_t count = v.size();
    if (kind == "translate" && count == 3)
        return translation(double{v[0]}, double{v[1]}, double{v[2]});
    if (kind == "orient" && count == 4) return orientation(v);
    UsdMatrix out;
    if (kind == "scale" && count == 3) {
        for (std::size_t k = 0; k < 3; ++k) out.rows[k][k] = double{v[k]};
        return out;
    }
    if (kind == "transform" && count == 16) {
        for (std::size_t k = 0; k < 16; ++k) out.rows[k / 4][k % 4] = double{v[k]};
        return out;
    }
    if (!kind.starts_with("rotate")) return std::nullopt;
    const std::string_view axes = kind.substr(6);
    if (axes.size() != count || (count != 1 && count != 3)) return std::nullopt;
    for (const char axis : axes) {
        const int k = axis - 'X';
        if (k < 0 || k > 2) return std::nullopt;
        out = out.then(rotation(k, double{v[count == 1 ? 0 : static_cast<std::size_t>(k)]}));
    }
    return out;
}

// From a prim's own coordinates to those of its parent.
Result<UsdMatrix> local_matrix(const UsdaPrim& prim, UsdTime time, bool& resets,
                               const std::string& file) {
    UsdMatrix out;
    const UsdaAttribute* const order = prim.find("xformOpOrder");
    if (!order) return out;
    for (const std::string& entry : order->value.words) {
        if (entry == "!resetXformStack!") {
            resets = true;
            continue;
        }
        const bool is_inverse = entry.starts_with("!invert!");
        const std::string name = is_inverse ? entry.substr(8) : entry;
        const UsdaAttribute* const from = prim.find(name);
        const std::string kind = name.substr(std::min(name.size(), std::size_t{8}));
        std::optional<UsdMatrix> matrix;
        if (from && name.starts_with("xformOp:"))
            matrix = operation(kind.substr(0, kind.find(':')), value_at(*from, time).numbers);
        if (matrix && is_inverse) matrix = inverse(*matrix);
        if (!matrix)
            return Error{"cannot use the transform " + entry + " of prim " + prim.name, file,
                         from ? from->line : order->line};
        // The first operation of the list is applied last.
        out = matrix->then(out);
    }
    return out;
}

void find_prims(const UsdaPrim& prim, std::string_view type, std::vector<const UsdaPrim*>& path,
                std::vector<UsdPlacedPrim>& out) {
    if (prim.is_class || !prim.is_active) return;
    path.push_back(&prim);
    if (prim.type == type) out.push_back({&prim, path});
    for (const UsdaPrim& child : prim.children) find_prims(child, type, path, out);
    path.pop_back();
}

}  // namespace

Result<UsdaLayer> read_usd_layer(const fs::path& path, const std::function<bool()>& is_stopped) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    if (text->starts_with("PXR-USDC")) return read_flattened(path, is_stopped);
    Result<UsdaLayer> layer = parse_usda(*text, path.string());
    if (!layer || layer->needs.empty()) return layer;
    Result<UsdaLayer> flat = read_flattened(path, is_stopped);
    if (flat) return flat;
    return Error{
        "refers to other layers or variants by \"" + layer->needs + "\": " + flat.error().message,
        path.string(), layer->needs_line};
}

Vec3f UsdMatrix::apply(Vec3f p) const {
    const double v[] = {double{p.x}, double{p.y}, double{p.z}};
    double out[3];
    for (std::size_t c = 0; c < 3; ++c)
        out[c] = v[0] * rows[0][c] + v[1] * rows[1][c] + v[2] * rows[2][c] + rows[3][c];
    return {static_cast<float>(out[0]), static_cast<float>(out[1]), static_cast<float>(out[2])};
}

UsdMatrix UsdMatrix::then(const UsdMatrix& next) const {
    UsdMatrix out;
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c) {
            out.rows[r][c] = 0;
            for (std::size_t k = 0; k < 4; ++k) out.rows[r][c] += rows[r][k] * next.rows[k][c];
        }
    return out;
}

double UsdMatrix::determinant() const {
    double out = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
        out += rows[0][c] * (rows[1][d] * rows[2][e] - rows[1][e] * rows[2][d]);
    }
    return out;
}

bool UsdMatrix::is_identity() const { return rows == UsdMatrix{}.rows; }

UsdaValue value_at(const UsdaAttribute& attribute, UsdTime time) {
    const auto& samples = attribute.samples;
    if (samples.empty() || (!time && attribute.has_value)) return attribute.value;
    if (!time) return samples.begin()->second;
    const auto after = samples.lower_bound(*time);
    if (after == samples.end()) return std::prev(after)->second;
    if (after == samples.begin() || after->first == *time) return after->second;
    const auto before = std::prev(after);
    const double share = (*time - before->first) / (after->first - before->first);
    const std::vector<float>&a = before->second.numbers, &b = after->second.numbers;
    if (a.size() != b.size()) return before->second;  // held
    UsdaValue out = before->second;
    for (std::size_t k = 0; k < a.size(); ++k)
        out.numbers[k] = static_cast<float>(double{a[k]} + (double{b[k]} - double{a[k]}) * share);
    return out;
}

std::string UsdPlacedPrim::path_text() const {
    std::string out;
    for (const UsdaPrim* above : path) out += '/' + above->name;
    return out;
}

Result<UsdMatrix> UsdPlacedPrim::matrix(UsdTime time, const std::string& file) const {
    UsdMatrix out;
    for (auto above = path.rbegin(); above != path.rend(); ++above) {
        bool resets = false;
        const Result<UsdMatrix> own = local_matrix(**above, time, resets, file);
        if (!own) return own;
        out = out.then(*own);
        if (resets) break;
    }
    return out;
}

std::vector<double> UsdPlacedPrim::sample_times() const {
    std::set<double> times;
    const auto add = [&times](const UsdaAttribute& attribute) {
        for (const auto& [time, value] : attribute.samples) times.insert(time);
    };
    if (const UsdaAttribute* const points = prim->find("points")) add(*points);
    for (const UsdaPrim* above : path)
        for (const auto& [name, attribute] : above->attributes)
            if (name.starts_with("xformOp:")) add(attribute);
    return {times.begin(), times.end()};
}

std::vector<UsdPlacedPrim> prims_of_type(const UsdaLayer& layer, std::string_view type) {
    std::vector<UsdPlacedPrim> out;
    std::vector<const UsdaPrim*> path;
    for (const UsdaPrim& prim : layer.prims) find_prims(prim, type, path, out);
    return out;
}

Result<std::vector<Vec3f>> usd_points(const UsdPlacedPrim& placed, UsdTime time,
                                      const std::string& file) {
    const UsdaAttribute* const points = placed.prim->find("points");
    if (!points) return std::vector<Vec3f>{};
    const std::vector<float> numbers = value_at(*points, time).numbers;
    if (numbers.size() % 3 != 0)
        return Error{"the points of " + placed.path_text() + " are not triples", file,
                     points->line};
    const Result<UsdMatrix> matrix = placed.matrix(time, file);
    if (!matrix) return matrix.error();
    const bool is_placed = matrix->is_identity();
    std::vector<Vec3f> out(numbers.size() / 3);
    for (std::size_t k = 0; k < out.size(); ++k) {
        const Vec3f p{numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]};
        out[k] = is_placed ? p : matrix->apply(p);
    }
    return out;
}

Result<std::vector<float>> usd_primvar(const UsdaPrim& prim, const std::string& name,
                                       std::size_t components, const std::string& file) {
    const UsdaAttribute* const from = prim.find(name);
    if (!from) return std::vector<float>{};
    std::vector<float> values = value_at(*from, {}).numbers;
    if (values.size() % components != 0)
        return Error{name + " of prim " + prim.name + " does not have " +
                         std::to_string(components) + " numbers per value",
                     file, from->line};
    const UsdaAttribute* const indices = prim.find(name + ":indices");
    if (!indices) return values;
    std::vector<float> out;
    const std::size_t count = values.size() / components;
    for (const std::int32_t k : value_at(*indices, {}).integers) {
        if (k < 0 || static_cast<std::size_t>(k) >= count)
            return Error{name + ":indices of prim " + prim.name + " has the index " +
                             std::to_string(k) + ", but there are " + std::to_string(count) +
                             " values",
                         file, indices->line};
        const auto first =
            values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(k) * components);
        out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(components));
    }
    return out;
}

}  // namespace ringlet
