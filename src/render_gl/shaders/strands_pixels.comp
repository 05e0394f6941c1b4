#version 450 core
// Draws tiles with one pixel per invocation, for GPUs: the 32 invocations that run together draw a
// block, and there are enough of them to hide latency.
#include "segment.glsl"
#include "round.glsl"
#include "layer.glsl"
#include "coverage.glsl"
const int kStripPixels = 1, kTileGroupSize = 256;
#define PIXELS float
#define PIXEL(v, i) v
const float kColumns = 0.0;
#include "strands_tile.glsl"
