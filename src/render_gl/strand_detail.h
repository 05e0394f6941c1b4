// Level of detail: the order in which strands are dropped, and how many are drawn how wide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strand/layout.h"

namespace ringlet {

// The numbers of control vertices, strand by strand. Any number of the first strands is spread
// evenly over all of them, because strands with neighbouring roots are neighbours in the layout.
class StrandOrder {
public:
    StrandOrder() = default;
    explicit StrandOrder(const StrandLayout& layout);

    std::uint32_t first_control(int strand) const {
        return first_controls_[static_cast<std::size_t>(strand)];
    }
    std::size_t control_count() const { return ends_.empty() ? 0 : ends_.back(); }
    // The control vertices of the first `share` of the strands, from 0 to 1. At least one strand.
    std::size_t control_count(float share) const;

private:
    std::vector<std::uint32_t> first_controls_;  // by strand
    std::vector<std::uint32_t> ends_;            // by position in the order
};

// The strands as they appear on screen.
struct StrandCrowd {
    double strands = 0;
    double length = 0;  // mean, pixels
    double width = 0;   // mean, pixels
    double area = 1;    // of the picture of all strands, pixels
};

// The first `share` of the strands is drawn. The last `fade` of all, the end of that share, gets
// thinner towards the end, so that nothing appears suddenly. `width` is the factor of the width of
// the others; the sum of all widths does not change.
struct StrandDetail {
    float share = 1, fade = 0, width = 1;
};

// Drawn strands are never made wider than this by the level of detail, in pixels.
inline constexpr double kWidestThinned = 0.5;

// The number of strands that cross a mean pixel.
double crossings_of(const StrandCrowd& crowd);

// Blending treats the strands of a pixel as if they were spread over it at random. Where very many
// cross a pixel, as on a small head, they are not: locks and gaps between them are smaller than a
// pixel. Then strands are drawn into a layer with several pixels per pixel of the image and side,
// and averaged.
inline constexpr int kFinestLayer = 8;
inline constexpr int kLayerSide = 512;  // such a layer has at most the square of this in pixels

// A number of pixels rounded up to whole tiles of the compute rasteriser.
int whole_tiles(int pixels);

// The pixels of the layer per pixel of the image and side, a power of two. `present` strands cross
// a mean pixel; `enough` is the level of detail, 0: off. Width and height are those of the part of
// the image that strands cover.
int layer_scale(double present, double enough, int width, int height);

// `crossings`: the number of strands across a mean pixel that suffices; 0: draws all strands.
// `limit`: the largest share (up to 1) or number (above 1) of strands that is drawn; 0: all.
StrandDetail choose_detail(const StrandCrowd& crowd, double crossings, double limit = 0);

}  // namespace ringlet
