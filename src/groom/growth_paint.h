// Painted growth weights: where an artist added or removed hair with a brush. They are stored in
// space, on the nodes of a sparse grid, not on the mesh. A mesh without UVs can be painted, a
// coarse mesh gets fine hairlines, and the painting survives a change of the mesh.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

enum class BrushMode {
    grow,   // paints weight 1
    shave,  // paints weight 0
    erase,  // removes the painting: the weight below it shows again
};

// One application of a round brush.
struct BrushDab {
    Vec3f centre;        // m, in the head's frame
    float radius;        // m
    float strength = 1;  // 0 to 1, at the centre
    BrushMode mode = BrushMode::grow;
    // The share of the radius over which the effect falls smoothly to zero: 1 from the centre on, 0
    // at the radius.
    float softness = 1;
};

class GrowthPaint {
public:
    static constexpr float kFinestSpacing = 0.003f;  // m

    // No painting. `spacing` in metres is the distance between nodes.
    explicit GrowthPaint(float spacing = kFinestSpacing) : spacing_(spacing) {}
    // The spacing for painting on a mesh: 1/400 of its diagonal, but at least kFinestSpacing.
    static float spacing_for(const Mesh& mesh);

    bool empty() const { return nodes_.empty(); }
    float spacing() const { return spacing_; }
    std::size_t node_count() const { return nodes_.size(); }

    // Reaches the nodes within the radius, but at least those around the centre.
    void dab(const BrushDab& brush);
    // The dab and its mirror image at x = `mirror_x`.
    void dab_mirrored(const BrushDab& brush, float mirror_x);

    // The weight at a point where the other sources give `below`, both 0 to 1. Trilinear between
    // nodes, so it is continuous.
    float over(float below, Vec3f point) const;

    // A text with one line per node, which parse() reads back exactly (docs/grooming.md).
    std::string text() const;
    // `file` names the source in errors.
    static Result<GrowthPaint> parse(std::string_view text, const std::string& file);

    friend bool operator==(const GrowthPaint&, const GrowthPaint&) = default;

private:
    using Index = std::tuple<std::int32_t, std::int32_t, std::int32_t>;
    // In steps of 1/255, as in the file, so that saving and loading change nothing. `weight` is
    // multiplied by the opacity.
    struct Node {
        std::uint8_t weight = 0;
        std::uint8_t opacity = 0;
        friend bool operator==(const Node&, const Node&) = default;
    };

    float spacing_;
    std::map<Index, Node> nodes_;  // ordered, so that equal paintings have equal files
};

}  // namespace ringlet
