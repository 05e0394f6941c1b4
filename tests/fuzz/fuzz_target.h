// Fuzz targets: readers that receive bytes nobody has checked. A target is a line in the list of
// its family (grooms.cpp, meshes.cpp, ...). tools/fuzz runs campaigns with libFuzzer
// (campaign.cpp); replay_test.cpp reads seeds, regressions and mutations in ./test.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ringlet/result.h"

namespace ringlet {

// The result of reading an input.
struct FuzzOutcome {
    bool is_accepted = false;
    // The promise that the reader broke: a value that is not sound, or an error that is not one
    // line of printable text. Empty: none.
    std::string fault{};
    std::string error{};  // the text of the Error if the input is refused
};

struct FuzzTarget {
    std::string name;  // also of its folder in tests/fuzz/corpus
    std::function<FuzzOutcome(std::string_view input)> run;
    // Small inputs that the reader accepts.
    std::function<std::vector<std::string>()> seeds;
    // The most memory in MiB that reading an input of a few kilobytes may take.
    std::size_t most_mebibytes = 64;
};

// The families.
std::vector<FuzzTarget> groom_targets();
std::vector<FuzzTarget> mesh_targets();
std::vector<FuzzTarget> image_targets();
std::vector<FuzzTarget> state_targets();
std::vector<FuzzTarget> text_targets();

std::vector<FuzzTarget> all_fuzz_targets();

// The outcome of an Error.
FuzzOutcome refused(const Error& error);

// The outcome of a reader; `fault_of(value)` describes what is wrong with its value.
template <class T, class FaultOf>
FuzzOutcome outcome_of(const Result<T>& result, const FaultOf& fault_of) {
    if (!result) return refused(result.error());
    return {true, fault_of(*result)};
}

// Writes the input to a file of this process, for readers that take a path. The extension begins
// with a dot. The next call with the same extension overwrites the file.
std::filesystem::path input_file(std::string_view input, const std::string& extension);

// The bytes of a file that `write(path)` writes.
std::string written_bytes(const std::string& extension,
                          const std::function<Result<void>(const std::filesystem::path&)>& write);

// The parts of an input that a byte 0 separates, at most `most`; the last part has the rest.
std::vector<std::string_view> zero_separated(std::string_view input, std::size_t most);

}  // namespace ringlet
