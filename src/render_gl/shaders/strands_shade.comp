#version 450 core
// Evaluates, shades and projects the drawn vertices of hair, for the compute rasteriser.
const bool kHasFur = false;
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
