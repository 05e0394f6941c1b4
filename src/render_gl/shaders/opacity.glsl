// The strands of a texel are counted in bins of depth behind the first strand. The bins end at these
// depths, in metres on a body of the size of a head. frame.sizes.y scales them to other bodies. They
// are thin because single strands often lie some millimetres in front of dense hair. The last bin
// counts everything behind the others.
const float kBinEnds[kOpacityBins] = float[](0.001, 0.002, 0.0035, 0.0055, 0.008, 0.012, 0.018,
                                             0.027, 0.04, 0.06, 0.09, 0.13);

// The opacity map stores the depths at which these numbers of strands, in units of full cover, are
// between a point and the light.
const vec4 kKnotCounts = vec4(0.1, 1.0, 3.0, 9.0);

// Cover is summed in integer multiples of 1 / kCoverScale, so that sums do not depend on the order.
// One strand adds at most kMaxCover texels.
const float kCoverScale = 65536.0, kMaxCover = 64.0;
