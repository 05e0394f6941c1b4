// The growth weight: how densely hair grows at a point of the skin, from 0 to 1. It is evaluated at
// the point itself, not per triangle, so that hairlines do not show the triangles of the mesh.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "groom/hairline.h"
#include "groom/maps.h"
#include "groom/settings.h"

namespace ringlet {

// groom.scalp: the cap of a head, found from its shape.
inline constexpr std::string_view kAutoScalp = "auto";

// True if a material or a group of the mesh has this name.
bool has_material_or_group(const Mesh& mesh, const std::string& name);

// Where roots may be. Not owned: the images, the rules and the painting. Null pointers and empty
// images leave the weight unchanged.
struct RootRules {
    std::string scalp{};             // material, group or kAutoScalp; empty: everywhere
    float facing_up = -1;            // smallest y of the skin's normal at a root
    const Image* density = nullptr;  // over UV
    std::uint32_t seed = 1;
    const Image* length = nullptr;  // over UV; hair of no length has no root
    ColourChannel colour = ColourChannel::none;
    std::span<const GrowthRule> rules{};
    const GrowthPaint* painted = nullptr;
};

RootRules root_rules(const GroomSettings& settings, const GroomMaps& maps);

// A point of the skin at which the weight is evaluated.
struct SkinPoint {
    Vec3f position;  // m
    Vec3f normal;    // unit
    Vec2f uv;
    int triangle;
    float b, c;  // barycentric coordinates of the second and third corner
};

struct Growth {
    float weight = 1;  // share of hair that grows
    // The part of the weight that falls off towards a soft hairline: the scalp "auto", rules,
    // vertex colours and painting. Hair is shorter where it is below 1.
    float soft = 1;
};

// Combines all sources: the product of scalp, facing_up, density, vertex colours and rules, then
// the painting over it. Keeps references to the mesh and to the members of `rules`.
class GrowthWeight {
public:
    GrowthWeight(const Mesh& mesh, const RootRules& rules);

    // False if no point of the triangle can have a positive weight. May be true where the weight is
    // zero.
    bool may_grow(int triangle) const;
    Growth at(const SkinPoint& point) const;
    // The skull; empty unless the scalp is "auto".
    const std::optional<Skull>& skull() const { return skull_; }

private:
    bool belongs(int triangle) const;
    float vertex_colour(const SkinPoint& point) const;

    const Mesh& mesh_;
    RootRules rules_;
    std::optional<Skull> skull_;
    std::optional<Hairline> hairline_;
};

}  // namespace ringlet
