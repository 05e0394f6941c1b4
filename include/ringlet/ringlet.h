// Ringlet in one screen:
//
//     #include <ringlet/ringlet.h>
//
//     auto session = ringlet::Session::open("curls", {.overrides = {"groom.strands=500"}});
//     if (!session) return fail(session.error().text());
//     for (int frame = 0; frame < 60; ++frame) session->step();
//     std::vector<float> xyz = session->positions();          // every vertex, for your renderer
//     ringlet::Report report = session->report();             // stretch, penetration, hash
//     ringlet::render(*session, {.output = "hair.mp4"}, {});  // or let Ringlet draw it
//
// Nothing here throws, prints or exits: errors are returned, progress goes to callbacks.
#pragma once

#include "ringlet/bench.h"
#include "ringlet/image.h"
#include "ringlet/jobs.h"
#include "ringlet/progress.h"
#include "ringlet/result.h"
#include "ringlet/session.h"
#include "ringlet/validate.h"
