#include "rank_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "gpu_of_rank.h"
#include "program.h"
#include "ranks_mpi/joined_ranks.h"
#include "terminal.h"

namespace {

// Discards what this process writes to stdout and keeps what it writes to stderr, because the first
// rank writes the same. Signals are for the first rank too.
class SilentHelper {
public:
    SilentHelper() : stderr_(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
        const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
        const int kept = ::memfd_create("messages", MFD_CLOEXEC);
        ::dup2(nowhere, STDOUT_FILENO);
        ::dup2(kept >= 0 ? kept : nowhere, STDERR_FILENO);
    }
    // Writes the last of what was kept, of a helper that failed alone.
    void tell(int rank) const {
        char text[2000];
        const off_t end = ::lseek(STDERR_FILENO, 0, SEEK_CUR);
        const off_t from = std::max<off_t>(0, end - off_t{sizeof text});
        const ssize_t size = end < 0 ? 0 : ::pread(STDERR_FILENO, text, sizeof text, from);
        ::dup2(stderr_, STDERR_FILENO);
        const std::string said(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        print_error("rank " + std::to_string(rank) + " failed: " + said);
    }

private:
    int stderr_;
};

bool has_work_for_helpers(int argc, char** argv) {
    return std::any_of(argv, argv + argc, [](const char* word) {
        return std::string_view(word) == "simulate" || std::string_view(word) == "render";
    });
}

int run_helper(int argc, char** argv, ringlet::JoinedRanks& joined) {
    const int rank = ringlet::process_ranks()->rank();
    const SilentHelper silent;
    const int code = has_work_for_helpers(argc, argv) ? run_program(argc, argv) : 0;
    // The first rank may still be drawing, or it does not know of the failure.
    while (!joined.leave()) {
        if (code == 0) continue;
        silent.tell(rank);
        joined.end_all(code);
    }
    return code;
}

}  // namespace

int run_rank_program(int argc, char** argv) {
    ringlet::Result<std::unique_ptr<ringlet::JoinedRanks>> joined = ringlet::JoinedRanks::join();
    if (!joined) {
        print_error(joined.error().text());
        return 2;
    }
    if (!*joined) return run_program(argc, argv);
    choose_gpu_of_rank((*joined)->rank_on_machine());
    if (ringlet::is_helper()) return run_helper(argc, argv, **joined);
    const int code = run_program(argc, argv);
    if (!(*joined)->leave()) (*joined)->end_all(code);
    return code;
}
