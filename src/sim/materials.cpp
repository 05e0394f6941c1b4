#include "sim/materials.h"

#include <cstddef>

#include "math/elementary.h"

namespace ringlet {

namespace {

// The factor of a dial from 0 to 1: 10^-decades at 0, 1 in the middle, 10^decades at 1.
float dial_factor(float at, float decades) { return exp(2.302585f * decades * (2 * at - 1)); }

// s. Below its middle the bounce dial damps every material at least as one of this damping, or an
// undamped material would not respond.
constexpr float kDialDamping = 1e-3f;

}  // namespace

std::span<const StrandMaterial> all_materials() {
    // Hair is keratin, 3 to 5 GPa and about 1300 kg/m^3; diameters of scalp hair are 50 to 100 um,
    // and curlier hair is finer and flatter. Its damping of 1 ms is a loss tangent of 2 to 4 % at
    // the 3 to 7 Hz of a bounce. In water it swells by 15 % in diameter, loses 60 % of its modulus
    // and is damped more; the density of wet hair includes a film of water. A thread consists of
    // many fibres that slide on one another: as heavy as its cotton, but a hundred times less stiff
    // than a solid fibre of its size.
    static constexpr StrandMaterial kMaterials[] = {
        {"hair", "Human hair of medium thickness, round, undamped.", 40e-6f, 1, 3.8e9f, 0.35f, 1300,
         0},
        {"straight", "Thick straight human hair, 90 um, round.", 45e-6f, 1, 4e9f, 0.35f, 1300,
         1e-3f},
        {"wavy", "Wavy human hair, 72 um, slightly flat.", 36e-6f, 0.8f, 3.8e9f, 0.35f, 1300,
         1e-3f},
        {"curly", "Curly human hair, 66 um, flat.", 33e-6f, 0.7f, 3.5e9f, 0.35f, 1300, 1e-3f},
        {"coily", "Coily human hair, 56 um, very flat.", 28e-6f, 0.55f, 3e9f, 0.35f, 1300, 1e-3f},
        {"wet_straight", "Thick straight hair, wet.", 52e-6f, 1, 1.6e9f, 0.35f, 2000, 5e-3f},
        {"wet_wavy", "Wavy hair, wet.", 41e-6f, 0.8f, 1.5e9f, 0.35f, 2000, 5e-3f},
        {"wet_curly", "Curly hair, wet.", 38e-6f, 0.7f, 1.4e9f, 0.35f, 2000, 5e-3f},
        {"wet_coily", "Coily hair, wet.", 32e-6f, 0.55f, 1.2e9f, 0.35f, 2000, 5e-3f},
        {"fur", "Guard hair of an animal, 30 um, round and stiff for its size.", 15e-6f, 1, 4.5e9f,
         0.35f, 1250, 1e-3f},
        {"thread", "Cotton sewing thread, 240 um, limp and dull.", 120e-6f, 1, 3e7f, 0.3f, 800,
         0.01f},
    };
    return kMaterials;
}

void set_material(RodSettings& rod, int index) {
    const StrandMaterial& m = all_materials()[static_cast<std::size_t>(index)];
    rod.material = index;
    rod.radius = m.radius;
    rod.aspect_ratio = m.aspect_ratio;
    rod.youngs_modulus = m.youngs_modulus;
    rod.poisson_ratio = m.poisson_ratio;
    rod.density = m.density;
    rod.damping = m.damping;
}

RodSettings with_dials(RodSettings rod) {
    rod.youngs_modulus *= dial_factor(rod.stiffness_dial, 2);
    rod.density *= dial_factor(rod.weight_dial, 0.5f);
    const float bounce = dial_factor(rod.bounce_dial, -1);
    rod.damping = max(rod.damping * bounce, kDialDamping * (bounce - 1));
    return rod;
}

}  // namespace ringlet
