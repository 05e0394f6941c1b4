// The program of campaigns, with libFuzzer's main(). tools/fuzz calls it.
//
//     ringlet_fuzz --list                    the targets, with the MiB that each may use
//     ringlet_fuzz --seeds TARGET FOLDER     writes its seeds
//     RINGLET_FUZZ_TARGET=TARGET ringlet_fuzz [options of libFuzzer] [corpus folder ...]
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/files.h"
#include "fuzz/fuzz_target.h"

namespace {

[[noreturn]] void list_targets() {
    for (const ringlet::FuzzTarget& target : ringlet::all_fuzz_targets())
        std::printf("%s %zu\n", target.name.c_str(), target.most_mebibytes);
    std::exit(0);
}

ringlet::FuzzTarget find_target(const char* name) {
    for (const ringlet::FuzzTarget& target : ringlet::all_fuzz_targets())
        if (name && target.name == name) return target;
    std::fprintf(stderr, "set RINGLET_FUZZ_TARGET to a target of --list\n");
    std::exit(2);
}

[[noreturn]] void write_seeds(const char* target, const std::filesystem::path& folder) {
    int number = 0;
    for (const std::string& seed : find_target(target).seeds())
        if (!ringlet::write_file(folder / ("seed" + std::to_string(number++)), seed)) std::exit(1);
    std::exit(0);
}

ringlet::FuzzTarget current;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
    const std::string first = *count > 1 ? (*words)[1] : "";
    if (first == "--list") list_targets();
    if (first == "--seeds" && *count == 4) write_seeds((*words)[2], (*words)[3]);
    current = find_target(std::getenv("RINGLET_FUZZ_TARGET"));
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ringlet::FuzzOutcome outcome = current.run({reinterpret_cast<const char*>(data), size});
    if (outcome.fault.empty()) return 0;
    std::fprintf(stderr, "%s: %s\n", current.name.c_str(), outcome.fault.c_str());
    std::abort();
}
