// Colours of hair by name and by pigment.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "groom/settings.h"

namespace ringlet {

struct HairColour {
    const char* name;
    Vec3f linear_rgb;
};

// From dark to light, the reds in between. Natural shades are computed from their pigments; reds
// and greys, which the two pigments alone do not reach, are given in sRGB.
std::span<const HairColour> hair_colours();

// The colour, in linear RGB, of a head of hair with given concentrations of the two pigments
// (d'Eon et al. 2011, Chiang et al. 2016). Without pigment hair is white.
Vec3f colour_of_pigments(float eumelanin, float pheomelanin);

// Reads "#rrggbb" (sRGB); empty if the text is something else.
std::optional<Vec3f> parse_hex_colour(std::string_view text);

// Sets root and tip to shades around one colour: hair is darker at the root and bleaches with age.
void set_colour(ColourSettings& settings, Vec3f linear_rgb);

// The index in hair_colours() whose set_colour() gives these roots and tips; -1 for none.
int named_colour_of(const ColourSettings& settings);

}  // namespace ringlet
