// The fur of one actor: shells that are simulated and drawn as such, or the same coat described as
// a groom.
#pragma once

#include "fur/view.h"
#include "groom/maps.h"
#include "scene/scene.h"
#include "sim/simulation.h"
#include "strand/strand_set.h"

namespace ringlet {

class ActorFur {
public:
    // Null where the scene has no fur.
    static Result<std::unique_ptr<ActorFur>> make(const Scene& scene, const Mesh& body);

    // The scene with a groom that grows this fur, where it is wanted as strands; else the scene.
    Scene as_strands(const Scene& scene) const;
    // Bends strands that stand straight up to where shells would come to rest.
    void bend(const Scene& scene, StrandSet& strands, const TaskPool& pool) const;

    bool has_coat() const { return coat_ != nullptr; }
    const FurCoat& coat() const { return *coat_; }

    // At rest on the head as it stands, after that many seconds there.
    void restart(const Scene& scene, const Simulation& simulation, LaneKind lanes, double settle,
                 const TaskPool& pool);
    // Over the simulation's next step, which begins now; call it before that is taken.
    void follow(const Scene& scene, const Simulation& simulation);
    // Over the simulation's last step; colliders stand as at its end.
    void step(const Scene& scene, const Simulation& simulation, const TaskPool& pool);
    // Between the last two steps: before at 0, now at 1.
    void show(float t, const TaskPool& pool);
    FurView view(const Scene& scene, const Rigidf& place, const Rigidf& head) const;

private:
    Pelt pelt_;
    std::uint64_t pelt_number_ = 0;
    std::shared_ptr<const Image> colour_;
    std::unique_ptr<FurCoat> coat_;
    std::vector<FurCoat::StepInput> around_;
    std::vector<Vec3f> shape_;
    std::vector<PackedTip> shown_;
};

}  // namespace ringlet
