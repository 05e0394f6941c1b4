// Computes the positions of children on the GPU from the motions of their guides. Rest positions
// and weights are uploaded once, the motions in each frame.
#pragma once

#include "base/parallel.h"
#include "render_gl/gl_objects.h"
#include "render_gl/upload_ring.h"
#include "strand/guided_strands.h"

namespace ringlet {

class ChildPass {
public:
    static Result<ChildPass> create();

    // Uploads the constant data of strands in the given layout. Returns false if it exceeds what
    // the driver can bind.
    bool set_strands(const GuidedStrands& strands, const StrandLayout& layout);
    // Uploads the current motions. Returns false if the driver cannot map a buffer.
    bool begin(GuidedStrands& strands, const TaskPool& pool);
    // Makes the program current.
    void use() const;
    // Dispatches blocks [first, last) after use(). Positions and rest() are bound from the given
    // element, and the slots of shaders/strand_slots.glsl from the first block.
    void dispatch(int first_block, int last_block, std::size_t first_element) const;

    // The rest positions, in the layout of Channel<3>.
    const StreamBuffer& rest() const { return rest_; }

private:
    Program program_;
    StreamBuffer rest_, strands_, guides_, blocks_, motions_;
    UploadRing ring_;
};

}  // namespace ringlet
