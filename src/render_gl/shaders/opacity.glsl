// The layers of the opacity map end at these depths behind the first strand, in metres on a body of
// the size of a head. frame.rim_colour.w scales them to other bodies. They are thin where hair begins to shadow itself and thick where it is dark in any case. Opacity stops
// growing at the last depth; the last layer counts everything behind the others.
const vec4 kLayerEnds = vec4(0.006, 0.02, 0.055, 0.13);

// Cover is summed in integer multiples of 1 / kCoverScale, so that sums do not depend on the order.
// One strand adds at most kMaxCover texels.
const float kCoverScale = 65536.0, kMaxCover = 64.0;
