#include "io/strand_checks.h"

#include <cmath>

#include "math/finite.h"

namespace ringlet {

std::optional<std::string> strand_too_long(std::int64_t strand, std::uint64_t vertex_count) {
    if (vertex_count <= kMaxReadVertices) return std::nullopt;
    return "strand " + std::to_string(strand) + " has " + std::to_string(vertex_count) +
           " vertices; the limit is " + std::to_string(kMaxReadVertices) + "; resample it";
}

std::optional<std::string> non_finite_strand(const StrandSet& strands) {
    for (int s = 0; s < strands.strand_count(); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            const char* what = !is_finite(strands.position.vec3(s, i))   ? "point"
                               : !std::isfinite(strands.radius.at(s, i)) ? "thickness"
                               : !is_finite(strands.colour.vec3(s, i))   ? "colour"
                                                                         : nullptr;
            if (what)
                return "strand " + std::to_string(s) + ", point " + std::to_string(i) + ": its " +
                       what + " is not a finite number (strands and points are counted from 0)";
        }
    return std::nullopt;
}

int strand_count(const StrandView& strands) {
    return strands.layout ? strands.layout->strand_count() : 0;
}

bool has_colour(const StrandView& strands) {
    for (int s = 0; s < strand_count(strands); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i) {
            const Vec3f c = strands.colour->vec3(s, i);
            if (c.x != 0 || c.y != 0 || c.z != 0) return true;
        }
    return false;
}

bool has_radius(const StrandView& strands) {
    for (int s = 0; s < strand_count(strands); ++s)
        for (int i = 0; i < strands.layout->vertex_count(s); ++i)
            if (strands.radius->at(s, i) != 0) return true;
    return false;
}

}  // namespace ringlet
