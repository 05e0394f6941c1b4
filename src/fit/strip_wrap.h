// Lays a groom whose roots form a strip, such as a mohawk or a mane, over the middle of a head. A
// strip that was made for another body, for example a back, cannot be rotated onto a skull: it is
// bent along its length.
#pragma once

#include <optional>
#include <span>

#include "fit/groom_fit.h"
#include "strand/strand_set.h"

namespace ringlet {

// A line along the middle of a strip of roots or of a scalp, in the plane x = `x`, from the front
// to the back.
struct Midline {
    float x = 0;
    std::vector<Vec3f> points;   // at least two
    std::vector<float> lengths;  // arc length from the first point to each

    float length() const { return lengths.back(); }
};

// The middle of the roots, if these form a strip from front to back that is much longer than wide.
// The roots are upright: +Y up, facing +Z, in any unit.
std::optional<Midline> find_strip(std::span<const Vec3f> roots);

// The middle of the scalp from the hairline to the nape. None if the scalp has no surface there.
std::optional<Midline> find_midline(const Mesh& scalp);

// Moves each strand so that its root lies on the scalp: as far along the scalp's midline, from the
// hairline to the nape, as it is along the strip, and as far beside it. Turns it with the midline
// and scales it by `scale`. `upright` turns the strands of the file upright.
void wrap_strip(const Midline& strip, const Midline& over, const Mesh& scalp, float scale,
                const Placement& upright, StrandSet& strands);

}  // namespace ringlet
