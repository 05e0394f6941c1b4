#version 450 core
// Draws tiles with four pixels per invocation, for processors with vectors of 8 numbers: reading a
// segment from shared memory costs them more than drawing four pixels of it.
#include "segment.glsl"
#include "round.glsl"
#include "layer.glsl"
#include "coverage.glsl"
const int kStripPixels = 4, kTileGroupSize = 64;
#define UNPACKS_SEGMENTS
#define PIXELS vec4
#define PIXEL(v, i) v[i]
const vec4 kColumns = vec4(0, 1, 2, 3);
#include "strands_tile.glsl"
