// Depths behind the first strand, in metres, up to which each layer of the opacity map counts.
// Thin where hair begins to shade itself, thick where all is dark anyway. The last one ends the
// ramp; its layer counts everything.
const vec4 kLayerEnds = vec4(0.006, 0.02, 0.055, 0.13);
