#include "render_gl/child_pass.h"

#include <algorithm>

#include "render_gl/control_ranges.h"
#include "strand/channel.h"

namespace ringlet {

Result<ChildPass> ChildPass::create() {
    ChildPass pass;
    if (auto done = load_compute_programs({{&pass.program_, "children.comp"}}); !done)
        return done.error();
    return pass;
}

bool ChildPass::set_strands(const GuidedStrands& strands, const StrandLayout& layout) {
    const auto slots = static_cast<std::size_t>(layout.slot_count());
    const std::size_t motion_bytes = strands.motion_count() * sizeof(GuideMotion);
    if (std::max(slots * sizeof(GuidedStrand), motion_bytes) > max_storage_bytes()) return false;
    std::vector<GuidedStrand> table(slots);
    std::vector<std::uint32_t> blocks;
    for (int block = 0; block < layout.block_count(); ++block)
        blocks.push_back(static_cast<std::uint32_t>(layout.first_row(block)));
    Channel<3> rest(std::make_shared<const StrandLayout>(layout));
    for (int strand = 0; strand < layout.strand_count(); ++strand) {
        table[static_cast<std::size_t>(layout.slot_index(strand))] = strands.strand(strand);
        for (int i = 0; i < layout.vertex_count(strand); ++i)
            rest.set_vec3(strand, i, strands.rest(strand, i));
    }
    strands_.upload(table.data(), slots * sizeof(GuidedStrand));
    guides_.upload(strands.guides().data(), strands.guides().size_bytes());
    blocks_.upload(blocks.data(), blocks.size() * sizeof(std::uint32_t));
    rest_.upload(rest.block(0), rest.byte_count());
    motions_.reserve(motion_bytes, GL_DYNAMIC_COPY);
    return true;
}

bool ChildPass::begin(GuidedStrands& strands, const TaskPool& pool) {
    const std::size_t bytes = strands.motion_count() * sizeof(GuideMotion);
    std::byte* const out = ring_.begin(bytes);
    if (!out) return false;
    strands.write_motions(reinterpret_cast<GuideMotion*>(out), pool);
    glCopyNamedBufferSubData(ring_.name(), motions_.name(), ring_.offset(), 0,
                             static_cast<GLsizeiptr>(bytes));
    ring_.end();
    return true;
}

void ChildPass::use() const {
    glUseProgram(program_);
    bind_storage(shader::kGuidedBinding, strands_);
    bind_storage(shader::kGuideBinding, guides_);
    bind_storage(shader::kMotionBinding, motions_);
    bind_storage(shader::kBlockBinding, blocks_);
}

void ChildPass::dispatch(int first_block, int last_block, std::size_t first_element) const {
    glUniform2ui(shader::kBlockRangeUniform, static_cast<GLuint>(first_block),
                 static_cast<GLuint>(last_block - first_block));
    glUniform1ui(shader::kFirstElementUniform, static_cast<GLuint>(first_element));
    dispatch_groups(last_block - first_block);
}

}  // namespace ringlet
