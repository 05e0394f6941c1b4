#include "session/live/join_strands.h"

namespace ringlet {

namespace {

// Appends the values of one set, with `usual` for each strand where it has none.
template <class Value>
void append(const std::vector<Value>& values, int strand_count, Value usual,
            std::vector<Value>& out) {
    const std::size_t end = out.size() + static_cast<std::size_t>(strand_count);
    out.insert(out.end(), values.begin(), values.end());
    out.resize(end, usual);
}

}  // namespace

StrandSet join_strands(std::span<const StrandSet> sets, const TaskPool& pool) {
    std::vector<int> counts;
    std::vector<Vec3f> roots;
    for (const StrandSet& set : sets)
        for (int s = 0; s < set.strand_count(); ++s) {
            counts.push_back(set.layout->vertex_count(s));
            roots.push_back(set.position.vec3(s, 0));
        }
    StrandSet out{StrandLayout(counts, roots)};
    if (!sets.front().has_appearance()) out.drop_appearance();
    bool is_furry = false;
    for (const StrandSet& set : sets) is_furry = is_furry || !set.fur_tone.empty();
    int first = 0;
    for (const StrandSet& set : sets) {
        const int count = set.strand_count();
        pool.for_each(count, [&](int s) {
            for (int i = 0; i < set.layout->vertex_count(s); ++i)
                out.position.set_vec3(first + s, i, set.position.vec3(s, i));
        });
        if (out.has_appearance()) copy_appearance(set, first, out, pool);
        append(set.root_uv, count, Vec2f{0, 0}, out.root_uv);
        append(set.root_growth, count, 1.0f, out.root_growth);
        append(set.region, count, -1, out.region);
        if (is_furry) append(set.fur_tone, count, kNoFur, out.fur_tone);
        first += count;
    }
    return out;
}

void copy_appearance(const StrandSet& from, int first, StrandSet& to, const TaskPool& pool) {
    pool.for_each(from.strand_count(), [&](int s) {
        for (int i = 0; i < from.layout->vertex_count(s); ++i) {
            to.colour.set_vec3(first + s, i, from.colour.vec3(s, i));
            to.radius.at(first + s, i) = from.radius.at(s, i);
        }
    });
}

}  // namespace ringlet
