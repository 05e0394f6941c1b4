// Connects this process with the others that mpirun started. Only this module uses MPI.
#pragma once

#include <memory>

#include "base/ranks.h"
#include "ringlet/result.h"

namespace ringlet {

// The connection of this process. While it exists, process_ranks() returns it.
class JoinedRanks {
public:
    virtual ~JoinedRanks() = default;

    // Returns null if no launcher started this process, or only this one. Fails if a launcher
    // started several and this build has no MPI. Call it once, at the start of a program.
    static Result<std::unique_ptr<JoinedRanks>> join();

    // The number of this process among those on the same machine, from 0 on. Collective.
    virtual int rank_on_machine() const = 0;
    // Waits some seconds for the others to leave too. Returns false if not all of them do, because
    // they are still at work, with this process or without it. May be called again.
    virtual bool leave() = 0;
    // Ends all processes at once, with this exit code.
    [[noreturn]] virtual void end_all(int exit_code) = 0;
};

}  // namespace ringlet
