#include "groom/hair_colours.h"

#include <array>
#include <charconv>
#include <cmath>

#include "groom/maps.h"
#include "math/elementary.h"
#include "shade/fibre.h"

namespace ringlet {

namespace {

Vec3f from_srgb(int rgb) {
    const auto channel = [&](int shift) {
        return linear_from_srgb(static_cast<std::uint8_t>(rgb >> shift & 255));
    };
    return {channel(16), channel(8), channel(0)};
}

Vec3f shaded(Vec3f colour, float factor) {
    return {min(colour.x * factor, 1.0f), min(colour.y * factor, 1.0f),
            min(colour.z * factor, 1.0f)};
}

bool same(Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

std::span<const HairColour> hair_colours() {
    static const std::array<HairColour, 18> kColours{{
        {"black", colour_of_pigments(2.0f, 0)},
        {"espresso", colour_of_pigments(0.7f, 0.08f)},
        {"brown", from_srgb(0x4a2f1e)},
        {"chestnut", from_srgb(0x63361f)},
        {"mahogany", from_srgb(0x4a1c12)},
        {"auburn", from_srgb(0x6f2d16)},
        {"copper", from_srgb(0xa04a1c)},
        {"ginger", from_srgb(0xb8703a)},
        {"strawberry", from_srgb(0xc98a5e)},
        {"caramel", from_srgb(0x96623a)},
        {"honey", from_srgb(0xb8824e)},
        {"golden", from_srgb(0xcf9a60)},
        {"blonde", from_srgb(0xdab98f)},
        {"ash", from_srgb(0x9a8f80)},
        {"platinum", from_srgb(0xe6dcc6)},
        {"grey", from_srgb(0x807e7c)},
        {"silver", from_srgb(0xb9b9ba)},
        {"white", colour_of_pigments(0, 0)},
    }};
    return kColours;
}

Vec3f colour_of_pigments(float eumelanin, float pheomelanin) {
    // Keratin itself absorbs a little, most in the blue, so that hair without pigment is not whiter
    // than white hair.
    constexpr Vec3f kKeratin{0.0006f, 0.0008f, 0.0015f};
    const Vec3f absorption = absorption_of_pigments(eumelanin, pheomelanin) + kKeratin;
    const float around = Fibre{}.rough_around;
    return {colour_of_absorption(absorption.x, around), colour_of_absorption(absorption.y, around),
            colour_of_absorption(absorption.z, around)};
}

std::optional<Vec3f> parse_hex_colour(std::string_view text) {
    if (text.size() != 7 || text[0] != '#') return {};
    unsigned rgb = 0;
    const auto parsed = std::from_chars(text.data() + 1, text.data() + 7, rgb, 16);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + 7) return {};
    return from_srgb(static_cast<int>(rgb));
}

void set_colour(ColourSettings& settings, Vec3f linear_rgb) {
    settings.root = shaded(linear_rgb, 0.8f);
    settings.tip = shaded(linear_rgb, 1.2f);
}

int named_colour_of(const ColourSettings& settings) {
    int index = 0;
    for (const HairColour& colour : hair_colours()) {
        ColourSettings named;
        set_colour(named, colour.linear_rgb);
        if (same(named.root, settings.root) && same(named.tip, settings.tip)) return index;
        ++index;
    }
    return -1;
}

}  // namespace ringlet
