#include "strand/strand_set.h"

#include "base/assert.h"

namespace ringlet {

StrandSet::StrandSet(StrandLayout where)
    : layout(std::make_shared<const StrandLayout>(std::move(where))),
      position(layout),
      colour(layout),
      radius(layout) {}

void StrandSet::drop_appearance() {
    colour = {};
    radius = {};
}

std::size_t StrandSet::byte_count() const {
    return position.byte_count() + colour.byte_count() + radius.byte_count();
}

StrandView view_of(const StrandSet& strands) {
    return {strands.layout.get(), &strands.position, &strands.colour, &strands.radius};
}

StrandSet pick_strands(const StrandSet& strands, std::span<const int> ids) {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    for (const int s : ids) {
        counts.push_back(strands.layout->vertex_count(s));
        roots.push_back(strands.position.vec3(s, 0));
    }
    StrandSet out{StrandLayout(counts, roots)};
    if (!strands.has_appearance()) out.drop_appearance();
    for (int k = 0; k < out.strand_count(); ++k) {
        const int s = ids[static_cast<std::size_t>(k)];
        if (!strands.root_uv.empty())
            out.root_uv.push_back(strands.root_uv[static_cast<std::size_t>(s)]);
        if (!strands.region.empty())
            out.region.push_back(strands.region[static_cast<std::size_t>(s)]);
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            out.position.set_vec3(k, i, strands.position.vec3(s, i));
            if (!strands.has_appearance()) continue;
            out.colour.set_vec3(k, i, strands.colour.vec3(s, i));
            out.radius.at(k, i) = strands.radius.at(s, i);
        }
    }
    return out;
}

std::vector<Vec3f> unpack(const Channel<3>& channel) {
    const StrandLayout& layout = channel.layout();
    std::vector<Vec3f> out;
    out.reserve(static_cast<std::size_t>(layout.vertex_total()));
    for (int s = 0; s < layout.strand_count(); ++s)
        for (int i = 0; i < layout.vertex_count(s); ++i) out.push_back(channel.vec3(s, i));
    return out;
}

void pack(std::span<const Vec3f> vertices, Channel<3>& channel) {
    const StrandLayout& layout = channel.layout();
    RINGLET_ASSERT(std::ssize(vertices) == layout.vertex_total(), "one entry per vertex");
    std::size_t next = 0;
    for (int s = 0; s < layout.strand_count(); ++s)
        for (int i = 0; i < layout.vertex_count(s); ++i) channel.set_vec3(s, i, vertices[next++]);
}

Hash hash_of(const Channel<3>& position, const Channel<3>& velocity) {
    const StrandLayout& layout = position.layout();
    Hash hash;
    for (int s = 0; s < layout.strand_count(); ++s)
        for (int i = 0; i < layout.vertex_count(s); ++i)
            for (const Vec3f a : {position.vec3(s, i), velocity.vec3(s, i)}) {
                hash.add(a.x);
                hash.add(a.y);
                hash.add(a.z);
            }
    return hash;
}

}  // namespace ringlet
