// Numbers that C++ and GLSL share. Every shader begins with this text (embed_shaders.cmake), and
// render_gl/shader_constants.h includes it, so it must be valid in both languages.

// Uniform buffers.
const int kFrameBinding = 0, kPaintBinding = 1, kCoatBinding = 2;

// Storage buffers. Programs that never run together reuse numbers: OpenGL 4.5 guarantees only 8.
const int kControlBinding = 1;                                                      // curve.glsl
const int kTriangleColourBinding = 0;                                               // paint.glsl
const int kPositionBinding = 0, kColourBinding = 2, kRadiusBinding = 3;             // strand_gather
const int kSlotBinding = 6, kHeadBinding = 7;                                       // strand_slots
const int kRestBinding = 1, kGuidedBinding = 2, kGuideBinding = 3;                  // children
const int kMotionBinding = 4, kBlockBinding = 5;
const int kCornerBinding = 2, kSpanBinding = 5;                                     // strand_shade
const int kFieldBinding = 2, kSurfaceBinding = 3, kGridDepthBinding = 4;            // grid.glsl
const int kLightSumBinding = 2, kNearestBinding = 3;                                // light_*
const int kSortKeyBinding = 0, kSortSegmentBinding = 1, kSortCountBinding = 2;      // sort.glsl
const int kSortedKeyBinding = 3, kSortedSegmentBinding = 4;                         // sort_scatter
const int kNewKeyBinding = 2, kNewSegmentBinding = 3, kDepthTileBinding = 4;        // sort_keys
const int kIndexBinding = 3, kCommandBinding = 4;                                   // sort_indices
const int kSortSizeBinding = 5;                                                     // sort.glsl
const int kStrandVertexBinding = 2;                                                 // segment.glsl
const int kRoundBinding = 3, kPairKeyBinding = 0, kPairCountBinding = 4;            // strands_*
const int kPairSumBinding = 5, kTileStateBinding = 6, kPairValueBinding = 7;
const int kPairSizeBinding = 7, kTileRangeBinding = 4;
const int kRootBinding = 3, kTipBinding = 4, kListBinding = 5;                      // fur_coat.glsl

// Texture units.
const int kOpaqueMapUnit = 0, kOpacityUnit = 2, kGridUnit = 3;
const int kContactUnit = 4, kCoverUnit = 5, kPaintUnit = 6;
const int kInputUnit = 8;  // the image that a full-screen pass reads
const int kEdgeUnit = 9, kScatterUnit = 10;
const int kStrandFieldUnit = 11, kCoatImageUnit = 12, kShellTileUnit = 13;
const int kSampleDepthUnit = 14;
const int kSoftScatterUnit = 15, kSoftUnit = 16, kSkyUnit = 17, kBounceUnit = 18;
const int kFrontUnit = 19, kKnotUnit = 20, kAzimuthUnit = 21;

// Image units.
const int kGridImage = 0, kLayerImage = 2;
const int kResolvedImage = 3, kEdgeImage = 4, kFarthestImage = 5, kToneImage = 6;
const int kLightMapImage = 7, kKnotImage = 6;
const int kSoftImage = 2, kSkyImage = 3, kBounceImage = 4;  // grid_light.comp
const int kFrontImage = 0, kMeshLeftImage = 1;              // resolve.comp, strands_tile.glsl

// Vertex attributes of meshes, and of ribbons and marks.
const int kPositionAttribute = 0, kNormalAttribute = 1, kUvAttribute = 2;
const int kVertexColourAttribute = 3;
const int kClipAttribute = 0, kColourAttribute = 1, kRibbonAttribute = 2;

// Locations of uniforms.
const int kTransformUniform = 0, kMapSizeUniform = 1, kSampleCountUniform = 2, kShareUniform = 3;
const int kFirstControlUniform = 4, kControlRangeUniform = 5, kSubdivisionUniform = 6;
const int kFirstElementUniform = 8;
const int kFirstVertexUniform = 10, kVertexCountUniform = 11;
const int kSegmentLimitsUniform = 12, kMaxSegmentsUniform = 13, kFixedSegmentsUniform = 14;
const int kDepthKeysUniform = 15, kTileCountsUniform = 16;
const int kSortShiftUniform = 17, kItemCountUniform = 18, kStageUniform = 19;
const int kFirstItemUniform = 20, kLastItemUniform = 21, kIndicesPerSegmentUniform = 22;
const int kGridCellsUniform = 23, kGridOriginUniform = 24, kSurfaceCountUniform = 25;
const int kLampUniform = 26;
const int kLevelsUniform = 27, kIsFinUniform = 28;
const int kWindowUniform = 30, kPairLimitUniform = 31, kIsUnbinnedUniform = 32;
const int kLightStrideUniform = 33, kPixelBoxUniform = 34, kHasColoursUniform = 35;
const int kSliceUniform = 36, kLayerBoxUniform = 37, kLayerScaleUniform = 38;
const int kBlockRangeUniform = 39, kRunUniform = 40;

// Invocations per workgroup.
const int kGroupSize = 64, kIndexGroupSize = 256, kScanGroupSize = 1024, kSingle = 1;
const int kImageGroupSide = 8;  // of passes over images, which have square workgroups

// Strands.
const uint kLanes = 8u;             // of a block (strand/layout.h)
const uint kTipAlong = 65535u;      // ControlVertex::along of a tip
const int kVertexSteps = 3;         // every vertex has a control vertex, every second, every fourth
const uint kHair = 0xffffffffu;     // StrandSlot::tones[1] of a strand of hair
const float kMaxCoordinate = 1e4f;  // m; larger coordinates are errors of the simulation

const float kFurTone = 2.0f;        // added to the tone of a strand of fur (curve.glsl)

// The sort of segments by depth: keys of 15 bits. A workgroup sorts a tile of items.
const uint kSerialDigitBits = 6u, kParallelDigitBits = 8u, kSortKeyBits = 15u, kSortTile = 4096u;
const uint kNearestKey = 32766u, kHiddenKey = 32767u;
const uint kSpanShift = 29u;  // a segment: its span in the upper bits, its number in the lower
const int kDepthTilePixels = 8;  // side of the tiles of depth_tiles.comp

// The compute rasteriser. A workgroup draws a tile. The invocations of a block are consecutive, so
// that they run together.
const int kTilePixels = 16;
const int kBlockWidth = 8, kBlockHeight = 4;
const uint kSegmentsPerThread = 8u;  // of the passes that count and list pairs
const float kOpaque = 1.0f / 256.0f;  // a smaller transmittance of a pixel counts as none
const uint kEmptyTile = 0u, kDrawnTile = 1u, kOpaqueTile = 2u;
// Stages of strands_round.comp.
const uint kFirstRound = 0u, kNextRound = 1u, kSizePasses = 2u, kNextSlice = 3u;

// The lamps, which have shadow maps. kNoLamp: seen from straight below.
const int kKeyLamp = 0, kRimLamp = 1, kLampCount = 2, kNoLamp = -1;

// Shadows and the density grid.
const int kOpacityBins = 12, kGridDirections = 14;
// Light that fibres scatter forward counts as unscattered, so that hair blocks only a part of the
// soft light. The grid holds the soft light for hair of these shares of its optical depth, which add up
// to 1.
const float kThinHair = 0.3f, kThickHair = 0.7f;

// The strand field of fur (fur/strand_field.h).
const int kFieldCells = 18, kFieldTexelsPerCell = 5;
