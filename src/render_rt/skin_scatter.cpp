#include "render_rt/skin_scatter.h"

#include <algorithm>
#include <cmath>

#include "math/elementary.h"
#include "math/noise.h"
#include "picture/studio.h"

namespace ringlet {

namespace {

// Schlick 1994.
float reflectance(float cosine) {
    const float away = 1 - std::clamp(cosine, 0.0f, 1.0f), away2 = away * away;
    return skin::kSkinReflectance + (1 - skin::kSkinReflectance) * away2 * away2 * away;
}

// The distribution of Trowbridge and Reitz 1975 of the microfacets' normals.
float facets(float nh, float roughness) {
    const float a = roughness * roughness, a2 = a * a, d = nh * nh * (a2 - 1) + 1;
    return a2 / (kPi * d * d);
}

// Smith's masking over 4 nl nv, in the form of Hammon 2017, as mesh_light.glsl has it.
float masking(float nl, float nv, float roughness) {
    const float a = roughness * roughness;
    return 0.5f / std::max(2 * nl * nv * (1 - a) + (nl + nv) * a, 1e-6f);
}

struct GlossLobe {
    float share, roughness;
};
const GlossLobe kGlossLobes[] = {{1 - skin::kOilShare, skin::kSkinRoughness},
                                 {skin::kOilShare, skin::kOilRoughness}};

// A microfacet's normal, relative to the surface's, from two uniform numbers.
Vec3f facet_at(float roughness, float u, float v) {
    const float a2 = roughness * roughness * roughness * roughness, around = 2 * kPi * u;
    const float cos2 = (1 - v) / (1 + (a2 - 1) * v);
    const float sine = std::sqrt(std::max(1 - cos2, 0.0f));
    return {sine * std::cos(around), sine * std::sin(around), std::sqrt(cos2)};
}

// The share of the light that the glossy layer reflects at all, over the cosine of the incidence.
class LayerTable {
public:
    LayerTable() {
        float sum = 0;
        for (std::size_t i = 0; i < kEntries; ++i) {
            const float cosine = std::max(cosine_at(i), 0.01f);
            entries_[i] = integrate(cosine);
            sum += entries_[i] * 2 * cosine / kEntries;
        }
        mean_ = sum;
    }

    float at(float cosine) const {
        const float place = std::clamp(cosine, 0.0f, 1.0f) * (kEntries - 1);
        const auto below = std::min(static_cast<std::size_t>(place), kEntries - 2);
        const float share = place - static_cast<float>(below);
        return entries_[below] * (1 - share) + entries_[below + 1] * share;
    }
    // The share of light from all directions.
    float mean() const { return mean_; }

private:
    static constexpr std::size_t kEntries = 64;
    static constexpr std::uint64_t kSamples = 512;

    static float cosine_at(std::size_t i) { return static_cast<float>(i) / (kEntries - 1); }

    static float integrate(float cosine) {
        const Vec3f view{std::sqrt(1 - cosine * cosine), 0, cosine};
        float sum = 0;
        for (const GlossLobe& lobe : kGlossLobes)
            for (std::uint64_t i = 1; i <= kSamples; ++i) {
                const Vec3f half = facet_at(lobe.roughness, static_cast<float>(halton(i, 2)),
                                            static_cast<float>(halton(i, 3)));
                const float vh = dot(view, half), nl = 2 * vh * half.z - cosine;
                if (!(vh > 0) || !(nl > 0)) continue;
                sum += lobe.share * reflectance(vh) * masking(nl, cosine, lobe.roughness) * nl * 4 *
                       vh / half.z;
            }
        return sum / kSamples;
    }

    std::array<float, kEntries> entries_{};
    float mean_ = 0;
};

const LayerTable& layer_table() {
    static const LayerTable table;
    return table;
}

}  // namespace

SkinScatter::SkinScatter(Vec3f albedo, Vec3f normal, Vec3f view, SkinPart part)
    : part_(part),
      albedo_{std::clamp(albedo.x, 0.0f, 1.0f), std::clamp(albedo.y, 0.0f, 1.0f),
              std::clamp(albedo.z, 0.0f, 1.0f)},
      frame_(frame_along(normal)),
      view_(view),
      view_cosine_(std::max(dot(normal, view), 1e-3f)) {
    const float gloss = layer_table().at(view_cosine_);
    const float base = (albedo_.x + albedo_.y + albedo_.z) / 3 * (1 - gloss);
    gloss_chance_ = part == SkinPart::gloss  ? 1.0f
                    : part == SkinPart::exit ? 0.0f
                                             : std::clamp(gloss / (gloss + base), 0.1f, 0.9f);
}

float SkinScatter::entering() const { return 1 - layer_table().at(view_cosine_); }

SkinScatter::Evaluation SkinScatter::evaluate(Vec3f light) const {
    const float nl = dot(frame_.tangent, light), nv = view_cosine_;
    if (!(nl > 0)) return {{0, 0, 0}, 0};
    const Vec3f half = unit_or(light + view_, frame_.tangent);
    const float nh = std::clamp(dot(frame_.tangent, half), 0.0f, 1.0f);
    const float vh = std::max(dot(view_, half), 1e-3f);
    float gloss = 0, density = 0;
    for (const GlossLobe& lobe : kGlossLobes) {
        const float d = lobe.share * facets(nh, lobe.roughness);
        gloss += d * masking(nl, nv, lobe.roughness);
        density += d * nh / (4 * vh);
    }
    gloss *= part_ == SkinPart::exit ? 0 : reflectance(vh) * nl;
    // The base gets what the layer lets in and lets out again, scaled so that a white base loses
    // nothing (Kelemen and Szirmay-Kalos 2001).
    const LayerTable& layer = layer_table();
    const float seen = part_ == SkinPart::exit ? 1 : 1 - layer.at(nv);
    const float base =
        part_ == SkinPart::gloss ? 0 : (1 - layer.at(nl)) * seen / (1 - layer.mean());
    const Vec3f diffuse = albedo_ * (base * nl / kPi);
    return {diffuse + Vec3f{gloss, gloss, gloss},
            gloss_chance_ * density + (1 - gloss_chance_) * nl / kPi};
}

Vec3f SkinScatter::sample(const std::array<float, 3>& uniform) const {
    const float around = 2 * kPi * uniform[1];
    if (uniform[0] >= gloss_chance_) {
        const float sine = std::sqrt(uniform[2]);
        return to_world(frame_, Vec3f{sine * std::cos(around), sine * std::sin(around),
                                      std::sqrt(std::max(1 - uniform[2], 0.0f))});
    }
    const bool oil = uniform[0] < gloss_chance_ * skin::kOilShare;
    const float roughness = oil ? skin::kOilRoughness : skin::kSkinRoughness;
    const Vec3f half = to_world(frame_, facet_at(roughness, uniform[1], uniform[2]));
    return half * (2 * dot(view_, half)) - view_;
}

}  // namespace ringlet
