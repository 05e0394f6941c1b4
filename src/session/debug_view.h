// What the simulation knows, made visible: strands in colours that mean something, the grid on
// which hair meets hair, axes along strands. Off screen and in the viewer alike, by [render].
#pragma once

#include <string>

#include "session/draw.h"
#include "session/session_impl.h"

namespace ringlet {

// What the ends of a scale mean, and the colours between them.
struct ColourScale {
    const char* title;
    const char* unit;
    float low, high;  // in that unit
};
// ColourBy::hair and id have none: their ends are equal.
ColourScale scale_of(ColourBy what);
// t from 0 to 1 along the scale; linear RGB.
Vec3f colour_at(ColourBy what, float t);

// Of one vertex of the actor's simulated strands, in the scale's unit: how much the segments beside
// it are longer than groomed (%), how fast it is (m/s), how far from the nearest body (mm), what
// the model does to it beyond gravity (m/s^2).
float debug_value(const Actor& actor, ColourBy what, int strand, int vertex);

// Colours, grid and axes as the scene's look asks for them.
void add_debug_view(const Session::Impl& parts, Picture& picture);

}  // namespace ringlet
