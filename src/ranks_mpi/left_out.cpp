// This file takes the place of mpi_ranks.cpp in builds without MPI.
#include <cstdlib>
#include <string>

#include "ranks_mpi/joined_ranks.h"

namespace ringlet {

// Without this check, every process would run the whole job and write the same files.
Result<std::unique_ptr<JoinedRanks>> JoinedRanks::join() {
    for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
        if (const char* const count = std::getenv(name); count && std::string(count) != "1")
            return Error{
                "this build has no MPI and runs as one process only; install libopenmpi-dev and "
                "build again, or start it without mpirun"};
    return std::unique_ptr<JoinedRanks>();
}

}  // namespace ringlet
