// Depths behind the first strand, in metres, up to which each layer of the opacity map counts.
// Thin where hair begins to shade itself, thick where all is dark anyway. The last one ends the
// ramp; its layer counts everything.
const vec4 kLayerEnds = vec4(0.006, 0.02, 0.055, 0.13);

// Cover is counted in these, so that sums are exact; one strand counts no more than so many texels.
const float kCoverUnit = 65536.0, kMostCover = 64.0;
