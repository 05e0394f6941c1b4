// The direction of hair over the scalp as a field: a named style, the whorl of the crown, the
// parting, the fringe, a painted map and strokes.
#pragma once

#include "groom/comb_map.h"
#include "groom/hairline.h"
#include "groom/settings.h"

namespace ringlet {

class HairFlow {
public:
    // Keeps a reference to `settings`. `mesh` and `comb_map` are not referenced after construction.
    // An empty image is no map.
    HairFlow(const GroomSettings& settings, const Mesh& mesh, const Image& comb_map = {});

    // False for the style "direction" without a map: strands follow one vector, and at() must not
    // be called.
    bool is_field() const {
        return settings_.comb.style != CombStyle::direction || !comb_map_.empty();
    }

    // The tangent along which hair lies at a point of the skin. Unit.
    Vec3f at(Vec3f position, Vec3f normal) const;

    // How much the hair of `root` follows the field at a point near the skin: 1 over the scalp, and
    // 0 from 2 cm outside the hairline on, where hair hangs freely in front of cheek and neck. Hair
    // that grows outside the hairline, such as a beard, and a fringe follow it everywhere.
    float holds(Vec3f position, Vec3f root) const;

    // The side of the parting a root is on: -1 or 1; 0 where there is no parting.
    int side_of_parting(Vec3f root) const;

    // Whether a root belongs to the fringe, the hair cut over the forehead.
    bool is_in_fringe(Vec3f root) const;
    // y at which the fringe is cut. m.
    float fringe_height() const { return front_.y - settings_.fringe.length; }

    // The direction in which hair at `position`, below the chin, is laid over a shoulder: forwards
    // or backwards, as the hair of `root` falls in front of the ears or behind them. Its length is
    // the share of the direction, from 0 at the chin to 1 at 3 cm below it.
    Vec3f over_shoulder(Vec3f position, Vec3f root) const;

    // Where a root is between the height of the ears (0) and the top of the skull (1).
    float height_on_skull(Vec3f root) const;

private:
    // How far a point is along the parting, from the crown (0) to the front hairline (1).
    float along_parting(Vec3f position) const;
    float parting_x(float along, float z) const;
    Vec3f style_direction(Vec3f outward) const;
    Vec3f follow_map(Vec3f position, Vec3f normal, Vec3f flow) const;
    Vec3f add_strokes(Vec3f position, Vec3f normal, Vec3f flow) const;

    const GroomSettings& settings_;
    CombMap comb_map_;
    Skull skull_;
    Hairline hairline_;
    Vec3f crown_{0, 1, 0};  // unit, from the centre of the skull to the whorl
    Vec3f front_{0, 0, 0};  // m, the middle of the front hairline
};

}  // namespace ringlet
