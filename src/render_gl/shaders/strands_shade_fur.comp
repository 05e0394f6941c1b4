#version 450 core
// The same as strands_shade.comp where some of the strands are those of a coat of fur. A program of its
// own, because software renderers execute both sides of a branch.
const bool kHasFur = true;
#include "frame.glsl"
#include "opacity.glsl"
#include "light.glsl"
#include "soft_light.glsl"
#include "scattering_gain.glsl"
#include "fibre_lobes.glsl"
#include "curve.glsl"
#include "fur_colour.glsl"
#include "fur_light.glsl"
#include "strand_light.glsl"
#include "segment.glsl"
#include "layer.glsl"
#include "strands_shade.glsl"
