// The data that readers of curves and meshes need from a USD file: its layer, the prims with their
// transforms and the values of attributes over time.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>

#include "io/usd/usda_layer.h"
#include "math/vec2.h"
#include "math/vec3.h"

namespace ringlet {

// Reads .usda by parse_usda(). OpenUSD converts .usdc, and .usda that refers to other layers.
// `is_stopped` is polled while OpenUSD runs; may be empty.
Result<UsdaLayer> read_usd_layer(const std::filesystem::path& path,
                                 const std::function<bool()>& is_stopped = {});

// An affine map. USD multiplies row vectors: p' = p.x * rows[0] + p.y * rows[1] + ...
struct UsdMatrix {
    std::array<std::array<double, 4>, 4> rows{
        {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

    Vec3f apply(Vec3f p) const;
    // Applies *this first.
    UsdMatrix then(const UsdMatrix& next) const;
    double determinant() const;
    bool is_identity() const;
};

// The value at a time; linear between samples. Without a time: the value that has none, or the
// first sample.
using UsdTime = std::optional<double>;
UsdaValue value_at(const UsdaAttribute& attribute, UsdTime time);

// A prim of the wanted type with the prims above it, outermost first.
struct UsdPlacedPrim {
    const UsdaPrim* prim;
    std::vector<const UsdaPrim*> path;

    std::string path_text() const;  // "/Shot/Hair/hair"
    // To the stage's coordinates. Fails for transforms of a kind that is not known.
    Result<UsdMatrix> matrix(UsdTime time, const std::string& file) const;
    // The times of its points and of the transforms above it.
    std::vector<double> sample_times() const;
};

// All active prims of a type, in the order of the file.
std::vector<UsdPlacedPrim> prims_of_type(const UsdaLayer& layer, std::string_view type);

// The points of a prim at a time, in the stage's coordinates.
Result<std::vector<Vec3f>> usd_points(const UsdPlacedPrim& placed, UsdTime time,
                                      const std::string& file);

// The values of a primvar with `components` numbers each, its indices applied. Empty if the prim
// has none. Fails if its length or an index is wrong.
Result<std::vector<float>> usd_primvar(const UsdaPrim& prim, const std::string& name,
                                       std::size_t components, const std::string& file);

}  // namespace ringlet
