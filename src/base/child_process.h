// Runs another program with limits and collects its output. For work that may crash or hang on
// malicious input: the other process dies, this one gets an Error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "ringlet/result.h"

namespace ringlet {

struct ProcessLimits {
    double seconds = 60;                                  // wall-clock time, and CPU time
    std::uint64_t memory_bytes = std::uint64_t{2} << 30;  // address space
    std::uint64_t output_bytes = std::uint64_t{1} << 30;  // on its standard output
};

// Runs `program` with `arguments` (without the program's name) until it exits, and returns all that
// it wrote to its standard output. Its standard input is empty and its standard error is discarded.
// It inherits no other file descriptors. `is_stopped` is polled while it runs; may be empty.
//
// Returns an Error that completes the sentence "the program ...": it does not start, exceeds a
// limit, is killed by a signal, returns a status other than 0, or `is_stopped` returned true. In
// every case the process is dead and its exit status collected when the function returns.
Result<std::string> run_program(const std::filesystem::path& program,
                                std::span<const std::string> arguments, const ProcessLimits& limits,
                                const std::function<bool()>& is_stopped = {});

}  // namespace ringlet
