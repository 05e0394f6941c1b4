#include "base/ranks.h"

namespace ringlet {

namespace {

Ranks* ranks_of_process = nullptr;

}  // namespace

Ranks* process_ranks() { return ranks_of_process; }
void set_process_ranks(Ranks* ranks) { ranks_of_process = ranks; }

}  // namespace ringlet
