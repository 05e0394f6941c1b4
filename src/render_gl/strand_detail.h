// Level of detail: the order in which strands are dropped, and how many are drawn how wide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "render_gl/shader_constants.h"
#include "strand/layout.h"

namespace ringlet {

// The number of control vertices of a strand if only every 2^skip-th vertex and the tip have one.
constexpr std::uint32_t control_count_of(int vertices, int skip) {
    const int step = 1 << skip;
    return static_cast<std::uint32_t>((vertices - 1 + step - 1) / step + 1);
}

// The numbers of control vertices, head by head, strand by strand. Any number of the first strands
// of a head is spread evenly over it, because strands with neighbouring roots are neighbours in the
// layout.
class StrandOrder {
public:
    StrandOrder() = default;
    // `first_strands` is Picture::first_strands.
    explicit StrandOrder(const StrandLayout& layout, std::span<const int> first_strands = {});

    int head_count() const { return static_cast<int>(heads_.size()); }
    int head_of(int strand) const;
    int strand_count(int head) const;
    // The number of the strand's first control vertex among those of its head, if only every
    // 2^skip-th vertex has one.
    std::uint32_t first_control(int strand, int skip = 0) const {
        return first_controls_[static_cast<std::size_t>(strand)][static_cast<std::size_t>(skip)];
    }
    // The control vertices of all heads, with no vertex skipped.
    std::size_t control_count() const { return total_; }
    // The control vertices of the first `share` of a head's strands, from 0 to 1. At least one
    // strand, if the head has any.
    std::size_t control_count(float share, int head = 0, int skip = 0) const;

private:
    using Numbers = std::array<std::uint32_t, shader::kVertexSteps>;  // by `skip`
    struct Head {
        int first_strand;
        std::size_t first_end, last_end;  // of `ends_`
    };
    void number_strands(const StrandLayout& layout, std::span<const int> slots);

    std::vector<Head> heads_;
    std::vector<Numbers> first_controls_;  // by strand
    std::vector<Numbers> ends_;            // by position in the order
    std::size_t total_ = 0;
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

// Draws `share` of the strands, from 0 to 1.
StrandDetail detail_of_share(double share);

// One head of a crowd.
struct HeadDetail {
    StrandDetail strands;
    int skip = 0;         // only every 2^skip-th vertex has a control vertex
    double controls = 0;  // of all strands of the head with this `skip`
};

// The largest number of control vertices of all heads of a crowd.
inline constexpr double kCrowdControls = 6e6;

// The control vertices of all drawn strands.
double drawn_controls(std::span<const HeadDetail> heads);
// Draws fewer strands of every head if all of them together have more than `most` control vertices.
void limit_crowd(std::span<HeadDetail> heads, double most);

}  // namespace ringlet
