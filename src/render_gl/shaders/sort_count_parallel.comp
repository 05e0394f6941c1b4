#version 450 core
#include "sort_parallel.glsl"
#include "sort.glsl"
#include "sort_count.glsl"
