// What a Session is made of, for the modules that may see inside: renderers' callers and the
// viewer.
#pragma once

#include "geom/mesh.h"
#include "ringlet/session.h"
#include "scene/scene.h"

namespace ringlet {

struct Session::Parts {
    Scene scene;
    SessionOptions options;
    TaskPool pool;
    Mesh body;
    StrandSet groom;  // at rest, in the head's frame
    std::unique_ptr<Simulation> simulation;
    Channel<3> before;  // positions before the last step
    Channel<3> shown;   // positions as last interpolated
    Rigidf head_before, head_shown;

    // Running totals of what was measured at every step's end.
    Report totals;
    double sum_stretch = 0;
    std::int64_t segment_count = 0;

    // (Re)grows the groom and starts the simulation anew.
    Result<void> rebuild();
    void restart();
    void step();
    // Steps until `time` is reached, then shows the state at exactly that time.
    void advance_to(double time);
    StrandView shown_strands() const;
};

}  // namespace ringlet
