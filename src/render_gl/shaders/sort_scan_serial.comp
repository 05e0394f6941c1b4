#version 450 core
#include "sort_serial.glsl"
#include "sort.glsl"
#include "sum_before.glsl"
#include "sort_scan.glsl"
