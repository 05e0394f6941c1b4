// The readers of saved states: checkpoints of runs, and the bytes of a HairSim.
#include <cstring>

#include "base/hash.h"
#include "fuzz/fuzz_target.h"
#include "session/checkpoint_file.h"
#include "sim_api/state_bytes.h"

namespace ringlet {
namespace {

using Seeds = std::vector<std::string>;

// Both kinds of file begin with 32 bytes, the last 16 of which are a length and a checksum.
constexpr std::size_t kHeaderBytes = 32, kLengthAt = 16, kChecksumAt = 24;

// Replaces length and checksum by the right ones, which hardly any mutation has.
std::string corrected(std::string_view input, std::size_t counted_header) {
    std::string out(input);
    if (out.size() < kHeaderBytes) return out;
    ByteHash hash;
    hash.add(std::as_bytes(std::span(out)).subspan(kHeaderBytes));
    const std::uint64_t length = out.size() - kHeaderBytes + counted_header, sum = hash.value();
    std::memcpy(&out[kLengthAt], &length, sizeof length);
    std::memcpy(&out[kChecksumAt], &sum, sizeof sum);
    return out;
}

// Runs the input as it is and, if it is refused, with the right length and checksum.
template <class Run>
FuzzOutcome run_both(std::string_view input, std::size_t counted_header, const Run& run) {
    const FuzzOutcome plain = run(input);
    if (plain.is_accepted || !plain.fault.empty()) return plain;
    return run(corrected(input, counted_header));
}

// Memory of a state of 40 bytes.
struct SmallState {
    std::vector<std::byte> first = std::vector<std::byte>(32, std::byte{1});
    std::vector<std::byte> second = std::vector<std::byte>(8, std::byte{2});

    MemorySpans spans() { return {std::span(first), std::span(second)}; }
};

FuzzOutcome run_checkpoint(std::string_view input) {
    return run_both(input, kHeaderBytes, [](std::string_view bytes) {
        const Result<CheckpointFile> file = CheckpointFile::open(input_file(bytes, ".checkpoint"));
        return outcome_of(file, [](const CheckpointFile& value) -> std::string {
            SmallState state;
            if (value.content().next_frame < 0) return "a negative frame";
            if (!value.fits(state.spans())) return {};
            return value.read_state(state.spans()) ? "" : "a state that fits and cannot be read";
        });
    });
}

Seeds checkpoint_seeds() {
    const auto seed = [](const CheckpointContent& content) {
        return written_bytes(".checkpoint", [&](const std::filesystem::path& path) {
            return write_checkpoint(path, content, SmallState().spans());
        });
    };
    return {seed({}), seed({{{"--frames", "48"}, {"version", "1"}}, 7, "progress"})};
}

constexpr std::uint64_t kFingerprint = 42;

FuzzOutcome run_state(std::string_view input) {
    return run_both(input, 0, [](std::string_view bytes) {
        SmallState state;
        const Result<void> done =
            from_bytes(std::as_bytes(std::span(bytes)), state.spans(), kFingerprint);
        if (!done && (state.first.back() != std::byte{1} || state.second.back() != std::byte{2}))
            return FuzzOutcome{false, "refused bytes that changed the state"};
        return outcome_of(done, [](const auto&) { return std::string(); });
    });
}

Seeds state_seeds() {
    const std::vector<std::byte> bytes = to_bytes(SmallState().spans(), kFingerprint);
    return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}

}  // namespace

std::vector<FuzzTarget> state_targets() {
    return {{"checkpoint", run_checkpoint, checkpoint_seeds},
            {"hair_sim_state", run_state, state_seeds}};
}

}  // namespace ringlet
