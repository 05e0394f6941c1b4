#version 450 core
#include "sort_serial.glsl"
#include "sort.glsl"
#include "sort_count.glsl"
