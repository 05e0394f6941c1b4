// The fur of one actor: a coat of shells that is simulated and drawn, or the same coat described as
// a groom of strands, of which only the innermost shell is drawn here.
#pragma once

#include "fur/view.h"
#include "groom/maps.h"
#include "scene/scene.h"
#include "sim/simulation.h"
#include "strand/strand_set.h"

namespace ringlet {

class ActorFur {
public:
    // Returns null if the scene has no fur.
    static Result<std::unique_ptr<ActorFur>> make(const Scene& scene, const Mesh& body);

    // Returns the scene with groom settings that grow this fur as strands (fur.style = "strands");
    // for other styles the scene unchanged.
    Scene as_strands(const Scene& scene) const;
    // Bends straight strands to the rest shape of the shells, and computes their
    // StrandSet::fur_tone.
    void bend(const Scene& scene, const GroomMaps& maps, StrandSet& strands,
              const TaskPool& pool) const;

    // Sets the radii of strands that were grown by as_strands() and bend().
    void set_radii(const Scene& scene, StrandSet& strands) const;

    // Whether shells are simulated.
    bool has_coat() const { return coat_ != nullptr; }
    const FurCoat& coat() const { return *coat_; }

    // Starts the coat at rest on the current head pose and lets it settle for `settle` seconds.
    void restart(const Scene& scene, const Simulation& simulation, LaneKind lanes, double settle,
                 const TaskPool& pool);
    // Records the head's motion over the simulation's next step. Call it before that step.
    void prepare_step(const Scene& scene, const Simulation& simulation);
    // Advances the coat over the simulation's last step, with the colliders at its end.
    void step(const Scene& scene, const Simulation& simulation, const TaskPool& pool);
    // All memory that step() changes and a later step reads. Call restore() after it and the
    // simulation's state were overwritten.
    std::vector<std::span<std::byte>> changing_memory() {
        return coat_ ? coat_->changing_memory() : std::vector<std::span<std::byte>>();
    }
    void restore(const Scene& scene, const Simulation& simulation);
    // Interpolates the displayed tip directions between the last two steps: 0 is the previous one,
    // 1 the current one.
    void display(float t, const TaskPool& pool);
    // Size of the body for the renderer's shadows (Picture::body_scale).
    float body_scale(const Scene& scene) const;
    // The displayed fur for a renderer. Valid until the next display() or restart().
    FurView view(const Scene& scene, const Rigidf& to_world, const Rigidf& head) const;

private:
    // The direction of the tips of shells at rest, in the pelt's coordinates. `length` is that of
    // the fur, m.
    Vec3f rest_tip(const FurSettings& fur, Vec3f normal, float length) const;
    // Moves the pelt with the deformed mesh.
    void set_shape(const Scene& scene, const Simulation& simulation);

    Pelt pelt_;
    std::uint64_t pelt_number_ = 0;  // changes with the pelt's shape
    std::shared_ptr<const Image> colour_;
    std::unique_ptr<FurCoat> coat_;
    std::vector<FurCoat::StepInput> step_inputs_;  // one per fur step of the next simulation step
    std::vector<Vec3f> shape_;
    std::vector<PackedTip> displayed_;  // fur of style strands: at rest, in the pelt's frame
};

}  // namespace ringlet
