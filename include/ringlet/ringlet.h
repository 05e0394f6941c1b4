// Ringlet grows, simulates and draws hair. This header includes the whole public interface. A
// complete program:
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
// Conventions that hold for all of these headers:
// - Units are SI: metres, kilograms, seconds, radians. Right-handed coordinates, +Y up.
// - No function throws, prints or exits. Errors, lack of memory included, are returned as
//   Result<T>; messages and progress go to a Listener. If Session::step() fails, Session::status()
//   returns the Error.
// - Functions are safe to call from several threads as long as no two calls share an object. One
//   Session must not be used by two threads at the same time; two Sessions may.
// - Returned values own their memory. Nothing refers to an argument after the call returns.
#pragma once

#include "ringlet/assertions.h"
#include "ringlet/backend.h"
#include "ringlet/bench.h"
#include "ringlet/grooms.h"
#include "ringlet/grow.h"
#include "ringlet/image.h"
#include "ringlet/jobs.h"
#include "ringlet/progress.h"
#include "ringlet/result.h"
#include "ringlet/session.h"
#include "ringlet/validate.h"
#include "ringlet/version.h"
#include "ringlet/warning.h"
