// What a Session is made of, for the modules that may see inside: renderers' callers and the
// viewer.
#pragma once

#include "geom/mesh.h"
#include "ringlet/session.h"
#include "scene/scene.h"
#include "strand/children.h"

namespace ringlet {

struct Session::Parts {
    Scene scene;
    SessionOptions options;
    TaskPool pool;
    Mesh body;
    StrandSet groom;                     // all strands at rest, in the head's frame
    StrandSet guides;                    // the first of them, where only these are simulated
    std::unique_ptr<Children> children;  // the others, if any
    std::unique_ptr<Simulation> simulation;
    Channel<3> before;  // positions before the last step; empty until something is to be shown
    Channel<3> shown;   // positions as last interpolated; likewise
    Rigidf head_before, head_shown;

    // Running totals of what was measured at every step's end.
    Report totals;
    double sum_stretch = 0;
    std::int64_t segment_count = 0;

    const StrandSet& simulated() const { return children ? guides : groom; }
    // (Re)grows the groom and starts the simulation anew.
    Result<void> rebuild();
    void restart();
    void step();
    // All strands, children included, where the guides are at `guides_now`.
    void spread(const Channel<3>& guides_now, const Rigidf& head, Channel<3>& all);
    // Steps until `time` is reached, then shows the state at exactly that time.
    void advance_to(double time);
    StrandView shown_strands() const;
    // All strands as the simulation has them now; `all` is filled and borrowed.
    StrandView present_strands(Channel<3>& all);
};

}  // namespace ringlet
