// Rasterises strands in compute shaders, for StrandMode::compute. Tiles of the image list the
// segments that touch them and blend these from front to back.
//
// Strands are drawn in rounds, so that memory is bounded in every view: a round takes as many
// segments as the list of pairs (a tile and a segment that touches it) has room for. Tiles that are
// opaque list nothing in later rounds. What is left after the last round is drawn without lists.
// The image does not depend on the number of rounds. docs/rendering.md describes the passes.
#pragma once

#include <cstdint>

#include "render_gl/gl_objects.h"
#include "render_gl/pass_timer.h"
#include "render_gl/radix_sort.h"
#include "render_gl/strand_stream.h"
#include "render_gl/targets.h"

namespace ringlet {

class ComputeStrands {
public:
    static Result<ComputeStrands> create(TileShader shader = TileShader::by_driver);

    // Chooses the layer that strands are drawn into: the image, or finer pixels where very many
    // strands cross a pixel. `size` is that of the image, `lod` is RenderSettings::lod.
    void choose_layer(const StrandStream& strands, const View& view, glm::ivec2 size, float lod);
    // Sets the uniforms of shaders/layer.glsl.
    void set_layer(GLuint program) const;
    // Blends the sorted and shaded strands over the resolved image of `targets`. `list_bytes` is
    // the size of the lists, 0: as the driver suits; they are never smaller than one pair per tile.
    // The frame block must be bound. `timer` gets the pass "bin", the first round up to its lists.
    void draw(const StrandStream& strands, const Targets& targets, std::size_t list_bytes,
              PassTimer& timer);

private:
    // The sizes of one draw.
    struct Plan {
        int across = 0, down = 0;  // tiles
        std::size_t tiles = 0, pairs = 0, slots = 0;
        std::size_t window = 0;  // most segments of a round; grows from round to round
        std::size_t widest = 0;  // until this
        int rounds = 0;
        std::uint32_t tile_bits = 0;
    };

    explicit ComputeStrands(RadixSort pairs) : pairs_(std::move(pairs)) {}
    Plan first_plan(const StrandStream& strands, std::size_t list_bytes) const;
    void reserve(const Plan& plan, const Targets& targets);
    void use(GLuint program, const Plan& plan) const;
    void advance(const Plan& plan, std::uint32_t stage) const;
    void bin(const StrandStream& strands, const Plan& plan, PassTimer& timer);
    void blend(const StrandStream& strands, const Plan& plan, bool is_unbinned) const;
    // Blends `slice_` segments of each tile, from the `first` of its list on.
    void blend_slice(const StrandStream& strands, const Plan& plan, bool is_unbinned,
                     std::size_t first) const;
    void blend_layer(const Plan& plan, const Targets& targets) const;

    Program round_program_, count_program_, scan_program_, list_program_, ranges_program_,
        tile_program_, layer_program_;
    // By driver: most segments of a tile per dispatch, bytes of the lists, fewest segments of a
    // round.
    std::size_t slice_ = 0, usual_list_ = 0, least_window_ = 0;
    RadixSort pairs_;
    StreamBuffer round_, counts_, sums_, states_, ranges_;
    PixelBox box_;   // the part of the image that the layer shows
    int scale_ = 1;  // pixels of the layer per pixel of the image and side
    // The strands drawn so far: premultiplied colour and transmittance, and the transmittance to
    // the samples in front where a mesh edge crosses the pixel (shaders/front.glsl).
    Texture layer_, mesh_left_;
    int layer_width_ = 0, layer_height_ = 0;
};

}  // namespace ringlet
